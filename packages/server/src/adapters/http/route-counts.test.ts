// What is counted of a route.

import { describe, expect, it } from 'vitest';
import { RouteCounts } from './route-counts.js';

describe('answers', () => {
  it('are counted by status', () => {
    const counts = new RouteCounts();
    for (const status of [200, 200, 404, 503, 404]) counts.end(status);
    expect([counts.ok, [...counts.others], counts.answers]).toEqual([
      2,
      [
        [404, 2],
        [503, 1],
      ],
      5,
    ]);
  });
});

describe('time', () => {
  it('of the first request and of every 64th stands for those between, and never shrinks', () => {
    const counts = new RouteCounts();
    const timed: number[] = [];
    for (let n = 0; n < 130; n++) {
      if (!counts.begin()) continue;
      timed.push(n);
      counts.addTime(200, 2);
    }
    expect(timed).toEqual([0, 64, 128]);
    expect([...counts.tookMs]).toEqual([[200, 2 * (1 + 64 + 64)]]);
  });

  it('of two at once is counted once each, by status', () => {
    const counts = new RouteCounts();
    expect(counts.begin()).toBe(true);
    for (let n = 1; n < 64; n++) counts.begin();
    expect(counts.begin()).toBe(true);
    counts.addTime(200, 1);
    counts.addTime(400, 1);
    expect([...counts.tookMs]).toEqual([
      [200, 65],
      [400, 1],
    ]);
  });
});
