// The clocks of one machine as its process sees them: a monotonic one with a start and a speed of its own, and a wall
// clock that may be off and may jump. Both are whole milliseconds.

import type { EpochMs, Instant, Now } from '@rollcall/runtime/time';

/** Wall time at which every history begins: 2026-01-01T00:00:00Z. */
const HISTORY_STARTS_AT = Date.UTC(2026, 0, 1);

/** How a machine's clocks differ from virtual time. */
export interface ClockFault {
  /** Monotonic clock at the start of the history, ms. */
  readonly startMs: number;
  /** Speed of both clocks, parts per million faster than virtual time. Real crystals: within 200. */
  readonly driftPpm: number;
  /** Wall clock ahead of virtual time at the start, ms. */
  readonly offsetMs: number;
}

/** A machine's clocks over virtual time. */
export class NodeClock {
  readonly #fault: ClockFault;
  #jumpedMs = 0;

  constructor(fault: ClockFault) {
    this.#fault = fault;
  }

  /** Both clocks at a virtual time. */
  at(virtualMs: number): Now {
    const passed = this.#passed(virtualMs);
    return {
      mono: (this.#fault.startMs + passed) as Instant,
      wall: (HISTORY_STARTS_AT + this.#fault.offsetMs + this.#jumpedMs + passed) as EpochMs,
    };
  }

  /** The first virtual time at which the monotonic clock shows `mono`. */
  virtualOf(mono: Instant): number {
    const passed = mono - this.#fault.startMs;
    let virtualMs = Math.max(0, Math.floor(passed / this.#speed) - 1);
    while (this.#passed(virtualMs) < passed) virtualMs += 1;
    return virtualMs;
  }

  /** The wall clock is set forward, or back by a negative number. The monotonic clock is not. */
  jump(ms: number): void {
    this.#jumpedMs += ms;
  }

  /** How far the wall clock is from virtual time now, ms, without sign. */
  skewMs(virtualMs: number): number {
    return Math.abs(this.#fault.offsetMs + this.#jumpedMs + this.#passed(virtualMs) - virtualMs);
  }

  get #speed(): number {
    return 1 + this.#fault.driftPpm / 1_000_000;
  }

  #passed(virtualMs: number): number {
    return Math.floor(virtualMs * this.#speed);
  }
}
