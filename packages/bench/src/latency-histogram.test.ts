import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { LatencyHistogram } from './latency-histogram.js';

describe('LatencyHistogram', () => {
  it('answers 0 while empty', () => {
    expect(new LatencyHistogram().quantileMs(0.5)).toBe(0);
  });

  it('gives each quantile within a bucket of the exact one', () => {
    fc.assert(
      fc.property(
        fc.array(fc.double({ min: 0.002, max: 50_000, noNaN: true }), { minLength: 1, maxLength: 200 }),
        fc.double({ min: 0, max: 1, noNaN: true }),
        (durationsMs, share) => {
          const histogram = new LatencyHistogram();
          for (const durationMs of durationsMs) histogram.record(durationMs);
          const sorted = durationsMs.toSorted((a, b) => a - b);
          const exact = sorted[Math.max(Math.ceil(share * sorted.length), 1) - 1] ?? 0;
          const found = histogram.quantileMs(share);
          expect(found).toBeGreaterThanOrEqual(exact * 0.999);
          expect(found).toBeLessThanOrEqual(exact * 1.05);
        },
      ),
    );
  });

  it('keeps the longest sample exactly', () => {
    const histogram = new LatencyHistogram();
    for (const durationMs of [3, 1234.5, 7]) histogram.record(durationMs);
    expect(histogram.maxMs).toBe(1234.5);
    expect(histogram.quantileMs(1)).toBe(1234.5);
  });
});
