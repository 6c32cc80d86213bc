import { expect, it } from 'vitest';
import { parseTime } from './time-argument.js';

it.each([
  ['90s', 910_000],
  ['2h', 1_000_000 - 7_200_000],
  ['1764500000000', 1_764_500_000_000],
  ['2026-01-31T10:00:00Z', Date.UTC(2026, 0, 31, 10)],
])('reads "%s"', (text, at) => {
  expect(parseTime(text, 1_000_000)).toBe(at);
});

it.each(['', 'yesterday', '5 minutes', '12'])('refuses "%s"', (text) => {
  expect(() => parseTime(text)).toThrow('Cannot read the time');
});
