// Frames of the protocol between nodes: a length of four bytes, highest first, then so many bytes. Cut out of what arrives,
// with the length checked before anything is kept for it.

import { PeerFault } from './peer-fault.js';

/** Bytes in front of each frame. */
const LENGTH_BYTES = 4;

/** A frame ready to be written. @param payload - at least one byte */
export function frameOf(payload: Buffer): Buffer {
  const frame = Buffer.allocUnsafe(LENGTH_BYTES + payload.length);
  frame.writeUInt32BE(payload.length);
  payload.copy(frame, LENGTH_BYTES);
  return frame;
}

/** Cuts a stream of bytes into frames. */
export class FrameReader {
  /** Longest payload taken, bytes. May be raised after the handshake. */
  payloadBytesMax: number;
  #chunks: Buffer[] = [];
  #waiting = 0;
  /** Bytes of the frame under way with its length; 0 while the length is not known. */
  #wanted = 0;

  constructor(payloadBytesMax: number) {
    this.payloadBytesMax = payloadBytesMax;
  }

  /** Whether bytes of an unfinished frame wait. */
  get isInsideFrame(): boolean {
    return this.#waiting > 0;
  }

  /** The first bytes that wait; all of the next length when that has come. */
  get head(): Buffer {
    return this.#chunks[0] ?? Buffer.alloc(0);
  }

  /** Takes what arrived. */
  push(chunk: Buffer): void {
    this.#chunks.push(chunk);
    this.#waiting += chunk.length;
  }

  /**
   * The payload of the next whole frame.
   *
   * @returns undefined when it has not arrived yet
   * @throws PeerFault `oversize` for a length above {@link payloadBytesMax}, `malformed` for an empty frame
   */
  next(): Buffer | undefined {
    if (this.#wanted === 0) {
      if (this.#waiting < LENGTH_BYTES) return undefined;
      this.#wanted = LENGTH_BYTES + this.#checked(this.#joined(LENGTH_BYTES).readUInt32BE());
    }
    if (this.#waiting < this.#wanted) return undefined;
    const bytes = this.#joined(this.#wanted);
    const payload = bytes.subarray(LENGTH_BYTES, this.#wanted);
    const rest = bytes.subarray(this.#wanted);
    if (rest.length > 0) this.#chunks[0] = rest;
    else this.#chunks.shift();
    this.#waiting -= this.#wanted;
    this.#wanted = 0;
    return payload;
  }

  #checked(length: number): number {
    if (length === 0) throw new PeerFault('malformed', 'an empty frame');
    if (length <= this.payloadBytesMax) return length;
    throw new PeerFault('oversize', `${length} bytes, allowed are ${this.payloadBytesMax}`);
  }

  /** Makes the first chunk at least `length` long: a frame in many pieces is joined once, when it is whole. */
  #joined(length: number): Buffer {
    const first = this.#chunks[0] as Buffer;
    if (first.length >= length) return first;
    const all = Buffer.concat(this.#chunks, this.#waiting);
    this.#chunks = [all];
    return all;
  }
}
