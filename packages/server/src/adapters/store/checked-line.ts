// Text with its checksum in front, as one line: `xxxxxxxx text\n`. The form of everything we write to disk, so that
// damage is found where it is, and everything else is still read. The text itself must not contain a line feed.

import { crc32 } from 'node:zlib';

/** Eight hexadecimal digits of CRC-32 and a space. */
const PREFIX_BYTES = 9;
const LINE_FEED = 0x0a;
const SPACE = 0x20;

/** The line for a text (JSON has no line feed), ready to be written. */
export function checkedLine(text: string): Buffer {
  const textBytes = Buffer.byteLength(text);
  const line = Buffer.allocUnsafe(PREFIX_BYTES + textBytes + 1);
  line.write(text, PREFIX_BYTES, 'utf8');
  line.write(checksum(line.subarray(PREFIX_BYTES, PREFIX_BYTES + textBytes)), 0, 'latin1');
  line[PREFIX_BYTES - 1] = SPACE;
  line[PREFIX_BYTES + textBytes] = LINE_FEED;
  return line;
}

/**
 * The text of a line, with or without its line feed.
 *
 * @returns undefined when the line is not exactly what {@link checkedLine} made
 */
export function checkedText(line: Buffer): string | undefined {
  const end = line[line.length - 1] === LINE_FEED ? line.length - 1 : line.length;
  if (end < PREFIX_BYTES || line[PREFIX_BYTES - 1] !== SPACE) return undefined;
  const text = line.subarray(PREFIX_BYTES, end);
  return line.toString('latin1', 0, PREFIX_BYTES - 1) === checksum(text) ? text.toString('utf8') : undefined;
}

function checksum(bytes: Uint8Array): string {
  return crc32(bytes).toString(16).padStart(8, '0');
}
