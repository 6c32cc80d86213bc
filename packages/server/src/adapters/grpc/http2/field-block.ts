// Writes blocks of header fields in plain literals: they change no table, so one block can be sent on any connection.
// Source: RFC 7541 section 6.2.2.

import { type Field, STATIC_FIELDS } from './static-fields.js';

/** Writes a block. Names are in lower case. */
export function fieldBlock(fields: readonly Field[]): Uint8Array {
  const bytes: number[] = [];
  for (const field of fields) {
    const known = STATIC_FIELDS.findIndex(({ name, value }) => name === field.name && value === field.value);
    if (known >= 0) {
      bytes.push(0x80 | (known + 1));
      continue;
    }
    const name = STATIC_FIELDS.findIndex((other) => other.name === field.name) + 1;
    pushInteger(bytes, name, 0x0f);
    if (name === 0) pushText(bytes, field.name);
    pushText(bytes, field.value);
  }
  return Uint8Array.from(bytes);
}

function pushText(bytes: number[], text: string): void {
  const encoded = Buffer.from(text, 'latin1');
  pushInteger(bytes, encoded.length, 0x7f);
  bytes.push(...encoded);
}

function pushInteger(bytes: number[], value: number, prefix: number): void {
  if (value < prefix) {
    bytes.push(value);
    return;
  }
  bytes.push(prefix);
  let rest = value - prefix;
  for (; rest > 0x7f; rest >>>= 7) bytes.push((rest & 0x7f) | 0x80);
  bytes.push(rest);
}
