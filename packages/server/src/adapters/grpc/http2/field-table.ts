// The fields that a peer may name by index: the static ones, then those it has sent, newest first.
// Source: RFC 7541 sections 2.3, 4.

import { Http2Error } from './http2-error.js';
import { type Field, STATIC_FIELDS } from './static-fields.js';

/** What each entry counts besides its text. */
const ENTRY_BYTES = 32;

/** What a field counts in tables and lists. @returns bytes */
export function fieldBytes({ name, value }: Field): number {
  return name.length + value.length + ENTRY_BYTES;
}

/** The table of one direction of a connection. */
export class FieldTable {
  readonly #allowedBytes: number;
  /** Oldest first. */
  readonly #entries: Field[] = [];
  #bytes = 0;
  #maxBytes: number;

  /** @param allowedBytes - size that the peer was allowed, and begins with */
  constructor(allowedBytes: number) {
    this.#allowedBytes = allowedBytes;
    this.#maxBytes = allowedBytes;
  }

  /** The field of an index. @throws Http2Error `COMPRESSION_ERROR` when there is none */
  at(index: number): Field {
    const { length } = STATIC_FIELDS;
    const field = index <= length ? STATIC_FIELDS[index - 1] : this.#entries[this.#entries.length - index + length];
    if (field !== undefined) return field;
    throw new Http2Error('COMPRESSION_ERROR', `Header index ${index} names nothing`);
  }

  /** Adds a field; older ones make room, and one that is larger than the table only empties it. */
  add(field: Field): void {
    const bytes = fieldBytes(field);
    this.#shrinkTo(this.#maxBytes - bytes);
    if (bytes > this.#maxBytes) return;
    this.#entries.push(field);
    this.#bytes += bytes;
  }

  /** The peer uses less of the table, or more again. @throws Http2Error `COMPRESSION_ERROR` when more than it was allowed */
  resize(maxBytes: number): void {
    if (maxBytes > this.#allowedBytes)
      throw new Http2Error('COMPRESSION_ERROR', `Header table of ${maxBytes} bytes, allowed are ${this.#allowedBytes}`);
    this.#maxBytes = maxBytes;
    this.#shrinkTo(maxBytes);
  }

  #shrinkTo(maxBytes: number): void {
    while (this.#bytes > maxBytes && this.#entries.length > 0)
      this.#bytes -= fieldBytes(this.#entries.shift() as Field);
  }
}
