// The latest changes of a set, for those who missed some (R1). Changes that came in one delta have one rev, and leave the
// log together.

import { after, type Instant } from '@rollcall/runtime/time';
import type { Successor } from './peer-message.js';
import type { RecordKey } from './record-key.js';
import type { ReplicatedRecord } from './replicated-record.js';

/** What became of a key. */
export interface Change {
  readonly key: RecordKey;
  /** Undefined: gone. */
  readonly record: ReplicatedRecord | undefined;
  /** Set and rev that made a record needless which is gone (R10 e). */
  readonly successor: Successor | undefined;
  /**
   * Of a record that has a successor what counts for whoever lacks that one, also when it never had it: what the record was,
   * or the removal that it was dropped for. Without successor, what a copy said before.
   */
  readonly dropped?: ReplicatedRecord | undefined;
  /** Ms since its author made it, of one that came late. */
  readonly ageMs?: number | undefined;
}

/** A change with the revs before and after the step that it belongs to. */
export interface LoggedChange extends Change {
  readonly from: number;
  readonly to: number;
  /** When its author made it, as far as is known; undefined in a set without clock. */
  readonly at: Instant | undefined;
}

/** A ring of changes in order of rev, without gaps. */
export class ChangeLog {
  readonly #capacity: number;
  #changes: LoggedChange[] = [];
  #start = 0;
  #coveredFrom: number;

  /** @param options - `capacity`: changes kept at most; `rev`: present rev of the set, from which on it will cover */
  constructor(options: { capacity: number; rev: number }) {
    this.#capacity = options.capacity;
    this.#coveredFrom = options.rev;
  }

  /** The rev from which on all changes are here. */
  get coveredFrom(): number {
    return this.#coveredFrom;
  }

  /** Adds the changes of one step. */
  add(from: number, to: number, changes: readonly Change[], now: Instant | undefined): void {
    for (const { key, record, successor, dropped, ageMs = 0 } of changes)
      this.#changes.push({ key, record, successor, dropped, from, to, at: now && after(now, -ageMs) });
    while (this.#changes.length - this.#start > this.#capacity) this.#forgetFirstStep();
    if (this.#start < this.#capacity) return;
    this.#changes = this.#changes.slice(this.#start);
    this.#start = 0;
  }

  /** Changes above `rev` in order, from the start of the step in which it lies; undefined when some are forgotten. */
  since(rev: number): readonly LoggedChange[] | undefined {
    if (rev < this.#coveredFrom) return undefined;
    let low = this.#start;
    let high = this.#changes.length;
    while (low < high) {
      const middle = (low + high) >> 1;
      if ((this.#changes[middle] as LoggedChange).to <= rev) low = middle + 1;
      else high = middle;
    }
    return this.#changes.slice(low);
  }

  #forgetFirstStep(): void {
    const { to } = this.#changes[this.#start] as LoggedChange;
    while (this.#changes[this.#start]?.to === to) this.#start += 1;
    this.#coveredFrom = to;
  }
}
