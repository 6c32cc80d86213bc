// Keeps ephemeral state across a restart: a snapshot, and journals of the changes since. When the journals have grown, a
// new journal is begun, the state is written as a snapshot beside it, then everything older is removed.
//
// The snapshot is taken over many turns of the event loop while the state changes. That is sound because its journal was
// begun before: what changes meanwhile is in the journal, whichever state of it the snapshot caught, and entries say what
// is, not what to add, so the journal has the last word. What does not change is caught as it is.

import { rmSync, utimesSync } from 'node:fs';
import type { RegistryError } from '@rollcall/protocol';
import type { Clock, Logger, TimerHandle, Timers } from '@rollcall/runtime';
import type { JournalEntry } from '../../core/journal-entry.js';
import { type AppendFile, type OpenAppendFile, openAppendFile } from './append-file.js';
import { type AfterFlush, type EndOfTurn, Journal, JournalCounters } from './journal.js';
import { LogDirectory } from './log-directory.js';
import { headLine } from './log-format.js';
import { writeSnapshot, writeSnapshotSync } from './snapshot-file.js';
import { storageFailed } from './storage-failed.js';

/** What can be configured. */
export interface EphemeralLogSettings {
  /** State last written longer ago is not loaded, in ms. Default 1 h. */
  readonly ageMaxMs: number;
  /** A snapshot is written when the journals exceed this and four times the last snapshot, in bytes. Default 16 MiB. */
  readonly compactAtBytes: number;
}

/** Settings of a server that is not configured otherwise. */
export const DEFAULT_EPHEMERAL_LOG_SETTINGS: EphemeralLogSettings = {
  ageMaxMs: 3_600_000,
  compactAtBytes: 16 * 1024 * 1024,
};

/** What the log needs to work. */
export interface EphemeralLogOptions {
  /** Directory of the files; created when missing. */
  readonly path: string;
  readonly clock: Clock;
  readonly timers: Timers;
  readonly logger: Logger;
  /** `setImmediate`. */
  readonly endOfTurn: EndOfTurn;
  readonly settings: EphemeralLogSettings;
  /** How journals are created; tests put in files that fail. */
  readonly openFile?: OpenAppendFile;
}

/**
 * Gives the state. It is iterated while the state changes, and must give what is there from the beginning to the end
 * exactly once (as the iterators of maps do), and what comes, goes or changes meanwhile in any of its states or not at all.
 */
export type SnapshotSource = () => Iterable<JournalEntry>;

/** The age of the state counts from here, since a server whose membership does not change writes nothing. */
const ALIVE_EVERY_MS = 60_000;
/** Pause after a snapshot that failed while the journals are whole: nobody waits for it, and a large one costs much. */
const SNAPSHOT_RETRY_MS = 60_000;
/** Pause while writes are refused. */
const REPAIR_RETRY_MS = 1000;

/** The log. Order of calls: {@link load} once, {@link start} once, appends, {@link close}. */
export class EphemeralLog {
  /** What was written to journals since the start. */
  readonly counters = new JournalCounters();
  /** Snapshots since the start; the bytes are those of the last one, that of before the start included. */
  readonly snapshots = { written: 0, failed: 0, bytes: 0 };
  readonly #options: EphemeralLogOptions;
  readonly #directory: LogDirectory;
  #started: Started | undefined;
  #generation = 0;
  /** Size of the last snapshot, and of the journals before the present one that it does not cover. */
  #sizes = { snapshotBytes: 0, journalBytes: 0 };
  /** Set while entries are missing on disk: from a failed write until a snapshot is written. */
  #missing: RegistryError | undefined;
  #compacting = false;
  #snapshotFails = false;
  #retry: TimerHandle | undefined;
  #closed = false;

  /** @throws RegistryError `storage-failed` when the directory can't be made */
  constructor(options: EphemeralLogOptions) {
    this.#options = options;
    try {
      this.#directory = new LogDirectory(options);
    } catch (error) {
      throw storageFailed(`cannot use "${options.path}" for the state of ephemeral instances`, error);
    }
  }

  /** Ms since the state on disk was known to be current, by the wall clock; 0 when there is none. For the time before {@link start}. */
  get ageMs(): number {
    return this.#directory.ageMs();
  }

  /**
   * The entries from before the restart. What can't be read is logged, set aside, and stops nobody.
   *
   * @throws RegistryError `storage-failed` when the directory can't be read
   */
  *load(): Generator<JournalEntry> {
    try {
      this.#sizes = yield* this.#directory.load(this.#options.settings.ageMaxMs);
      this.snapshots.bytes = this.#sizes.snapshotBytes;
    } catch (error) {
      throw storageFailed(`cannot load the state of ephemeral instances from "${this.#options.path}"`, error);
    }
  }

