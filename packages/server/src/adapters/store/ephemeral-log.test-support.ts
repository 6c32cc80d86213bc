// A log in a directory of its own, under a clock and turns that only the test moves.

import { cpSync, mkdtempSync, readdirSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { LogFields, LogLevel } from '@rollcall/runtime';
import { ManualClock, ManualTimers, RecordingLogger } from '@rollcall/runtime/testing';
import type { JournalEntry } from '../../core/journal-entry.js';
import { type AppendFile, openAppendFile } from './append-file.js';
import { EphemeralLog } from './ephemeral-log.js';

/** A logger on whose events a test can wait. */
class AwaitedLogger extends RecordingLogger {
  readonly #awaited: { event: string; resolve: () => void }[] = [];

  override log(level: LogLevel, event: string, fields: LogFields = {}): void {
    super.log(level, event, fields);
    for (const awaited of this.#awaited.splice(0)) {
      if (awaited.event === event) awaited.resolve();
      else this.#awaited.push(awaited);
    }
  }

  /** Resolves at the next line of an event. */
  next(event: string): Promise<void> {
    return new Promise((resolve) => void this.#awaited.push({ event, resolve }));
  }

  /** Events but those of every snapshot. */
  get notable(): readonly string[] {
    return this.events.filter((event) => event !== 'snapshot-written');
  }
}

/** Directory, clock, turns and log lines of one test. */
export class LogHarness {
  readonly root = mkdtempSync(join(tmpdir(), 'rollcall-log-'));
  readonly path = join(this.root, 'ephemeral');
  // The age of files is measured against the clock that stamps them.
  readonly clock = new ManualClock(Date.now());
  readonly timers = new ManualTimers(this.clock);
  readonly logger = new AwaitedLogger();
  /** While true, journals take no bytes. */
  diskFull = false;
  #turn: (() => void)[] = [];
  #copies = 0;

  /** A log on a directory. @param options - `path`: another directory; `compactAtBytes`: default never */
  log(options: { path?: string; compactAtBytes?: number; ageMaxMs?: number } = {}): EphemeralLog {
    return new EphemeralLog({
      path: options.path ?? this.path,
      clock: this.clock,
      timers: this.timers,
      logger: this.logger,
      endOfTurn: (callback) => void this.#turn.push(callback),
      settings: {
        ageMaxMs: options.ageMaxMs ?? 3_600_000,
        compactAtBytes: options.compactAtBytes ?? Number.MAX_SAFE_INTEGER,
      },
      openFile: (path) => this.#open(path),
    });
  }

  /** Ends the turn of the event loop. */
  endTurn(): void {
    for (const callback of this.#turn.splice(0)) callback();
  }

  /** What a new process would load if the present one were killed now; the files stay as they are. */
  afterKill(): JournalEntry[] {
    const path = join(this.root, `copy-${++this.#copies}`);
    cpSync(this.path, path, { recursive: true, preserveTimestamps: true });
    const entries = [...this.log({ path }).load()];
    rmSync(path, { recursive: true });
    return entries;
  }

  /** Resolves when no snapshot is being written: the journals before it are gone then. */
  async snapshotWritten(): Promise<void> {
    const journals = () => readdirSync(this.path).filter((name) => name.startsWith('journal'));
    while (journals().length > 1) await new Promise(setImmediate);
  }

  /** Removes all files. */
  remove(): void {
    rmSync(this.root, { recursive: true, force: true });
  }

  #open(path: string): AppendFile {
    const file = openAppendFile(path);
    const append = (bytes: Uint8Array) => {
      if (this.diskFull) {
        file.append(bytes.subarray(0, bytes.length / 2));
        throw new Error('ENOSPC: no space left on device, write');
      }
      file.append(bytes);
    };
    return { path, append, close: () => file.close() };
  }
}
