import { describe, expect, it } from 'vitest';
import { SeededRandom } from './seeded-random.js';

const drawn = (random: SeededRandom) => Array.from({ length: 20 }, () => random.integer(0, 1_000_000));

describe('seeded randomness', () => {
  it('depends on seed and name alone', () => {
    expect(drawn(new SeededRandom(7, 'a'))).toEqual(drawn(new SeededRandom(7, 'a')));
    expect(drawn(new SeededRandom(7, 'a'))).not.toEqual(drawn(new SeededRandom(8, 'a')));
    expect(drawn(new SeededRandom(7, 'a'))).not.toEqual(drawn(new SeededRandom(7, 'b')));
    const used = new SeededRandom(7, 'a');
    drawn(used);
    expect(drawn(used.fork('b'))).toEqual(drawn(new SeededRandom(7, 'b')));
  });

  it('reaches both ends of a range about equally often', () => {
    const random = new SeededRandom(3, 'range');
    const counts = [0, 0, 0, 0];
    for (let draw = 0; draw < 4000; draw += 1) counts[random.integer(0, 3)] = (counts[random.integer(0, 3)] ?? 0) + 1;
    for (const count of counts) expect(count).toBeGreaterThan(100);
  });

  it('keeps what it shuffles', () => {
    const list = [1, 2, 3, 4, 5, 6, 7, 8];
    expect(new SeededRandom(1, 'shuffle').shuffled(list).sort((a, b) => a - b)).toEqual(list);
  });
});