  /**
   * Begins a journal. Call when all loaded entries are in the core.
   *
   * @param snapshot - gives the state that all loaded and appended entries led to
   * @throws RegistryError `storage-failed` when no journal can be created
   */
  start(snapshot: SnapshotSource): void {
    const { endOfTurn, timers } = this.#options;
    this.#generation = this.#directory.lastGeneration();
    const file = this.#begin();
    const onFailure = (error: RegistryError) => this.#onFailure(error);
    this.#started = {
      journal: new Journal({ file, endOfTurn, onFailure, counters: this.counters }),
      snapshot,
      alive: timers.every(ALIVE_EVERY_MS, () => this.#markAlive()),
    };
    if (this.#directory.hasDamage) this.#compactSoon();
  }

  /** Takes a change for the write at the end of this turn of the event loop. */
  append(entry: JournalEntry): void {
    const { journal } = this.#running();
    journal.append(entry);
    const { snapshotBytes, journalBytes } = this.#sizes;
    const limit = Math.max(this.#options.settings.compactAtBytes, 4 * snapshotBytes);
    if (journalBytes + journal.bytes > limit) this.#compactSoon();
  }

  /**
   * Calls back when everything appended so far is written; at once when nothing waits. With an error, nothing may be
   * acknowledged: entries were lost and a crash now would forget them. That ends with the next snapshot, which is tried
   * at once and then every second.
   */
  afterFlush(callback: AfterFlush): void {
    if (this.#missing !== undefined) callback(this.#missing);
    else this.#running().journal.afterFlush(callback);
  }

  /** Writes what waits, then a last snapshot in place of the journals. When that fails, the journals stay. Never throws. */
  close(): void {
    if (this.#closed) return;
    this.#closed = true;
    this.#retry?.cancel();
    if (this.#started === undefined) return;
    const { journal, snapshot, alive } = this.#started;
    alive.cancel();
    journal.close();
    const generation = this.#generation + 1;
    const path = this.#directory.pathOf('snapshot', generation);
    try {
      writeSnapshotSync({ path, generation, entries: snapshot() });
      this.#directory.removeBefore(generation);
    } catch (error) {
      this.#options.logger.log('error', 'snapshot-failed', { path, reason: String(error) });
    }
  }

  #running(): Started {
    if (this.#started === undefined) throw new Error('the log takes entries only after start()');
    return this.#started;
  }

  /** Creates the next journal. A generation that failed is never used again. */
  #begin(): AppendFile {
    this.#generation += 1;
    const path = this.#directory.pathOf('journal', this.#generation);
    let file: AppendFile | undefined;
    try {
      file = (this.#options.openFile ?? openAppendFile)(path);
      file.append(headLine('journal', this.#generation));
      return file;
    } catch (error) {
      file?.close();
      rmSync(path, { force: true });
      throw storageFailed(`cannot create the journal "${path}"`, error);
    }
  }

  /** Shows that the server lives; a journal that somebody took away holds nothing any more, as after a failed write. */
  #markAlive(): void {
    const { path } = this.#running().journal;
    const seconds = this.#options.clock.now().wall / 1000;
    try {
      utimesSync(path, seconds, seconds);
    } catch (error) {
      this.#onFailure(storageFailed(`cannot touch the journal "${path}"`, error));
    }
  }

  #onFailure(error: RegistryError): void {
    if (this.#missing === undefined) {
      this.#options.logger.log('error', 'journal-failed', { reason: error.message });
      // The long pause after a snapshot that failed is not for those who are refused now.
      this.#retry?.cancel();
      this.#retry = undefined;
    }
    this.#missing = error;
    this.#compactSoon();
  }

  #compactSoon(): void {
    if (this.#compacting || this.#retry !== undefined || this.#closed) return;
    this.#compacting = true;
    this.#options.endOfTurn(() => void this.#compact());
  }

  async #compact(): Promise<void> {
    try {
      if (!this.#closed) await this.#replaceJournals();
      this.#snapshotFails = false;
    } catch (error) {
      const { logger, path } = this.#options;
      if (!this.#snapshotFails) logger.log('error', 'snapshot-failed', { path, reason: String(error) });
      this.#snapshotFails = true;
      this.snapshots.failed += 1;
    }
    this.#compacting = false;
    if (this.#snapshotFails || this.#missing !== undefined) this.#compactAfterPause();
  }

  /** The order matters: nothing may change between the last entry of the old journal and the first of the new one. */
  async #replaceJournals(): Promise<void> {
    const { journal, snapshot } = this.#running();
    const next = this.#begin();
    this.#sizes.journalBytes += journal.bytes;
    journal.continueIn(next);
    const generation = this.#generation;
    const missing = this.#missing;
    const path = this.#directory.pathOf('snapshot', generation);
    const bytes = await writeSnapshot({ path, generation, entries: snapshot() }, () => this.#closed);
    if (bytes === undefined) return;
    this.#sizes = { snapshotBytes: bytes, journalBytes: 0 };
    this.snapshots.written += 1;
    this.snapshots.bytes = bytes;
    this.#directory.removeBefore(generation);
    this.#options.logger.log('debug', 'snapshot-written', { path, bytes });
    // Another failure since then is another error: the snapshot may lack what failed after it was taken.
    if (missing === undefined || this.#missing !== missing) return;
    this.#missing = undefined;
    this.#options.logger.log('info', 'journal-recovered', { path: journal.path });
  }

  #compactAfterPause(): void {
    if (this.#closed) return;
    const pauseMs = this.#missing === undefined ? SNAPSHOT_RETRY_MS : REPAIR_RETRY_MS;
    this.#retry = this.#options.timers.once(pauseMs, () => {
      this.#retry = undefined;
      this.#compactSoon();
    });
  }
}

interface Started {
  readonly journal: Journal;
  readonly snapshot: SnapshotSource;
  readonly alive: TimerHandle;
}
