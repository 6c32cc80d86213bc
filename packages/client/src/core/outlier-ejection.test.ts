import { ManualClock } from '@rollcall/runtime/testing';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { OutlierEjection } from './outlier-ejection.js';

describe('an instance whose calls fail', () => {
  const clock = new ManualClock();
  const fail = (ejection: OutlierEjection, times: number, address = 'a', usable = 10) =>
    Array.from({ length: times }, () => ejection.failed('s', address, usable, clock.now())).at(-1);

  it('five times in a row is left out, longer each time, at most five minutes', () => {
    const ejection = new OutlierEjection();
    expect(fail(ejection, 4)).toBeUndefined();
    const times: (number | undefined)[] = [];
    for (let i = 0; i < 12; i++) {
      times.push(fail(ejection, i === 0 ? 1 : 5));
      expect(ejection.isEjected('s', 'a', clock.now())).toBe(true);
      clock.advance((times.at(-1) ?? 0) - 1);
      expect(ejection.isEjected('s', 'a', clock.now())).toBe(true);
      clock.advance(1);
      expect(ejection.isEjected('s', 'a', clock.now())).toBe(false);
    }
    expect(times.slice(0, 3)).toEqual([30_000, 60_000, 90_000]);
    expect(times.at(-1)).toBe(300_000);
  });

  it('with a success between starts anew', () => {
    const ejection = new OutlierEjection();
    fail(ejection, 4);
    ejection.succeeded('s', 'a');
    expect(fail(ejection, 4)).toBeUndefined();
    expect(ejection.size).toBe(1);
  });

  it('is forgotten when ten thousand others came after it', () => {
    const ejection = new OutlierEjection();
    for (let i = 0; i < 10_050; i++) ejection.failed(`s${i % 7}`, `a${i}`, 10, clock.now());
    expect(ejection.size).toBe(10_000);
  });
});

it('never more than the share, never the last one, whatever fails', () => {
  const clock = new ManualClock();
  fc.assert(
    fc.property(
      fc.integer({ min: 1, max: 8 }),
      fc.double({ min: 0.1, max: 0.99, noNaN: true }),
      fc.array(fc.nat(7), { maxLength: 100 }),
      (usable, ejectedShareMax, calls) => {
        const ejection = new OutlierEjection({ failures: 2, ejectedShareMax });
        for (const call of calls) ejection.failed('s', `a${call % usable}`, usable, clock.now());
        const ejected = Array.from({ length: usable }, (_, i) => ejection.isEjected('s', `a${i}`, clock.now()));
        const count = ejected.filter(Boolean).length;
        expect(count).toBeLessThan(usable);
        expect(count).toBeLessThanOrEqual(usable * ejectedShareMax);
      },
    ),
  );
});
