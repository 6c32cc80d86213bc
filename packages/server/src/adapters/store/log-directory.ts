// The files of the ephemeral log in their directory: finding, loading and removing them.

import { mkdirSync, readdirSync, renameSync, rmSync, statSync, truncateSync } from 'node:fs';
import { join } from 'node:path';
import type { Clock, Logger } from '@rollcall/runtime';
import type { JournalEntry } from '../../core/journal-entry.js';
import { LOG_FORMAT, type LogFileKind, logFileName, logFileOf } from './log-format.js';
import { type LogFileReport, readLogFile } from './log-reader.js';
import { asidePath } from './set-aside.js';
import { TEMPORARY_SUFFIX } from './snapshot-file.js';

interface LogFile {
  readonly kind: LogFileKind;
  readonly generation: number;
  readonly path: string;
}

/** What the directory needs to work. */
export interface LogDirectoryOptions {
  /** Created when missing. */
  readonly path: string;
  readonly clock: Clock;
  readonly logger: Logger;
}

/** The directory; one process at a time uses it. */
export class LogDirectory {
  readonly #options: LogDirectoryOptions;
  /** Files to be kept for someone to look at, and where, once what could be read of them is in a new snapshot. */
  readonly #damaged = new Map<string, string>();

  /** @throws the file system's error when the directory can't be made */
  constructor(options: LogDirectoryOptions) {
    this.#options = options;
    mkdirSync(options.path, { recursive: true });
  }

  /** Whether files are there that could not be read to their end. */
  get hasDamage(): boolean {
    return this.#damaged.size > 0;
  }

  /** Time since anything was written, or since the owner was last seen alive. 0 when there is no file. */
  ageMs(): number {
    const written = this.#files().map(({ path }) => statSync(path).mtimeMs);
    return written.length === 0 ? 0 : this.#options.clock.now().wall - Math.max(...written);
  }

  /** Path of a file. */
  pathOf(kind: LogFileKind, generation: number): string {
    return join(this.#options.path, logFileName(kind, generation));
  }

  /** Highest generation of any file; 0 when there is none. */
  lastGeneration(): number {
    return this.#files().reduce((last, { generation }) => Math.max(last, generation), 0);
  }

  /**
   * All entries: the newest snapshot, then the journals since. Takes away what a stopped process left unfinished.
   *
   * @param ageMaxMs - files last written longer ago are deleted instead of loaded
   * @returns bytes of the snapshot and of the journals, when all entries were taken
   */
  *load(ageMaxMs: number): Generator<JournalEntry, { snapshotBytes: number; journalBytes: number }> {
    const { path, logger } = this.#options;
    for (const name of readdirSync(path))
      if (name.endsWith(TEMPORARY_SUFFIX)) rmSync(join(path, name), { force: true });
    const sizes = { snapshot: 0, journal: 0 };
    const ageMs = this.ageMs();
    if (ageMs > ageMaxMs) {
      logger.log('warn', 'ephemeral-state-too-old', { path, ageMs, ageMaxMs });
      this.removeBefore(Number.POSITIVE_INFINITY);
      return { snapshotBytes: 0, journalBytes: 0 };
    }
    const snapshots = this.#files().filter(({ kind }) => kind === 'snapshot');
    this.removeBefore(snapshots.at(-1)?.generation ?? 0);
    for (const file of this.#files()) {
      yield* this.#entriesOf(file);
      sizes[file.kind] += statSync(file.path, { throwIfNoEntry: false })?.size ?? 0;
    }
    return { snapshotBytes: sizes.snapshot, journalBytes: sizes.journal };
  }

  /** Removes the files of earlier generations; damaged ones are set aside. Never throws: what stays is removed the next time. */
  removeBefore(generation: number): void {
    for (const file of this.#files()) {
      if (file.generation >= generation) continue;
      try {
        const aside = this.#damaged.get(file.path);
        if (aside === undefined) rmSync(file.path, { force: true });
        else renameSync(file.path, aside);
        this.#damaged.delete(file.path);
      } catch (error) {
        this.#options.logger.log('warn', 'log-file-not-removed', { path: file.path, reason: String(error) });
      }
    }
  }

  *#entriesOf(file: LogFile): Generator<JournalEntry> {
    const { path } = file;
    try {
      const report = yield* readLogFile(path);
      this.#judge(file, report);
    } catch (error) {
      const aside = this.#keep(path);
      this.#options.logger.log('error', `${file.kind}-unreadable`, { path, reason: String(error), aside });
    }
  }

  #judge({ kind, path }: LogFile, report: LogFileReport): void {
    const { logger } = this.#options;
    const { entries, unknown, damagedBytes, tailBytes, head } = report;
    if (head !== undefined && head.format > LOG_FORMAT) {
      const aside = this.#keep(path);
      logger.log('error', `${kind}-of-newer-version`, { path, format: head.format, allowed: LOG_FORMAT, aside });
      return;
    }
    if (unknown > 0) logger.log('warn', 'log-entries-unknown', { path, unknown });
    if (damagedBytes > 0 || (kind === 'snapshot' && !report.complete)) {
      const aside = this.#keep(path);
      logger.log('error', `${kind}-damaged`, { path, damagedBytes: damagedBytes + tailBytes, entries, aside });
    } else if (tailBytes > 0) {
      truncateSync(path, report.soundBytes);
      logger.log('warn', 'journal-tail-cut', { path, tailBytes, entries });
    }
  }

  #keep(path: string): string {
    const aside = asidePath(path, this.#options.clock.now().wall);
    this.#damaged.set(path, aside);
    return aside;
  }

  /** Snapshots before journals of the same generation, both in order. */
  #files(): LogFile[] {
    const files: LogFile[] = [];
    for (const name of readdirSync(this.#options.path)) {
      const file = logFileOf(name);
      if (file !== undefined) files.push({ ...file, path: join(this.#options.path, name) });
    }
    return files.sort((a, b) => a.generation - b.generation || (a.kind === 'snapshot' ? -1 : 1));
  }
}
