// What of a node outlives its process: the journal, which is written before anything is acknowledged, and its epoch.

import type { JournalEntry } from '@rollcall/server/internal';

/** The disk of one node. */
export class NodeDisk {
  #entries: JournalEntry[] = [];
  /** Epoch of the last run, 0 before the first. */
  epoch = 0;
  /** Wall clock at the last entry, epoch ms; undefined before the first. */
  writtenAt: number | undefined;

  /** Entries in the order in which they were written. */
  get entries(): readonly JournalEntry[] {
    return this.#entries;
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
    this.epoch = 0;
    this.writtenAt = undefined;
  }
}
