// Clocks as machines have them.

import type { ClockFault } from './node-clock.js';
import type { SeededRandom } from './seeded-random.js';

/** How good clocks are: speed within a crystal's error, wall clocks within what NTP gives or as asked for. */
export interface ClockBounds {
  readonly driftPpmMax: number;
  readonly offsetMsMax: number;
}

/** Machines that are looked after. */
const USUAL_CLOCKS: ClockBounds = { driftPpmMax: 50, offsetMsMax: 100 };

const START_MS_MAX = 1_000_000;

/** Clocks for some nodes. */
export function drawClocks(random: SeededRandom, count: number, bounds: ClockBounds = USUAL_CLOCKS): ClockFault[] {
  const { driftPpmMax, offsetMsMax } = bounds;
  return Array.from({ length: count }, () => ({
    startMs: random.integer(0, START_MS_MAX),
    driftPpm: random.integer(-driftPpmMax, driftPpmMax),
    offsetMs: random.integer(-offsetMsMax, offsetMsMax),
  }));
}
