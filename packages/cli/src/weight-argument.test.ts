// A weight as typed.

import { expect, it } from 'vitest';
import { parseWeight } from './weight-argument.js';

it.each([
  ['0', 0],
  ['0.5', 0.5],
  ['10000', 10_000],
])('reads %s', (text, weight) => {
  expect(parseWeight(text)).toBe(weight);
});

it.each(['', '-1', '10000.1', '1e3', 'NaN', 'x', ' 1'])('refuses %j', (text) => {
  expect(() => parseWeight(text)).toThrow(`"${text}"`);
});
