import { describe, expect, it } from 'vitest';
import { NodeClock } from './node-clock.js';
import { SeededRandom } from './seeded-random.js';

describe('the clocks of a node', () => {
  it('show each deadline first at the time they name for it', () => {
    const random = new SeededRandom(5, 'clock');
    for (let round = 0; round < 300; round += 1) {
      const clock = new NodeClock({
        startMs: random.integer(0, 1e6),
        driftPpm: random.integer(-200, 200),
        offsetMs: 0,
      });
      const due = clock.at(random.integer(1, 300_000)).mono;
      const virtual = clock.virtualOf(due);
      expect(clock.at(virtual).mono).toBeGreaterThanOrEqual(due);
      expect(clock.at(virtual - 1).mono).toBeLessThan(due);
    }
  });

  it('jump on the wall only', () => {
    const clock = new NodeClock({ startMs: 50, driftPpm: 0, offsetMs: 100 });
    const before = clock.at(1000);
    clock.jump(-3600);
    expect(clock.at(1000)).toEqual({ mono: before.mono, wall: before.wall - 3600 });
    expect(clock.skewMs(1000)).toBe(3500);
  });
});
