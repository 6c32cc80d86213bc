import fc from 'fast-check';
import { expect, test } from 'vitest';
import { checkedLine, checkedText } from './checked-line.js';

test('the line is the checksum, the text and a line feed', () => {
  // The check value of CRC-32 (ISO-HDLC) for "123456789" is cbf43926.
  expect(checkedLine('123456789').toString()).toBe('cbf43926 123456789\n');
  expect(checkedText(Buffer.from('cbf43926 123456789'))).toBe('123456789');
});

test('every text comes back', () => {
  fc.assert(
    fc.property(fc.string({ unit: 'grapheme' }), (text) => {
      expect(checkedText(checkedLine(text))).toBe(text);
    }),
  );
});

test('a line cut anywhere but at its line feed, or with any bit changed, is damaged', () => {
  const line = checkedLine('{"weight":1,"名":2}');
  for (let length = 0; length < line.length - 1; length++) {
    expect(checkedText(line.subarray(0, length))).toBeUndefined();
  }
  for (let bit = 0; bit < (line.length - 1) * 8; bit++) {
    const flipped = Buffer.from(line);
    flipped[bit >> 3] = (flipped[bit >> 3] ?? 0) ^ (1 << (bit & 7));
    expect(checkedText(flipped)).toBeUndefined();
  }
});
