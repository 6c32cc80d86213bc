import { expect, test } from 'vitest';
import { isBlank, javaSplit, javaTrim } from './java-text.js';

test.each([
  ['abc', 'abc'],
  [' abc ', 'abc'],
  ['\u0000\t a b \r\n', 'a b'],
  ['\u00a0x\u00a0', '\u00a0x\u00a0'],
  ['   ', ''],
  ['', ''],
])('javaTrim(%j) is %j', (text, trimmed) => {
  expect(javaTrim(text)).toBe(trimmed);
});

test.each([
  ['', true],
  [' \t\r\n', true],
  ['\u3000', true],
  ['x', false],
  ['  x', false],
])('isBlank(%j) is %s', (text, blank) => {
  expect(isBlank(text)).toBe(blank);
});

test.each([
  ['a,b', ['a', 'b']],
  ['a,', ['a']],
  [',a', ['', 'a']],
  ['a,,b', ['a', '', 'b']],
  [',', []],
  ['', ['']],
  ['a', ['a']],
])('javaSplit(%j) is %j', (text, parts) => {
  expect(javaSplit(text, ',')).toEqual(parts);
});
