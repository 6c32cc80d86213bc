// What the process says of itself, on the real clock: only what must hold at any time is asserted.

import { systemClock } from '@rollcall/runtime';
import { afterEach, expect, it } from 'vitest';
import { ProcessWatch } from './process-watch.js';

let watch: ProcessWatch | undefined;

afterEach(() => watch?.stop());

function started(): ProcessWatch {
  watch = new ProcessWatch();
  watch.start(systemClock.now());
  return watch;
}

it('has no delays before the first measurement, and never negative ones', () => {
  expect(started().delays(systemClock.now())).toEqual({ p50: 0, p99: 0, max: 0 });
});

it('notices that the event loop was held up', async () => {
  const process = started();
  const turns = (count: number) => new Promise<void>((resolve) => setTimeout(resolve, count * 20));
  await turns(3);
  const end = performance.now() + 150;
  while (performance.now() < end);
  await turns(3);
  const { p50, max } = process.delays(systemClock.now());
  expect(max).toBeGreaterThan(100);
  expect(p50).toBeGreaterThanOrEqual(0);
  expect(process.loopUtilization()).toBeGreaterThan(0.1);
});

it('gives all readers of one window the same delays', () => {
  const process = started();
  const now = systemClock.now();
  const later = { ...now, mono: (now.mono + 10_000) as typeof now.mono };
  const first = process.delays(later);
  expect(process.delays(later)).toBe(first);
});

it('knows processor time, memory and threads', () => {
  const process = started();
  const { user, system } = process.cpuSeconds();
  expect(user + system).toBeGreaterThan(0);
  const { resident, heapUsed, heapLimit } = process.memory();
  expect(resident).toBeGreaterThan(heapUsed);
  expect(heapLimit).toBeGreaterThan(heapUsed);
  expect(process.threads()).toBeGreaterThanOrEqual(0);
  expect([...process.collections.keys()]).toEqual(['major', 'minor', 'incremental', 'weak-callbacks']);
});
