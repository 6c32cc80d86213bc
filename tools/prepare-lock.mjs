// One process at a time prepares a clone. The lock is a folder (made in one step by the file system) that names its
// owner's process id. When the owner is gone without having removed it, exactly one of those who wait takes it over:
// the one that makes the folder `takeover` inside it.
import { mkdirSync, readFileSync, rmdirSync, rmSync, statSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';

const retryMs = 100;
const namelessMsMax = 5_000;
const waitMsMax = 600_000;

/** Runs `work` while holding the lock `folder`; waits for its owner, for 10 minutes at most. `say` gets one line when it has to wait. */
export async function withPrepareLock(folder, say, work) {
  await acquire(folder, say);
  const release = () => rmSync(folder, { recursive: true, force: true });
  // `work` may end the process with a message.
  process.once('exit', release);
  try {
    return await work();
  } finally {
    process.removeListener('exit', release);
    release();
  }
}

async function acquire(folder, say) {
  const waitUntil = Date.now() + waitMsMax;
  let hasSaid = false;
  while (!tryAcquire(folder)) {
    if (!hasSaid) say('waiting for another process that prepares this clone ...');
    hasSaid = true;
    if (Date.now() > waitUntil) {
      throw new Error(
        `Waited ${waitMsMax / 60_000} minutes for "${folder}"; remove that folder if nothing prepares this clone`,
      );
    }
    await sleep(retryMs);
  }
}

function tryAcquire(folder) {
  const isNew = makeFolder(folder);
  if (isNew || takeOver(folder)) {
    writeFileSync(ownerFile(folder), String(process.pid));
    return true;
  }
  return false;
}

function takeOver(folder) {
  if (isOwned(folder)) return false;
  const takeover = path.join(folder, 'takeover');
  if (!makeFolder(takeover)) return false;
  // Looked at again under the takeover: the lock may be another one by now.
  const isFree = !isOwned(folder);
  if (isFree) writeFileSync(ownerFile(folder), String(process.pid));
  rmdirSync(takeover);
  return isFree;
}

const ownerFile = (folder) => path.join(folder, 'owner');

function isOwned(folder) {
  try {
    return isAlive(Number(readFileSync(ownerFile(folder), 'utf8')));
  } catch {
    // No name yet: its maker is about to write it, or died in between.
    return Date.now() - timeMadeMs(folder) < namelessMsMax;
  }
}

function timeMadeMs(folder) {
  try {
    return statSync(folder).mtimeMs;
  } catch {
    // Released meanwhile; the next try makes it anew.
    return Date.now();
  }
}

function isAlive(pid) {
  try {
    process.kill(pid, 0);
    return true;
  } catch (error) {
    return error.code === 'EPERM';
  }
}

// Whether this process made the folder; false when it exists, or when its parent has been removed meanwhile.
function makeFolder(folder) {
  try {
    mkdirSync(folder);
    return true;
  } catch (error) {
    if (error.code === 'EEXIST' || error.code === 'ENOENT') return false;
    throw error;
  }
}
