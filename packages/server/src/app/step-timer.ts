// The single timer of the server: armed for the core's next deadline, never acting early, and moved only when something
// is due sooner. Most deadlines are leases that beats push into the future, so a late timer just looks again.

import type { Clock, Instant, TimerHandle, Timers } from '@rollcall/runtime';

/** Calls back when a deadline is due. */
export class StepTimer {
  readonly #clock: Clock;
  readonly #timers: Timers;
  readonly #nextDeadline: () => Instant | undefined;
  readonly #onDue: () => void;
  #handle: TimerHandle | undefined;
  #armedFor = Number.POSITIVE_INFINITY;

  constructor(options: {
    readonly clock: Clock;
    readonly timers: Timers;
    readonly nextDeadline: () => Instant | undefined;
    /** Must handle everything that is due, or it is called again at once. */
    readonly onDue: () => void;
  }) {
    this.#clock = options.clock;
    this.#timers = options.timers;
    this.#nextDeadline = options.nextDeadline;
    this.#onDue = options.onDue;
  }

  /** Makes sure that the timer fires by the next deadline. To be called after each step. */
  arm(): void {
    const dueAt = this.#nextDeadline();
    if (dueAt === undefined || dueAt >= this.#armedFor) return;
    this.#handle?.cancel();
    this.#armedFor = dueAt;
    this.#handle = this.#timers.once(Math.max(0, dueAt - this.#clock.now().mono), () => this.#fire());
  }

  /** Stops the timer until it is armed again. */
  cancel(): void {
    this.#handle?.cancel();
    this.#handle = undefined;
    this.#armedFor = Number.POSITIVE_INFINITY;
  }

  // Timers of Node.js may fire a moment before their time by our clock; then nothing is due yet.
  #fire(): void {
    this.#armedFor = Number.POSITIVE_INFINITY;
    const dueAt = this.#nextDeadline();
    if (dueAt !== undefined && dueAt <= this.#clock.now().mono) this.#onDue();
    this.arm();
  }
}
