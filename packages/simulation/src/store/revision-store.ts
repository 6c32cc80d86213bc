// The shared store itself, as etcd is one: keys and values, a revision for each transaction, compares, marks that go after some
// time, and a history that is forgotten when it is compacted. It keeps a second history that checkers read.
// Source: etcd v3 API; cluster specification 7.6.

import type { Compare, KeyEvent, KeyValue, Listing, Transaction } from '@rollcall/server/internal';

/** Identity of the store; no history has a second one. */
const STORE_ID = 'simulated';
/** The revision of a store in which nothing was written. */
export const FIRST_REVISION = 1;

/** A transaction that was made. */
export interface Revision {
  readonly revision: number;
  /** Virtual time, ms. */
  readonly at: number;
  readonly events: readonly KeyEvent[];
}

/** The store. */
export class RevisionStore {
  /** Everything that was ever written. */
  readonly log: Revision[] = [];
  readonly #values = new Map<string, KeyValue>();
  readonly #marks = new Map<string, number>();
  #compacted = 0;

  get revision(): number {
    return FIRST_REVISION + this.log.length;
  }

  /** Makes a transaction, or finds that it may not be made. */
  transact({ compares, writes, mark }: Transaction, at: number): { state: 'written' | 'conflict'; revision: number } {
    const isMade = mark !== undefined && this.#values.has(mark.key);
    if (isMade || !compares.every((compare) => this.#holds(compare)))
      return { state: 'conflict', revision: this.revision };
    if (mark !== undefined) this.#marks.set(mark.key, at);
    return { state: 'written', revision: this.#write(mark === undefined ? writes : [...writes, mark], at) };
  }

  /** Everything at this revision. */
  list(): Listing {
    return { store: STORE_ID, revision: this.revision, entries: [...this.#values.values()] };
  }

  /** Identity and revision. */
  get position(): { readonly store: string; readonly revision: number } {
    return { store: STORE_ID, revision: this.revision };
  }

  /** What was written from a revision on; undefined when that is forgotten. */
  since(revision: number): readonly Revision[] | undefined {
    return revision <= this.#compacted ? undefined : this.log.slice(Math.max(0, revision - FIRST_REVISION - 1));
  }

  /** Forgets history up to now. */
  compact(): void {
    this.#compacted = this.revision;
  }

  /** Removes marks that were set at a time or before, as the end of their lease does it. */
  endMarks(setUntil: number, at: number): void {
    const ended = [...this.#marks].filter(([, setAt]) => setAt <= setUntil).map(([key]) => key);
    for (const key of ended) this.#marks.delete(key);
    if (ended.length > 0)
      this.#write(
        ended.map((key) => ({ key, value: undefined })),
        at,
      );
  }

  #write(events: readonly KeyEvent[], at: number): number {
    const revision = this.revision + 1;
    for (const { key, value } of events) {
      if (value === undefined) this.#values.delete(key);
      else this.#values.set(key, { key, value, modRevision: revision });
    }
    this.log.push({ revision, at, events });
    return revision;
  }

  #holds(compare: Compare): boolean {
    if (compare.type === 'unchanged') return (this.#values.get(compare.key)?.modRevision ?? 0) === compare.modRevision;
    for (const key of this.#values.keys()) if (key.startsWith(compare.prefix)) return false;
    return true;
  }
}
