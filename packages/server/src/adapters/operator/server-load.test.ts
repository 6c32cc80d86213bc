import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { loadShifts, loadsJson, type ServerLoad } from './server-load.js';

const loadsOf = (...counts: readonly number[]): ServerLoad[] =>
  counts.map((connections, n) => ({ address: `10.0.0.${n + 1}:8848`, connections, load: 0.5, cpu: 0.25 }));

describe('the overview of loads', () => {
  it('sums up who answered', () => {
    expect(JSON.parse(loadsJson(loadsOf(4, 0, 3), 4))).toEqual({
      memberCount: 4,
      metricsCount: 3,
      completed: false,
      max: 4,
      min: 0,
      avg: 2,
      threshold: 2.2,
      total: 7,
      detail: loadsOf(4, 0, 3).map(({ address, connections, load, cpu }) => ({
        address,
        sdkConCount: connections,
        conCount: connections,
        load,
        cpu,
      })),
    });
  });
});

describe('evening out', () => {
  it('goes from the fullest to the emptiest, and leaves who is near the average alone', () => {
    expect(loadShifts(loadsOf(90, 10, 50, 130, 0), 0.1)).toEqual([
      { from: '10.0.0.4:8848', to: '10.0.0.5:8848', left: 62 },
      { from: '10.0.0.1:8848', to: '10.0.0.2:8848', left: 62 },
    ]);
    expect(loadShifts(loadsOf(100, 95, 105), 0.1)).toEqual([]);
    expect(loadShifts(loadsOf(5), 0.1)).toEqual([]);
    expect(loadShifts([], 0.1)).toEqual([]);
  });

  it('never asks a server below the average, names each at most once, and ends when it is done', () => {
    fc.assert(
      fc.property(
        fc.array(fc.nat(1000), { minLength: 1, maxLength: 7 }),
        fc.double({ min: 0, max: 1 }),
        (counts, factor) => {
          const loads = loadsOf(...counts);
          const average = counts.reduce((sum, count) => sum + count, 0) / counts.length;
          const shifts = loadShifts(loads, Number.isNaN(factor) ? 0 : factor);
          const named = shifts.flatMap(({ from, to }) => [from, to]);
          expect(new Set(named).size).toBe(named.length);
          for (const { from, to, left } of shifts) {
            const count = (address: string) => loads.find((load) => load.address === address)?.connections ?? 0;
            expect(count(from)).toBeGreaterThan(left);
            expect(left).toBeGreaterThanOrEqual(average);
            expect(count(to)).toBeLessThan(average);
          }
        },
      ),
    );
  });
});
