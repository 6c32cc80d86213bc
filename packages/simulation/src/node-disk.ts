// What of a node outlives its process: the journal, which is written before anything is acknowledged, and its epoch.

import type { JournalEntry, StoreChange } from '@rollcall/server/internal';

/** The disk of one node. */
export class NodeDisk {
  #entries: JournalEntry[] = [];
  readonly #stored = new Map<string, StoreChange>();
  /** What the product's own stores write where a history has a shared store: this node's records, JSON by key. */
  readonly records = new Map<string, string>();
  /** And the copy of the shared store. */
  readonly storeCopy = new Map<string, string>();
  /** Epoch of the last run, 0 before the first. */
  epoch = 0;
  /** Wall clock at the last entry, epoch ms; undefined before the first. */
  writtenAt: number | undefined;

  /** Entries in the order in which they were written. */
  get entries(): readonly JournalEntry[] {
    return this.#entries;
  }

  /** What the store holds. */
  get stored(): Iterable<StoreChange> {
    return this.#stored.values();
  }

  /** The store takes an operator's edit, or forgets it. */
  store(change: StoreChange): void {
    if (change.type !== 'edit') throw new Error(`The simulated store holds edits only, not "${change.type}"`);
    const place = `${change.service.id} ${change.address.key}`;
    if (change.value === undefined) this.#stored.delete(place);
    else this.#stored.set(place, change);
  }

  /** Appends an entry. */
  append(entry: JournalEntry, wall: number): void {
    this.#entries.push(entry);
    this.writtenAt = wall;
  }

  /** Replaces the journal by the shortest one that leads to the same state. */
  compact(snapshot: Iterable<JournalEntry>): void {
    this.#entries = [...snapshot];
  }

  /** The disk is lost. */
  wipe(): void {
    this.#entries = [];
    this.#stored.clear();
    this.records.clear();
    this.storeCopy.clear();
    this.epoch = 0;
    this.writtenAt = undefined;
  }
}
