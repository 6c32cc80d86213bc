// The headers of a request as they were received, from the first header to the empty line. Clients send the same block with
// every request, or one that differs in a single value (Java clients: `RequestId`), so a connection keeps the last one and
// compares bytes instead of reading them again.

import { headerIn, headerLineAt, headerValue, isHeaderValue, type RequestHead } from './request-head.js';

/** Larger blocks are not kept. */
const KEPT_BYTES = 2048;

/** The value that changes from request to request. */
interface VaryingValue {
  readonly name: string;
  readonly start: number;
  readonly end: number;
}

/** Headers that were read and found complete. */
export class HeaderBlock {
  /** Bytes of the body that they announce. */
  readonly contentLength: number;
  /** Whether there is an `Origin`. */
  readonly fromOrigin: boolean;
  /** Number of bytes, empty line included. */
  readonly length: number;
  /** A copy, or undefined when the block is not kept. */
  readonly #kept: Buffer | undefined;
  /** Where the only `Content-Type` value is, from the beginning of the block; see `RequestHead.typeStart`. */
  readonly #typeStart: number;
  readonly #typeEnd: number;
  #varying: VaryingValue | undefined;
  /** Values that were asked for, since the same handler asks for the same ones every time. */
  #values: Map<string, string | undefined> | undefined;

  private constructor(head: RequestHead, kept: Buffer | undefined) {
    this.length = head.bodyStart - head.headersStart;
    this.contentLength = head.contentLength;
    this.fromOrigin = head.fromOrigin;
    this.#kept = kept;
    this.#typeStart = head.typeStart - head.headersStart;
    this.#typeEnd = head.typeEnd - head.headersStart;
  }

  /** The block just read, for one request. */
  static once(head: RequestHead): HeaderBlock {
    return new HeaderBlock(head, undefined);
  }

  /** A copy of the block just read; undefined when it is too large to be kept. */
  static copied(bytes: Buffer, head: RequestHead): HeaderBlock | undefined {
    if (head.bodyStart - head.headersStart > KEPT_BYTES) return undefined;
    return new HeaderBlock(head, Buffer.from(bytes.subarray(head.headersStart, head.bodyStart)));
  }

  /** Whether this kept block stands at a place of other bytes, but for the varying value. */
  standsAt(bytes: Buffer, start: number): boolean {
    const end = start + this.length;
    if (end > bytes.length) return false;
    const varying = this.#varying;
    if (varying === undefined) return this.#equals(bytes, start, 0, this.length);
    return (
      this.#equals(bytes, start, 0, varying.start) &&
      this.#equals(bytes, start, varying.end, this.length) &&
      isHeaderValue(bytes, start + varying.start, start + varying.end)
    );
  }

  /**
   * Learns from a block that was read and found complete which value varies.
   *
   * @returns whether the block differs from this one in that value alone
   */
  learn(bytes: Buffer, head: RequestHead): boolean {
    const kept = this.#kept;
    const start = head.headersStart;
    if (kept === undefined || this.#varying !== undefined || head.bodyStart - start !== this.length) return false;
    let position = 0;
    while (position < this.length && kept[position] === bytes[start + position]) position++;
    const line = headerLineAt(kept, position);
    if (line === undefined || !line.plain || position < line.valueStart) return false;
    this.#varying = { name: line.name, start: line.valueStart, end: line.valueEnd };
    if (this.standsAt(bytes, start)) {
      this.#values?.delete(line.name);
      return true;
    }
    this.#varying = undefined;
    return false;
  }

  /**
   * Value of a header, several joined with `, `.
   *
   * @param bytes - where the block stands, from `start`
   * @param name - lower case
   */
  header(bytes: Buffer, start: number, name: string): string | undefined {
    if (this.#kept === undefined || name === this.#varying?.name) {
      // Every request with a body asks for its type, to know whether it is a form.
      if (name === 'content-type' && this.#typeStart >= 0) {
        return headerValue(bytes, start + this.#typeStart, start + this.#typeEnd);
      }
      return headerIn(bytes, start, start + this.length, name);
    }
    this.#values ??= new Map();
    const known = this.#values.get(name);
    if (known !== undefined || this.#values.has(name)) return known;
    const value = headerIn(this.#kept, 0, this.length, name);
    this.#values.set(name, value);
    return value;
  }

  #equals(bytes: Buffer, start: number, from: number, to: number): boolean {
    return this.#kept?.compare(bytes, start + from, start + to, from, to) === 0;
  }
}
