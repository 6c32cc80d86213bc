// gRPC's framing of messages on a stream: one byte for compression, four for the length, then the message.
// Source: gRPC over HTTP/2 specification, "Length-Prefixed-Message".

import { RegistryError } from '../registry-error.js';

const HEAD_BYTES = 5;

/** Puts a message into its frame. */
export function frameMessage(message: Uint8Array): Uint8Array {
  const frame = new Uint8Array(HEAD_BYTES + message.length);
  new DataView(frame.buffer).setUint32(1, message.length);
  frame.set(message, HEAD_BYTES);
  return frame;
}

/** Why bytes of a stream are refused; the names follow the gRPC status that goes with them. */
export class FrameError extends RegistryError {
  /** gRPC status: 8 resource exhausted (too long), 12 unimplemented (compressed). */
  readonly grpcStatus: 8 | 12;

  constructor(grpcStatus: 8 | 12, message: string) {
    super(grpcStatus === 8 ? 'body-too-large' : 'malformed-request', message);
    this.grpcStatus = grpcStatus;
  }
}

/** Cuts the bytes of one stream into messages. Holds at most one incomplete message. */
export class MessageCutter {
  readonly #messageBytesMax: number;
  #chunks: Uint8Array[] = [];
  #length = 0;

  /** @param messageBytesMax - longest message that is taken */
  constructor(messageBytesMax: number) {
    this.#messageBytesMax = messageBytesMax;
  }

  /** Whether a message has begun and not ended. */
  get incomplete(): boolean {
    return this.#length > 0;
  }

  /**
   * Takes bytes and gives the messages that they complete, in order.
   *
   * @throws FrameError for a compressed or too long message; the stream is of no use after that
   */
  push(chunk: Uint8Array): Uint8Array[] {
    this.#chunks.push(chunk);
    this.#length += chunk.length;
    const messages: Uint8Array[] = [];
    for (;;) {
      const length = this.#nextLength();
      if (length === undefined || this.#length < HEAD_BYTES + length) return messages;
      const bytes = this.#joined();
      messages.push(bytes.subarray(HEAD_BYTES, HEAD_BYTES + length));
      this.#keep(bytes.subarray(HEAD_BYTES + length));
    }
  }

  #nextLength(): number | undefined {
    if (this.#length < HEAD_BYTES) return undefined;
    let first = this.#chunks[0] as Uint8Array;
    if (first.length < HEAD_BYTES) first = this.#joined();
    if (first[0] !== 0)
      throw new FrameError(12, `Message is compressed (flag ${first[0]}); only uncompressed messages are taken`);
    const length = new DataView(first.buffer, first.byteOffset, HEAD_BYTES).getUint32(1);
    if (length > this.#messageBytesMax)
      throw new FrameError(8, `Message has ${length} bytes, allowed are ${this.#messageBytesMax}`);
    return length;
  }

  #joined(): Uint8Array {
    if (this.#chunks.length === 1) return this.#chunks[0] as Uint8Array;
    const bytes = new Uint8Array(this.#length);
    let at = 0;
    for (const chunk of this.#chunks) {
      bytes.set(chunk, at);
      at += chunk.length;
    }
    this.#chunks = [bytes];
    return bytes;
  }

  #keep(rest: Uint8Array): void {
    this.#chunks = rest.length === 0 ? [] : [rest];
    this.#length = rest.length;
  }
}
