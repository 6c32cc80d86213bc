import { expect, it } from 'vitest';
import { padColumns } from './column-width.js';

it.each([
  ['beat', 8, 'beat    '],
  ['心跳', 8, '心跳    '],
  ['心跳 1', 8, '心跳 1  '],
  ['心跳心跳', 4, '心跳心跳'],
])('pads %s to %i columns', (text, columns, padded) => {
  expect(padColumns(text, columns)).toBe(padded);
});
