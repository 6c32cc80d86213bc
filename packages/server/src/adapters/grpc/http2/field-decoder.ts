// Decodes blocks of header fields. Blocks of one connection are decoded in the order they came, whatever becomes of their
// streams, because each may change the table that the next refers to.
// Source: RFC 7541 sections 5 and 6.

import { FieldTable } from './field-table.js';
import { Http2Error } from './http2-error.js';
import { decodeHuffman } from './huffman-decoder.js';
import type { Field } from './static-fields.js';

/** Size of the table that HTTP/2 peers begin with; ours is never announced to be another. */
const TABLE_BYTES = 4096;
/** More than any block can need; keeps numbers exact. */
const INTEGER_MAX = 2 ** 28;

/** Decoder of one connection. */
export class FieldDecoder {
  readonly #table = new FieldTable(TABLE_BYTES);
  #bytes: Uint8Array = new Uint8Array(0);
  #at = 0;
  #end = 0;
  #changes = 0;

  /** How often the table has changed: blocks between two changes mean the same when they are the same. */
  get tableChanges(): number {
    return this.#changes;
  }

  /**
   * Decodes a block.
   *
   * @param block - all of it
   * @param take - gets the fields in their order
   * @throws Http2Error `COMPRESSION_ERROR` when it cannot be decoded, and what `take` throws
   */
  decode(block: Uint8Array, take: (field: Field) => void): void {
    this.#bytes = block;
    this.#at = 0;
    this.#end = block.length;
    for (let fields = 0; this.#at < this.#end; ) {
      const byte = block[this.#at] as number;
      if (byte >= 0x20 && byte < 0x40) {
        if (fields > 0) throw wrong('has a change of the table size behind fields');
        this.#changes += 1;
        this.#table.resize(this.#integer(0x1f));
      } else {
        fields += 1;
        take(this.#field(byte));
      }
    }
    this.#bytes = NO_BYTES;
  }

  #field(byte: number): Field {
    if (byte >= 0x80) return this.#table.at(this.#integer(0x7f));
    if (byte < 0x40) return this.#literal(0x0f);
    const field = this.#literal(0x3f);
    this.#changes += 1;
    this.#table.add(field);
    return field;
  }

  #literal(prefix: number): Field {
    const index = this.#integer(prefix);
    const name = index === 0 ? this.#string() : this.#table.at(index).name;
    return { name, value: this.#string() };
  }

  #string(): string {
    const isHuffman = ((this.#bytes[this.#at] as number) & 0x80) !== 0;
    const length = this.#integer(0x7f);
    const start = this.#at;
    const end = start + length;
    if (end > this.#end) throw wrong('ends in the middle of a string');
    this.#at = end;
    return isHuffman ? decodeHuffman(this.#bytes, start, end) : latin1(this.#bytes, start, end);
  }

  /** @param prefix - the bits of the first byte that belong to the number, all set */
  #integer(prefix: number): number {
    if (this.#at >= this.#end) throw wrong('ends before a number');
    let value = (this.#bytes[this.#at++] as number) & prefix;
    if (value < prefix) return value;
    for (let factor = 1; ; factor *= 128) {
      if (this.#at >= this.#end) throw wrong('ends in the middle of a number');
      const byte = this.#bytes[this.#at++] as number;
      value += (byte & 0x7f) * factor;
      if (value > INTEGER_MAX || factor > INTEGER_MAX) throw wrong('has a number without end');
      if (byte < 0x80) return value;
    }
  }
}

const NO_BYTES = new Uint8Array(0);

function latin1(bytes: Uint8Array, start: number, end: number): string {
  return Buffer.from(bytes.buffer, bytes.byteOffset + start, end - start).toString('latin1');
}

function wrong(what: string): Http2Error {
  return new Http2Error('COMPRESSION_ERROR', `A header block ${what}`);
}
