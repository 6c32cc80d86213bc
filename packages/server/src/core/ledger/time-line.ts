// The time line of the ledger: epoch ms that move with the monotonic clock. It starts at the wall clock, or after the last
// fact of an earlier run when the wall clock was set back since, and never goes back.

import type { Instant, Now } from '@rollcall/runtime/time';

/** A wall clock that slews moves less than this between two looks; more was set by somebody. */
const SET_MS_MIN = 100;

/** Tells the time of facts, and notices when the wall clock is set. */
export class TimeLine {
  readonly #startMono: Instant;
  #startAt: number;
  /** Wall clock minus time line, at the last look. */
  #skewMs = 0;

  /** @param start - both clocks now */
  constructor(start: Now) {
    this.#startMono = start.mono;
    this.#startAt = Math.round(start.wall);
  }

  /** Place of a monotonic time. */
  at(mono: Instant): number {
    return this.#startAt + Math.round(mono - this.#startMono);
  }

  /** By how much the wall clock was set since the last look, ms, forward when positive; 0 when it was not. */
  setBy({ mono, wall }: Now): number {
    const skewMs = Math.round(wall) - this.at(mono);
    const byMs = skewMs - this.#skewMs;
    if (Math.abs(byMs) < SET_MS_MIN) return 0;
    this.#skewMs = skewMs;
    return byMs;
  }

  /** Moves the whole line behind what an earlier run recorded; facts of this run must be moved by the result, ms. */
  followAfter(lastAt: number): number {
    const byMs = Math.max(0, lastAt + 1 - this.#startAt);
    this.#startAt += byMs;
    this.#skewMs -= byMs;
    return byMs;
  }
}
