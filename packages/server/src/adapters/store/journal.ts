// Changes of ephemeral membership, written before they are acknowledged: entries of one turn of the event loop become
// one write at its end, then everybody who waits is called. No fsync: they survive the process, not a power cut.
// A failed write ends the file: its entries are lost for good, everybody is refused until the owner begins another file.

import type { RegistryError } from '@rollcall/protocol';
import type { JournalEntry } from '../../core/journal-entry.js';
import type { AppendFile } from './append-file.js';
import { entryLines, LINE_ENTRIES_MAX } from './log-format.js';
import { storageFailed } from './storage-failed.js';

/** Called when everything appended before is written, or with the error that prevented it. Must not throw. */
export type AfterFlush = (error?: RegistryError) => void;

/** Calls back once at the end of the present turn of the event loop (`setImmediate`). */
export type EndOfTurn = (callback: () => void) => void;

/** What a journal needs to work. */
export interface JournalOptions {
  readonly file: AppendFile;
  readonly endOfTurn: EndOfTurn;
  /** Called after a failed write, before those who wait are refused. */
  readonly onFailure: (error: RegistryError) => void;
  /** Where writes are counted. */
  readonly counters?: JournalCounters;
}

/** What was written since the start, as plain numbers for metrics. */
export class JournalCounters {
  entries = 0;
  bytes = 0;
  /** Writes, one per turn of the event loop that had entries. */
  writes = 0;
  /** Writes that failed; everybody is refused until a snapshot is written. */
  failures = 0;
}

/** Entries kept back at most; a turn that brings more writes in between. */
const PENDING_MAX = 8 * LINE_ENTRIES_MAX;

/** Appends entries to one file after another. */
export class Journal {
  readonly #options: JournalOptions;
  #file: AppendFile;
  #pending: JournalEntry[] = [];
  #waiting: AfterFlush[] = [];
  #flushScheduled = false;
  #failure: RegistryError | undefined;
  #bytes = 0;

  constructor(options: JournalOptions) {
    this.#options = options;
    this.#file = options.file;
  }

  /** Bytes written to the present file. */
  get bytes(): number {
    return this.#bytes;
  }

  /** Path of the present file. */
  get path(): string {
    return this.#file.path;
  }

  /** Takes an entry for the write at the end of this turn. While the file has failed, entries are dropped. */
  append(entry: JournalEntry): void {
    if (this.#failure !== undefined) return;
    this.#pending.push(entry);
    if (this.#pending.length >= PENDING_MAX) this.#write();
    this.#schedule();
  }

  /** Calls back when everything appended so far is written; at once when nothing waits or when the file has failed. */
  afterFlush(callback: AfterFlush): void {
    if (this.#failure !== undefined) callback(this.#failure);
    else if (this.#pending.length === 0) callback();
    else this.#waiting.push(callback);
  }

  /** Writes what waits and calls back, now. */
  flush(): void {
    this.#write();
    const waiting = this.#waiting;
    this.#waiting = [];
    for (const callback of waiting) callback(this.#failure);
  }

  /** Writes what waits to the present file, closes it and goes on in a new one, which has not failed. */
  continueIn(file: AppendFile): void {
    this.flush();
    this.#file.close();
    this.#file = file;
    this.#bytes = 0;
    this.#failure = undefined;
  }

  /** Writes what waits and closes the file; later entries are refused. */
  close(): void {
    this.flush();
    this.#file.close();
    this.#failure ??= storageFailed('cannot write the journal', 'the server is stopping');
  }

  #schedule(): void {
    if (this.#flushScheduled) return;
    this.#flushScheduled = true;
    this.#options.endOfTurn(() => {
      this.#flushScheduled = false;
      this.flush();
    });
  }

  #write(): void {
    if (this.#pending.length === 0 || this.#failure !== undefined) return;
    const entries = this.#pending;
    this.#pending = [];
    try {
      const lines = [...entryLines(entries)];
      const bytes = lines.length === 1 ? (lines[0] as Buffer) : Buffer.concat(lines);
      this.#file.append(bytes);
      this.#bytes += bytes.length;
      this.#count(entries.length, bytes.length);
    } catch (error) {
      if (this.#options.counters !== undefined) this.#options.counters.failures += 1;
      this.#failure = storageFailed(`cannot write the journal "${this.#file.path}"`, error);
      this.#options.onFailure(this.#failure);
    }
  }

  #count(entries: number, bytes: number): void {
    const { counters } = this.#options;
    if (counters === undefined) return;
    counters.entries += entries;
    counters.bytes += bytes;
    counters.writes += 1;
  }
}
