// The headers of a request as they were received, from the first header to the empty line. Clients send the same block with
// every request, or one that differs in a single value (Java clients: `RequestId`) and in the length of the body, so a connection
// keeps the last one and compares bytes instead of reading them again.

import {
  FAST_BODY_BYTES,
  headerIn,
  headerLineAt,
  headerValue,
  isHeaderValue,
  plainLength,
  type RequestHead,
} from './request-head.js';

/** Larger blocks are not kept. */
const KEPT_BYTES = 2048;
/** Up to this many bytes a loop is faster than a call into Node. */
const SHORT_BYTES = 16;

/** The value that changes from request to request. */
interface VaryingValue {
  readonly name: string;
  readonly start: number;
  readonly end: number;
}

/** Headers that were read and found complete. */
export class HeaderBlock {
  /** Whether there is an `Origin`. */
  readonly fromOrigin: boolean;
  /** Number of bytes, empty line included. */
  readonly length: number;
  /** A copy, or undefined when the block is not kept. */
  readonly #kept: Buffer | undefined;
  /** Where the digits of the `Content-Length` are, from the beginning of the block; -1 when there is none. */
  readonly #lengthStart: number;
  readonly #lengthEnd: number;
  /** Where the only `Content-Type` value is, from the beginning of the block; see `RequestHead.typeStart`. */
  readonly #typeStart: number;
  readonly #typeEnd: number;
  #varying: VaryingValue | undefined;
  /** Begin and end of all ranges that must be the same: everything but the varying value and the length. */
  #fixed: readonly number[];
  /** Values that were asked for, since the same handler asks for the same ones every time. */
  #values: Map<string, string | undefined> | undefined;

  private constructor(head: RequestHead, kept: Buffer | undefined) {
    this.length = head.bodyStart - head.headersStart;
    this.fromOrigin = head.fromOrigin;
    this.#kept = kept;
    this.#lengthStart = head.lengthStart < 0 ? -1 : head.lengthStart - head.headersStart;
    this.#lengthEnd = head.lengthEnd - head.headersStart;
    this.#typeStart = head.typeStart - head.headersStart;
    this.#typeEnd = head.typeEnd - head.headersStart;
    this.#fixed = this.#fixedRanges();
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

  /** Whether this kept block stands at a place of other bytes, but for the varying value and the length of the body. */
  standsAt(bytes: Buffer, start: number): boolean {
    if (start + this.length > bytes.length) return false;
    const fixed = this.#fixed;
    for (let i = 0; i < fixed.length; i += 2) {
      if (!this.#equals(bytes, start, fixed[i] as number, fixed[i + 1] as number)) return false;
    }
    const varying = this.#varying;
    if (varying !== undefined && !isHeaderValue(bytes, start + varying.start, start + varying.end)) return false;
    if (this.#lengthStart < 0) return true;
    const length = plainLength(bytes, start + this.#lengthStart, start + this.#lengthEnd);
    return length !== undefined && length <= FAST_BODY_BYTES;
  }

  /** Bytes of the body that the block announces where it stands. */
  contentLengthAt(bytes: Buffer, start: number): number {
    if (this.#lengthStart < 0) return 0;
    return plainLength(bytes, start + this.#lengthStart, start + this.#lengthEnd) as number;
  }

  /**
   * Learns from a block that was read and found complete which value varies.
   *
   * @returns whether the block differs from this one in that value, and perhaps in the length of the body, alone
   */
  learn(bytes: Buffer, head: RequestHead): boolean {
    const start = head.headersStart;
    if (this.#varying !== undefined || head.bodyStart - start !== this.length) return false;
    const varying = this.#firstDifference(bytes, start);
    if (varying === undefined) return false;
    this.#varying = varying;
    this.#fixed = this.#fixedRanges();
    if (this.standsAt(bytes, start)) {
      this.#values?.delete(varying.name);
      return true;
    }
    this.#varying = undefined;
    this.#fixed = this.#fixedRanges();
    return false;
  }

  #firstDifference(bytes: Buffer, start: number): VaryingValue | undefined {
    const kept = this.#kept;
    if (kept === undefined) return undefined;
    const isSame = (at: number) =>
      kept[at] === bytes[start + at] || (at >= this.#lengthStart && at < this.#lengthEnd && this.#lengthStart >= 0);
    let position = 0;
    while (position < this.length && isSame(position)) position++;
    const line = headerLineAt(kept, position);
    if (line === undefined || !line.plain || position < line.valueStart) return undefined;
    return { name: line.name, start: line.valueStart, end: line.valueEnd };
  }

  #fixedRanges(): readonly number[] {
    const gaps: { readonly start: number; readonly end: number }[] = [];
    if (this.#varying !== undefined) gaps.push(this.#varying);
    if (this.#lengthStart >= 0) gaps.push({ start: this.#lengthStart, end: this.#lengthEnd });
    gaps.sort((a, b) => a.start - b.start);
    return [0, ...gaps.flatMap(({ start, end }) => [start, end]), this.length];
  }

  /**
   * Value of a header, several joined with `, `.
   *
   * @param bytes - where the block stands, from `start`
   * @param name - lower case
   */
  header(bytes: Buffer, start: number, name: string): string | undefined {
    if (this.#kept === undefined || name === this.#varying?.name || name === 'content-length') {
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
    const kept = this.#kept as Buffer;
    if (to - from > SHORT_BYTES) return kept.compare(bytes, start + from, start + to, from, to) === 0;
    for (let i = from; i < to; i++) {
      if (kept[i] !== bytes[start + i]) return false;
    }
    return true;
  }
}
