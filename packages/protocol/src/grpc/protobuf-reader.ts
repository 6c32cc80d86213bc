// The little of the protobuf wire format that the two Nacos messages need: length-delimited fields, unknown ones skipped.
// Source: protobuf encoding specification (varints, wire types 0, 1, 2 and 5; groups are refused).

import { RegistryError } from '../registry-error.js';

/** Walks over the fields of one message. */
export class ProtobufReader {
  readonly #bytes: Uint8Array;
  readonly #end: number;
  #at: number;

  /** @param bytes - holds the message from `start` (default 0) to `end` (default its length) */
  constructor(bytes: Uint8Array, start = 0, end = bytes.length) {
    this.#bytes = bytes;
    this.#at = start;
    this.#end = end;
  }

  /**
   * Goes to the next length-delimited field, over fields of other kinds.
   *
   * @returns its number and its place, or undefined at the end
   * @throws RegistryError `malformed-request` when the bytes are no message
   */
  next(): { readonly field: number; readonly start: number; readonly end: number } | undefined {
    while (this.#at < this.#end) {
      const tag = this.#varint();
      const length = this.#lengthOf(tag & 7);
      const start = this.#at;
      if (start + length > this.#end) throw malformed(`field ${tag >>> 3} ends beyond its message`);
      this.#at = start + length;
      if ((tag & 7) === 2) return { field: tag >>> 3, start, end: start + length };
    }
    return undefined;
  }

  #lengthOf(wireType: number): number {
    switch (wireType) {
      case 0:
        this.#varint();
        return 0;
      case 1:
        return 8;
      case 2:
        return this.#varint();
      case 5:
        return 4;
      default:
        throw malformed(`wire type ${wireType} is not known`);
    }
  }

  /** Values above 32 bits lose their upper part: they only occur in fields that are skipped. */
  #varint(): number {
    let value = 0;
    for (let shift = 0; shift < 70; shift += 7) {
      if (this.#at >= this.#end) throw malformed('a number is cut off');
      const byte = this.#bytes[this.#at++] as number;
      if (shift < 32) value |= (byte & 0x7f) << shift;
      if (byte < 0x80) return value >>> 0;
    }
    throw malformed('a number has more than 10 bytes');
  }
}

function malformed(reason: string): RegistryError {
  return new RegistryError('malformed-request', `Payload is no protobuf message: ${reason}`);
}
