// The real clocks of the process.

import { performance } from 'node:perf_hooks';
import type { Clock, EpochMs, Instant, Now } from '../time.js';

/** Clock that reads the process' monotonic clock (whole ms) and the system's wall clock. */
export const systemClock: Clock = {
  now(): Now {
    return { mono: Math.floor(performance.now()) as Instant, wall: Date.now() as EpochMs };
  },
};
