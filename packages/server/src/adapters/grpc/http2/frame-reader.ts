// Cuts received bytes into frames. Frames that came whole are read where they lie; only a frame that is cut is copied.
// Source: RFC 9113 sections 3.4 and 4.1.

import { FRAME_HEAD_BYTES, FRAME_PAYLOAD_BYTES, type FrameHead, readUint32, UINT31_MAX } from './frame.js';
import { Http2Error } from './http2-error.js';

const PREFACE = Buffer.from('PRI * HTTP/2.0\r\n\r\nSM\r\n\r\n', 'latin1');
const NO_BYTES = new Uint8Array(0);

/** Takes a frame; its payload is only lent. @returns whether reading goes on */
export type FrameTaker = (head: FrameHead, payload: Uint8Array) => boolean;

/** Reader of one connection. Holds at most one incomplete frame. */
export class FrameReader {
  readonly #take: FrameTaker;
  #preface = 0;
  #rest = NO_BYTES;
  #restBytes = 0;

  constructor(take: FrameTaker) {
    this.#take = take;
  }

  /**
   * Takes bytes and gives the frames that they complete.
   *
   * @throws Http2Error for a wrong preface, for a frame that is too long, and what the taker throws
   */
  push(chunk: Uint8Array): void {
    let bytes = this.#preface < PREFACE.length ? this.#readPreface(chunk) : chunk;
    if (this.#restBytes > 0) bytes = this.#completeRest(bytes);
    let at = 0;
    for (;;) {
      const next = this.#readFrame(bytes, at);
      if (next === at) break;
      at = next;
    }
    if (at >= 0 && at < bytes.length) this.#keep(bytes.subarray(at));
  }

  /** @returns what stands behind the preface */
  #readPreface(chunk: Uint8Array): Uint8Array {
    let at = 0;
    for (; at < chunk.length && this.#preface < PREFACE.length; at++, this.#preface++)
      if (chunk[at] !== PREFACE[this.#preface])
        throw new Http2Error('PROTOCOL_ERROR', 'Connection begins with something else than the HTTP/2 preface');
    return chunk.subarray(at);
  }

  /** @returns where the next frame begins: `at` itself when this one is not complete, -1 when reading ends */
  #readFrame(bytes: Uint8Array, at: number): number {
    if (at < 0 || bytes.length - at < FRAME_HEAD_BYTES) return at;
    const length = lengthAt(bytes, at);
    const end = at + FRAME_HEAD_BYTES + length;
    if (end > bytes.length) return at;
    const head = {
      type: bytes[at + 3] as number,
      flags: bytes[at + 4] as number,
      streamId: readUint32(bytes, at + 5) & UINT31_MAX,
      length,
    };
    return this.#take(head, bytes.subarray(at + FRAME_HEAD_BYTES, end)) ? end : -1;
  }

  /** Fills up the frame that is cut. @returns the bytes behind it; nothing while it is still not complete */
  #completeRest(bytes: Uint8Array): Uint8Array {
    let at = this.#fill(bytes, 0, FRAME_HEAD_BYTES);
    if (this.#restBytes < FRAME_HEAD_BYTES) return NO_BYTES;
    const frameBytes = FRAME_HEAD_BYTES + lengthAt(this.#rest, 0);
    at = this.#fill(bytes, at, frameBytes);
    if (this.#restBytes < frameBytes) return NO_BYTES;
    const rest = this.#rest.subarray(0, frameBytes);
    this.#rest = NO_BYTES;
    this.#restBytes = 0;
    return this.#readFrame(rest, 0) === -1 ? NO_BYTES : bytes.subarray(at);
  }

  /** Copies bytes until the cut frame has that many. @returns where copying ended */
  #fill(bytes: Uint8Array, from: number, wanted: number): number {
    const end = Math.min(bytes.length, from + Math.max(0, wanted - this.#restBytes));
    this.#keep(bytes.subarray(from, end));
    return end;
  }

  /** Room doubles, so that a frame that comes byte by byte is not copied each time. */
  #keep(bytes: Uint8Array): void {
    const length = this.#restBytes + bytes.length;
    if (length > this.#rest.length) {
      const larger = new Uint8Array(Math.max(length, this.#rest.length * 2, 64));
      larger.set(this.#rest.subarray(0, this.#restBytes));
      this.#rest = larger;
    }
    this.#rest.set(bytes, this.#restBytes);
    this.#restBytes = length;
    // A length that is refused is refused before the payload is waited for.
    if (length >= FRAME_HEAD_BYTES) lengthAt(this.#rest, 0);
  }
}

function lengthAt(bytes: Uint8Array, at: number): number {
  const length = ((bytes[at] as number) << 16) | ((bytes[at + 1] as number) << 8) | (bytes[at + 2] as number);
  if (length > FRAME_PAYLOAD_BYTES)
    throw new Http2Error('FRAME_SIZE_ERROR', `Frame has ${length} bytes, allowed are ${FRAME_PAYLOAD_BYTES}`);
  return length;
}
