// The deadlines of the core's parts in one queue; what is due is done in order of time, each at the time of the step.

import { type Deadline, DeadlineQueue } from '@rollcall/runtime/deadline-queue';
import { after, type Instant, type Now } from '@rollcall/runtime/time';

/** Something that wants to be woken at a time. */
export interface Alarm extends Deadline {
  /** Called once for each time it was set. */
  ring(now: Now): void;
}

/** Makes an alarm that is not set. */
export function alarm(ring: (now: Now) => void): Alarm {
  return { dueAt: 0 as Instant, heapIndex: -1, ring };
}

/** All alarms of a core. */
export class AlarmClock {
  readonly #queue = new DeadlineQueue<Alarm>();

  /** When the first alarm rings. */
  get next(): Instant | undefined {
    return this.#queue.first();
  }

  /** Sets an alarm, or moves it. */
  set(entry: Alarm, now: Now, delayMs: number): void {
    this.#queue.arm(entry, after(now.mono, delayMs));
  }

  /** The alarm does not ring. */
  clear(entry: Alarm): void {
    this.#queue.disarm(entry);
  }

  /** Rings what is due. */
  ringDue(now: Now): void {
    for (let due = this.#queue.popDue(now.mono); due !== undefined; due = this.#queue.popDue(now.mono)) due.ring(now);
  }
}
