// One server per data directory: a lock file that names its owner. A file of a process that is gone is replaced, so that a
// server that was killed starts again at once. Where the owner cannot be looked up (another container, another machine
// on a shared disk) it counts as alive while it keeps touching the file.

import { readFileSync, renameSync, rmSync, statSync, utimesSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import type { TimerHandle, Timers } from '@rollcall/runtime';
import { isOfOwnRealm, isRunning, ownIdentity, type ProcessIdentity } from './process-identity.js';
import { StartError } from './start-error.js';

const LOCK_FILE = 'server.lock';
const TOUCH_MS = 1000;
/** How long a foreign owner is watched for a touch. */
const WATCH_MS = 2500;
/** A foreign lock that was not touched for this long needs no watching. */
const STALE_MS = 60_000;
/** Rounds of finding a lock, replacing it and losing it to another starter. */
const ATTEMPTS = 10;

/** A directory that is ours. */
export interface DirectoryLock {
  /** Gives the directory back. */
  release(): void;
}

/**
 * Takes a directory, which must exist.
 *
 * @throws StartError `data-dir-locked` with the owner's process id
 * @throws the file system's error when the lock file cannot be written
 */
export async function lockDirectory(directory: string, timers: Timers): Promise<DirectoryLock> {
  const path = join(directory, LOCK_FILE);
  const text = `${JSON.stringify(ownIdentity())}\n`;
  for (let attempt = 0; attempt < ATTEMPTS; attempt++) {
    if (tryCreate(path, text)) return heldLock(path, text, timers);
    const found = readText(path);
    if (found === undefined) continue;
    const owner = ownerIn(found);
    if (await isHeld(path, owner)) throw lockedError(directory, owner);
    removeStale(path, found);
  }
  throw lockedError(directory, undefined);
}

function heldLock(path: string, text: string, timers: Timers): DirectoryLock {
  const touching: TimerHandle = timers.every(TOUCH_MS, () => touch(path));
  return {
    release() {
      touching.cancel();
      if (readText(path) === text) rmSync(path, { force: true });
    },
  };
}

function tryCreate(path: string, text: string): boolean {
  try {
    writeFileSync(path, text, { flag: 'wx' });
    return true;
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'EEXIST') return false;
    throw error;
  }
}

// A file without an owner is being written this moment, or was when its writer died; a touch tells.
async function isHeld(path: string, owner: ProcessIdentity | undefined): Promise<boolean> {
  if (owner !== undefined && isOfOwnRealm(owner)) return isRunning(owner);
  const touched = touchedAt(path);
  if (touched === undefined || Date.now() - touched > STALE_MS) return false;
  await sleep(WATCH_MS);
  const touchedAgain = touchedAt(path);
  return touchedAgain !== undefined && touchedAgain !== touched;
}

// Another starter may have replaced the file since it was judged. The name is taken away first, so that only one of them
// removes the stale file; who takes a fresh one by mistake gives it back.
function removeStale(path: string, judged: string): void {
  const aside = `${path}.${process.pid}`;
  try {
    renameSync(path, aside);
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'ENOENT') return;
    throw error;
  }
  if (readText(aside) === judged) rmSync(aside, { force: true });
  else renameSync(aside, path);
}

function ownerIn(text: string): ProcessIdentity | undefined {
  try {
    const { pid, realm, started } = JSON.parse(text);
    return Number.isSafeInteger(pid) && pid > 0 && typeof realm === 'string' && typeof started === 'string'
      ? { pid, realm, started }
      : undefined;
  } catch {
    return undefined;
  }
}

function readText(path: string): string | undefined {
  try {
    return readFileSync(path, 'utf8');
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'ENOENT') return undefined;
    throw error;
  }
}

function touchedAt(path: string): number | undefined {
  return statSync(path, { throwIfNoEntry: false })?.mtimeMs;
}

function touch(path: string): void {
  const now = new Date();
  try {
    utimesSync(path, now, now);
  } catch {
    // The file was taken away by hand; nothing that we hold depends on it.
  }
}

function lockedError(directory: string, owner: ProcessIdentity | undefined): StartError {
  const who = owner === undefined ? 'another server' : `the server with process id ${owner.pid}`;
  return new StartError(
    'data-dir-locked',
    `Cannot use data directory "${directory}": ${who} uses it, allowed is one server per directory; ` +
      'stop that server, or choose another directory with --data-dir',
  );
}
