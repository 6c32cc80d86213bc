// Timers that fire only while a test moves the manual clock, in order of time, each at exactly its own.

import type { TimerHandle, Timers } from '../timers.js';
import type { ManualClock } from './manual-clock.js';

interface Pending {
  dueAt: number;
  readonly intervalMs: number | undefined;
  readonly callback: () => void;
}

/** Timers for tests, on the same clock as the code under test. */
export class ManualTimers implements Timers {
  readonly #clock: ManualClock;
  readonly #pending = new Set<Pending>();

  /** @param clock - moved by {@link advance} */
  constructor(clock: ManualClock) {
    this.#clock = clock;
  }

  /** Timers that are not yet due. */
  get size(): number {
    return this.#pending.size;
  }

  once(delayMs: number, callback: () => void): TimerHandle {
    return this.#add({ dueAt: this.#mono() + delayMs, intervalMs: undefined, callback });
  }

  every(intervalMs: number, callback: () => void): TimerHandle {
    return this.#add({ dueAt: this.#mono() + intervalMs, intervalMs, callback });
  }

  /** Moves the clock forward by `ms` and fires what becomes due on the way. */
  advance(ms: number): void {
    const end = this.#mono() + ms;
    for (let next = this.#first(end); next !== undefined; next = this.#first(end)) {
      this.#clock.advance(Math.max(0, next.dueAt - this.#mono()));
      this.#fire(next);
    }
    this.#clock.advance(end - this.#mono());
  }

  /** Moves the clock by `ms` while nothing fires, as if the process were suspended; then fires each due timer once. */
  suspend(ms: number): void {
    this.#clock.advance(ms);
    const due = [...this.#pending].filter((pending) => pending.dueAt <= this.#mono());
    for (const pending of due.sort((a, b) => a.dueAt - b.dueAt)) {
      if (this.#pending.has(pending)) this.#fire(pending);
    }
  }

  #add(pending: Pending): TimerHandle {
    this.#pending.add(pending);
    return { cancel: () => void this.#pending.delete(pending) };
  }

  #fire(pending: Pending): void {
    if (pending.intervalMs === undefined) this.#pending.delete(pending);
    else pending.dueAt = this.#mono() + pending.intervalMs;
    pending.callback();
  }

  #first(end: number): Pending | undefined {
    let first: Pending | undefined;
    for (const pending of this.#pending) {
      if (pending.dueAt <= end && (first === undefined || pending.dueAt < first.dueAt)) first = pending;
    }
    return first;
  }

  #mono(): number {
    return this.#clock.now().mono;
  }
}
