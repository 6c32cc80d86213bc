// Notices that the process stood still (SIGSTOP, a frozen container, a debugger): a heartbeat of 500 ms that comes late.
// Leases must not expire for beats that could not be read meanwhile.

import type { Clock, Instant, TimerHandle, Timers } from '@rollcall/runtime';

const RHYTHM_MS = 500;
/** A beat of the rhythm may be late by this much before it counts as a pause: less is a busy moment. */
const LATE_MS = 1000;

/** Time during which nothing could be done. */
export interface Pause {
  /** Last moment at which the process is known to have worked. */
  readonly since: Instant;
  /** At least 1. */
  readonly ms: number;
}

/** The heartbeat. */
export class PauseWatch {
  readonly #clock: Clock;
  readonly #timers: Timers;
  #handle: TimerHandle | undefined;
  #dueAt = Number.POSITIVE_INFINITY;

  constructor(clock: Clock, timers: Timers) {
    this.#clock = clock;
    this.#timers = timers;
  }

  /** Starts the rhythm. @param onBeat - asks {@link findPause} */
  start(onBeat: () => void): void {
    this.#expectBeat();
    this.#handle = this.#timers.every(RHYTHM_MS, () => {
      onBeat();
      this.#expectBeat();
    });
  }

  /** Ends the rhythm. */
  stop(): void {
    this.#handle?.cancel();
    this.#dueAt = Number.POSITIVE_INFINITY;
  }

  /**
   * The pause that has just ended, if any; found once. Costs one comparison, so it is asked before every step: after a
   * pause, requests may come in before the late heartbeat does.
   *
   * @param lastStep - time of the last step: the process worked then
   */
  findPause(now: Instant, lastStep: Instant): Pause | undefined {
    if (now - this.#dueAt <= LATE_MS) return undefined;
    const since = Math.max(this.#dueAt, lastStep) as Instant;
    this.#expectBeat();
    return now > since ? { since, ms: now - since } : undefined;
  }

  #expectBeat(): void {
    this.#dueAt = this.#clock.now().mono + RHYTHM_MS;
  }
}
