import { describe, expect, it } from 'vitest';
import { SeededRandom } from './seeded-random.js';

const draw = (seed: number): readonly number[] => {
  const random = new SeededRandom(seed);
  return Array.from({ length: 100 }, () => random.wholeNumber(1, 6));
};

describe('SeededRandom', () => {
  it('repeats its choices for a seed, and makes others for another', () => {
    expect(draw(7)).toEqual(draw(7));
    expect(draw(7)).not.toEqual(draw(8));
  });

  it('reaches every value and no other', () => {
    expect(new Set(draw(0))).toEqual(new Set([1, 2, 3, 4, 5, 6]));
  });

  it('refuses to choose among nothing', () => {
    expect(() => new SeededRandom(1).choose([])).toThrow('found no value');
  });
});
