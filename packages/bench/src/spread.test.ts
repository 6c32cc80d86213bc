import { describe, expect, it } from 'vitest';
import { ratiosOf, spreadOf } from './spread.js';

describe('spreadOf', () => {
  it.each([
    { values: [7], spread: { median: 7, min: 7, max: 7 } },
    { values: [3, 1, 2], spread: { median: 2, min: 1, max: 3 } },
    { values: [4, 1, 3, 2], spread: { median: 2.5, min: 1, max: 4 } },
    { values: [100, 9, 11], spread: { median: 11, min: 9, max: 100 } },
  ])('of $values', ({ values, spread }) => {
    expect(spreadOf(values)).toEqual(spread);
  });

  it('refuses no values', () => {
    expect(() => spreadOf([])).toThrow('found no value');
  });
});

describe('ratiosOf', () => {
  it('compares round by round and leaves out rounds without a counterpart', () => {
    expect(ratiosOf([10, 20, 30], [5, 40])).toEqual([2, 0.5]);
    expect(ratiosOf([10, 20], [0, 10])).toEqual([2]);
  });
});
