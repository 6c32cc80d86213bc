// gRPC's framing of messages on a stream: one byte for compression, four for the length, then the message.
// Source: gRPC over HTTP/2 specification, "Length-Prefixed-Message".

import { RegistryError } from '../registry-error.js';

/** Bytes in front of each message. */
export const FRAME_HEAD_BYTES = 5;

/** Puts a message into its frame. */
export function frameMessage(message: Uint8Array): Uint8Array {
  const frame = new Uint8Array(FRAME_HEAD_BYTES + message.length);
  frame.set(message, FRAME_HEAD_BYTES);
  writeFrameHead(frame);
  return frame;
}

/** Writes the head of a frame that has room for it in front of its message, which is not compressed. */
export function writeFrameHead(frame: Uint8Array): void {
  const length = frame.length - FRAME_HEAD_BYTES;
  frame[0] = 0;
  frame[1] = length >>> 24;
  frame[2] = length >>> 16;
  frame[3] = length >>> 8;
  frame[4] = length;
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

const NO_BYTES = new Uint8Array(0);

/** Cuts the bytes of one stream into messages. Holds at most one incomplete message, in at most twice its size. */
export class MessageCutter {
  readonly #messageBytesMax: number;
  #held = NO_BYTES;
  #heldBytes = 0;

  /** @param messageBytesMax - longest message that is taken */
  constructor(messageBytesMax: number) {
    this.#messageBytesMax = messageBytesMax;
  }

  /** Bytes of a message that has begun and not ended; 0 between messages. */
  get heldBytes(): number {
    return this.#heldBytes;
  }

  /**
   * Takes bytes and gives the messages that they complete, in order.
   *
   * @throws FrameError for a compressed or too long message; the stream is of no use after that
   */
  push(chunk: Uint8Array): Uint8Array[] {
    const wasHeld = this.#heldBytes > 0;
    if (wasHeld) this.#hold(chunk);
    const bytes = wasHeld ? this.#held.subarray(0, this.#heldBytes) : chunk;
    const messages: Uint8Array[] = [];
    let at = 0;
    for (;;) {
      const end = this.#endOfMessage(bytes, at);
      if (end === undefined || end > bytes.length) break;
      messages.push(bytes.subarray(at + FRAME_HEAD_BYTES, end));
      at = end;
    }
    if (!wasHeld || at > 0) this.#startAnew(bytes.subarray(at));
    return messages;
  }

  #endOfMessage(bytes: Uint8Array, at: number): number | undefined {
    if (bytes.length - at < FRAME_HEAD_BYTES) return undefined;
    if (bytes[at] !== 0)
      throw new FrameError(12, `Message is compressed (flag ${bytes[at]}); only uncompressed messages are taken`);
    const length = new DataView(bytes.buffer, bytes.byteOffset + at, FRAME_HEAD_BYTES).getUint32(1);
    if (length > this.#messageBytesMax)
      throw new FrameError(8, `Message has ${length} bytes, allowed are ${this.#messageBytesMax}`);
    return at + FRAME_HEAD_BYTES + length;
  }

  /** The messages that were given are views into what was held, so that is not written to any more. */
  #startAnew(rest: Uint8Array): void {
    this.#held = NO_BYTES;
    this.#heldBytes = 0;
    if (rest.length > 0) this.#hold(rest);
  }

  /** Room doubles, so that a message in many pieces is not copied for each. */
  #hold(bytes: Uint8Array): void {
    const length = this.#heldBytes + bytes.length;
    if (length > this.#held.length) {
      const larger = new Uint8Array(Math.max(length, this.#held.length * 2));
      larger.set(this.#held.subarray(0, this.#heldBytes));
      this.#held = larger;
    }
    this.#held.set(bytes, this.#heldBytes);
    this.#heldBytes = length;
  }
}
