// Durations for people.

import { expect, it } from 'vitest';
import { durationText } from './duration-text.js';

it.each([
  [-5, '0.0s'],
  [0, '0.0s'],
  [449, '0.4s'],
  [9_999, '10.0s'],
  [10_000, '10s'],
  [59_999, '59s'],
  [60_000, '1m'],
  [61_000, '1m 1s'],
  [3_600_000, '1h'],
  [90_061_000, '1d 1h'],
])('prints %i ms as %s', (ms, text) => {
  expect(durationText(ms)).toBe(text);
});
