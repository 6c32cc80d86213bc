// Puts a block of header fields together from a HEADERS frame and the CONTINUATION frames behind it, within bounds.
// Source: RFC 9113 sections 4.3 and 6.10.

import { ExcessError } from './http2-error.js';

/** Parts of one block; honest peers cut only what does not fit into a frame. */
const PARTS_MAX = 32;

/** A block whose end has not come. */
export class FieldBlockAssembly {
  readonly streamId: number;
  readonly endsStream: boolean;
  readonly #blockBytesMax: number;
  readonly #parts: Uint8Array[] = [];
  #bytes = 0;

  constructor(options: { readonly streamId: number; readonly endsStream: boolean; readonly blockBytesMax: number }) {
    this.streamId = options.streamId;
    this.endsStream = options.endsStream;
    this.#blockBytesMax = options.blockBytesMax;
  }

  /** Takes a part. @throws ExcessError when there is too much of it */
  add(part: Uint8Array): void {
    this.#bytes += part.length;
    this.#parts.push(part);
    if (this.#bytes > this.#blockBytesMax)
      throw new ExcessError('headers-too-large', `Headers have more than the allowed ${this.#blockBytesMax} bytes`);
    if (this.#parts.length > PARTS_MAX)
      throw new ExcessError('headers-too-large', `Headers come in more than the allowed ${PARTS_MAX} parts`);
  }

  /** The whole block. */
  block(): Uint8Array {
    return this.#parts.length === 1 ? (this.#parts[0] as Uint8Array) : Buffer.concat(this.#parts);
  }
}
