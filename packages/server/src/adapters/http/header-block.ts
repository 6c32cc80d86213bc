// The headers of a request as they were received, from the first header to the empty line. Clients send the same block with
// every request, so a connection keeps the last one: a comparison of bytes then replaces reading it again.

import { headerIn, type RequestHead } from './request-head.js';

/** Larger blocks are not kept. */
const KEPT_BYTES = 2048;

/** Headers that were read and found complete. */
export class HeaderBlock {
  /** Bytes of the body that they announce. */
  readonly contentLength: number;
  /** Whether there is an `Origin`. */
  readonly fromOrigin: boolean;
  /** Number of bytes, empty line included. */
  readonly length: number;
  readonly #bytes: Buffer;
  readonly #start: number;
  /** Values that were asked for, since the same handler asks for the same ones every time. */
  #values: Map<string, string | undefined> | undefined;

  private constructor(bytes: Buffer, start: number, head: RequestHead) {
    this.#bytes = bytes;
    this.#start = start;
    this.length = head.bodyStart - head.headersStart;
    this.contentLength = head.contentLength;
    this.fromOrigin = head.fromOrigin;
  }

  /** The block inside the bytes received, valid as long as they are. */
  static within(bytes: Buffer, head: RequestHead): HeaderBlock {
    return new HeaderBlock(bytes, head.headersStart, head);
  }

  /** A copy to be kept; undefined when the block is too large for that. */
  static copied(bytes: Buffer, head: RequestHead): HeaderBlock | undefined {
    if (head.bodyStart - head.headersStart > KEPT_BYTES) return undefined;
    return new HeaderBlock(Buffer.from(bytes.subarray(head.headersStart, head.bodyStart)), 0, head);
  }

  /** Whether the same block stands at a place of other bytes. */
  standsAt(bytes: Buffer, start: number): boolean {
    const end = start + this.length;
    if (end > bytes.length) return false;
    return this.#bytes.compare(bytes, start, end, this.#start, this.#start + this.length) === 0;
  }

  /** Value of a header, several joined with `, `. @param name - lower case */
  header(name: string): string | undefined {
    this.#values ??= new Map();
    const known = this.#values.get(name);
    if (known !== undefined || this.#values.has(name)) return known;
    const value = headerIn(this.#bytes, this.#start, this.#start + this.length, name);
    this.#values.set(name, value);
    return value;
  }
}
