// One server per data directory, though Node.js has no flock and a killed server releases nothing.
//
// A lock is a file `lock.<number>` that names its owner. Whoever wants the directory looks at the highest number: while
// its owner lives, the directory is taken; else the next number is created, by link(2), which fails when it exists and
// never shows half a file. Then the directory is read again: only the highest number owns it. The highest file is never
// removed, not even at the end (it then says `released`), so numbers only grow, and of two servers that both saw a
// dead owner one fails to create the next number, or finds that a higher one exists.

import { randomUUID } from 'node:crypto';
import { linkSync, readdirSync, readFileSync, renameSync, rmSync, statSync, utimesSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import type { Clock, TimerHandle, Timers } from '@rollcall/runtime';
import { livenessOf, ownIdentity, type ProcessIdentity } from './process-identity.js';
import { StartError } from './start-error.js';

/** What a lock file says. */
interface LockRecord extends ProcessIdentity {
  readonly released: boolean;
}

/** What a lock needs to work. */
export interface DirectoryLockOptions {
  /** The directory, which must exist. */
  readonly path: string;
  readonly clock: Clock;
  readonly timers: Timers;
}

/** How often an owner shows that it lives, for those who can't ask whether its process does. */
const ALIVE_EVERY_MS = 1000;
/** An owner that can't be asked counts as dead after this long without a sign. */
const SILENCE_MS_MAX = 5000;

/** A directory that this process owns. */
export class DirectoryLock {
  readonly #options: DirectoryLockOptions;
  readonly #file: string;
  readonly #alive: TimerHandle;

  private constructor(options: DirectoryLockOptions, file: string) {
    this.#options = options;
    this.#file = file;
    this.#alive = options.timers.every(ALIVE_EVERY_MS, () => this.#markAlive());
  }

  /**
   * Takes the directory. Waits up to 5 s when its last owner was in another container or machine and gave a sign of
   * life a moment ago.
   *
   * @throws StartError `data-dir-locked` when another process has it
   * @throws the file system's error when the directory can't be used
   */
  static async acquire(options: DirectoryLockOptions): Promise<DirectoryLock> {
    const { path } = options;
    for (;;) {
      const last = highestLock(path);
      if (last > 0 && (await isHeld(options, last))) throw lockedError(path, last);
      const file = lockPath(path, last + 1);
      if (!createLock(path, file)) continue;
      if (highestLock(path) === last + 1) {
        removeLocksBefore(path, last + 1);
        return new DirectoryLock(options, file);
      }
      rmSync(file, { force: true });
    }
  }

  /** Gives the directory back. Never throws: what can't be written, the next owner finds out by itself. */
  release(): void {
    this.#alive.cancel();
    const temporary = temporaryPath(this.#options.path);
    try {
      if (ownerOf(this.#file)?.pid !== process.pid) return;
      writeFileSync(temporary, lockText({ released: true }));
      renameSync(temporary, this.#file);
    } catch {
      rmSync(temporary, { force: true });
    }
  }

  #markAlive(): void {
    const seconds = this.#options.clock.now().wall / 1000;
    try {
      utimesSync(this.#file, seconds, seconds);
    } catch {
      // The file was taken away by hand; nothing that we hold depends on it.
    }
  }
}

/** Whether the owner of a lock still has it. */
async function isHeld(options: DirectoryLockOptions, number: number): Promise<boolean> {
  const file = lockPath(options.path, number);
  const owner = ownerOf(file);
  if (owner?.released) return false;
  const liveness = owner === undefined ? 'elsewhere' : livenessOf(owner, ownIdentity());
  return liveness === 'elsewhere' ? givesSigns(options, file) : liveness === 'alive';
}

/** Waits until the file has not been touched for long enough, or is. A file that is gone was outnumbered. */
async function givesSigns({ clock, timers }: DirectoryLockOptions, file: string): Promise<boolean> {
  const seenMs = touchedMs(file);
  const silentMs = Math.max(0, clock.now().wall - seenMs);
  if (silentMs >= SILENCE_MS_MAX) return false;
  await new Promise<void>((resolve) => void timers.once(SILENCE_MS_MAX - silentMs, resolve));
  return touchedMs(file) !== seenMs;
}

function touchedMs(file: string): number {
  return statSync(file, { throwIfNoEntry: false })?.mtimeMs ?? 0;
}

/** Creates a lock file with its full text. @returns false when it exists, or when a new owner cleared the attempt away */
function createLock(path: string, file: string): boolean {
  const temporary = temporaryPath(path);
  writeFileSync(temporary, lockText({ released: false }));
  try {
    linkSync(temporary, file);
    return true;
  } catch (error) {
    const { code } = error as NodeJS.ErrnoException;
    if (code === 'EEXIST' || code === 'ENOENT') return false;
    throw error;
  } finally {
    rmSync(temporary, { force: true });
  }
}

function lockText({ released }: { readonly released: boolean }): string {
  const record: LockRecord = { ...ownIdentity(), released };
  return `${JSON.stringify(record)}\n`;
}

/** What a lock file says; undefined when it is gone or was not written to the disk before a power cut. */
function ownerOf(file: string): LockRecord | undefined {
  try {
    return JSON.parse(readFileSync(file, 'utf8')) as LockRecord;
  } catch {
    return undefined;
  }
}

function lockedError(path: string, number: number): StartError {
  const file = lockPath(path, number);
  const { pid, host } = ownerOf(file) ?? { pid: 'unknown', host: 'unknown' };
  const where = host === ownIdentity().host ? '' : ` on host "${host}"`;
  const message =
    `Cannot use data directory "${path}": process ${pid}${where} uses it (lock file "${file}"), allowed is one server ` +
    'per directory; stop that server, or choose another directory with --data-dir or ROLLCALL_DATA_DIR';
  return new StartError('data-dir-locked', message);
}

function highestLock(path: string): number {
  return Math.max(0, ...lockNumbers(path));
}

/** Clears away what earlier owners and killed attempts left. */
function removeLocksBefore(path: string, number: number): void {
  for (const other of lockNumbers(path)) if (other < number) rmSync(lockPath(path, other), { force: true });
  for (const name of readdirSync(path)) if (/^lock\..*\.tmp$/.test(name)) rmSync(join(path, name), { force: true });
}

function lockNumbers(path: string): number[] {
  return readdirSync(path).flatMap((name) => (/^lock\.\d{1,15}$/.test(name) ? [Number(name.slice(5))] : []));
}

function lockPath(path: string, number: number): string {
  return join(path, `lock.${number}`);
}

/** Of this attempt alone: in another container, another process has the same pid. */
function temporaryPath(path: string): string {
  return join(path, `lock.${randomUUID()}.tmp`);
}
