// The deadlines of the core's parts: what is due is done in order of time, each at the time of the step. Beats may come a little
// early, together with another that is due: waking up costs a process that keeps many instances more than the beats do.

import { type Deadline, DeadlineQueue } from '@rollcall/runtime/deadline-queue';
import { after, type Instant, type Now } from '@rollcall/runtime/time';

/** How much earlier a loose alarm may ring, ms. */
const LOOSE_MS = 200;
/** Alarms that are set for less are exact, so that none comes more than a twentieth early. */
const LOOSE_DELAY_MIN_MS = 20 * LOOSE_MS;

/** Something that wants to be woken at a time. */
export interface Alarm extends Deadline {
  /** Called once for each time it was set. */
  ring(now: Now): void;
  /** How it was set last. Changed by the clock only. */
  timing: 'exact' | 'loose';
}

/** Makes an alarm that is not set. */
export function alarm(ring: (now: Now) => void): Alarm {
  return { dueAt: 0 as Instant, heapIndex: -1, ring, timing: 'exact' };
}

/** All alarms of a core. */
export class AlarmClock {
  readonly #queues = { exact: new DeadlineQueue<Alarm>(), loose: new DeadlineQueue<Alarm>() };

  /** When the first alarm rings. */
  get next(): Instant | undefined {
    const [exact, loose] = [this.#queues.exact.first(), this.#queues.loose.first()];
    return exact === undefined || (loose !== undefined && loose < exact) ? loose : exact;
  }

  /** Sets an alarm, or moves it. */
  set(entry: Alarm, now: Now, delayMs: number): void {
    this.#arm(entry, 'exact', after(now.mono, delayMs));
  }

  /** Sets an alarm that may ring up to 200 ms early when another one like it rings, but never more than a twentieth of its delay. */
  setLoose(entry: Alarm, now: Now, delayMs: number): void {
    this.#arm(entry, delayMs < LOOSE_DELAY_MIN_MS ? 'exact' : 'loose', after(now.mono, delayMs));
  }

  /** The alarm does not ring. */
  clear(entry: Alarm): void {
    this.#queues[entry.timing].disarm(entry);
  }

  /** Rings what is due, the loose ones last. */
  ringDue(now: Now): void {
    const { exact, loose } = this.#queues;
    for (let due = exact.popDue(now.mono); due !== undefined; due = exact.popDue(now.mono)) due.ring(now);
    const first = loose.first();
    if (first === undefined || first > now.mono) return;
    const until = after(now.mono, LOOSE_MS);
    for (let due = loose.popDue(until); due !== undefined; due = loose.popDue(until)) due.ring(now);
  }

  #arm(entry: Alarm, timing: Alarm['timing'], at: Instant): void {
    if (entry.timing !== timing) this.clear(entry);
    entry.timing = timing;
    this.#queues[timing].arm(entry, at);
  }
}
