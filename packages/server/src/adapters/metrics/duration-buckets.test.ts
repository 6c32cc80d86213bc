import { expect, it } from 'vitest';
import { DurationBuckets } from './duration-buckets.js';

it('counts each duration in every bucket that it fits into', () => {
  const buckets = new DurationBuckets();
  for (const ms of [0, 1, 1.5, 50, 10_000, 60_000]) buckets.add(ms);
  const samples = [...buckets.samples({ transport: 'udp' })];
  const count = (le: string) => samples.find(({ labels }) => labels?.le === le)?.value;
  expect(['0.001', '0.0025', '0.025', '0.05', '5', '10', '25', '+Inf'].map(count)).toEqual([2, 3, 3, 4, 4, 5, 5, 6]);
  expect(samples.at(-2)).toEqual({ suffix: '_sum', labels: { transport: 'udp' }, value: 70.0525 });
  expect(samples.at(-1)).toEqual({ suffix: '_count', labels: { transport: 'udp' }, value: 6 });
});
