// Keys that have to be settled because a whole set changed its standing, in portions: a node that dies may have held a
// hundred thousand leases, and beats must be answered meanwhile.

import { after, type Instant } from '@rollcall/runtime/time';
import type { Dropped, SettleDropped } from './dropped-record.js';
import type { RecordKey } from './record-key.js';
import type { RecordSet } from './record-set.js';

/** Keys of one portion; about 10 ms of work. */
const PORTION = 2000;
/** Time between portions. */
const PACE_MS = 20;

/** A key, and what was dropped with which it has to do. */
export interface Swept {
  readonly key: RecordKey;
  readonly dropped?: Dropped | undefined;
}

/** A queue of keys. */
export class Sweeps {
  readonly #queue: Iterator<Swept>[] = [];
  #nextAt: Instant | undefined;

  /** Whether nothing is left to do. */
  get isDone(): boolean {
    return this.#queue.length === 0;
  }

  /** When there is more to do. */
  get nextAt(): Instant | undefined {
    return this.isDone ? undefined : this.#nextAt;
  }

  /** Adds all keys of a set, as it is now. */
  add(set: RecordSet): void {
    if (set.size === 0) return;
    const keys = Array.from(set.entries(), ({ key }) => ({ key }));
    this.#queue.push(keys.values());
  }

  /** Adds all keys of a set that was dropped because its time is over. */
  addDropped(set: RecordSet): void {
    const keys = Array.from(set.entries(), ({ key, record }): Swept => ({ key, dropped: { record, why: 'over' } }));
    this.#queue.push(keys.values());
  }

  /** Adds keys. */
  addKeys(keys: readonly Swept[]): void {
    if (keys.length > 0) this.#queue.push(keys.values());
  }

  /** Settles a portion, when it is time. */
  run(now: Instant, settle: SettleDropped): void {
    if (this.isDone || (this.#nextAt !== undefined && this.#nextAt > now)) return;
    for (let left = PORTION; left > 0 && this.#queue.length > 0; left -= 1) {
      const { value, done } = (this.#queue[0] as Iterator<Swept>).next();
      if (done === true) this.#queue.shift();
      else settle(value.key, value.dropped);
    }
    this.#nextAt = after(now, PACE_MS);
  }
}
