// A clock that moves only when a test says so.

import type { Clock, EpochMs, Instant, Now } from '../time.js';

/** Clock for tests: starts at mono 0 and a fixed wall time, moves by {@link advance} and {@link setWall} only. */
export class ManualClock implements Clock {
  #mono = 0;
  #wall: number;

  /** @param wall - wall time at the start, epoch ms; default 2026-01-01T00:00:00Z */
  constructor(wall = Date.UTC(2026, 0, 1)) {
    this.#wall = wall;
  }

  now(): Now {
    return { mono: this.#mono as Instant, wall: this.#wall as EpochMs };
  }

  /** Moves both clocks forward by `ms` (at least 0). */
  advance(ms: number): void {
    this.#mono += ms;
    this.#wall += ms;
  }

  /** Sets the wall clock alone, as a correction by NTP would. */
  setWall(epochMs: number): void {
    this.#wall = epochMs;
  }
}
