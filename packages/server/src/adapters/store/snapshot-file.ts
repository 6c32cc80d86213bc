// Writes snapshots: beside the place under a temporary name, flushed to disk, then renamed, so a snapshot is there whole
// or not at all.

import { closeSync, fsyncSync, openSync, renameSync, rmSync, writeSync } from 'node:fs';
import { open } from 'node:fs/promises';
import type { JournalEntry } from '../../core/journal-entry.js';
import { endLine, entryLines, headLine, LINE_ENTRIES_MAX } from './log-format.js';

/** What to write, and where. */
export interface SnapshotWrite {
  readonly path: string;
  readonly generation: number;
  /** Taken from one by one; a slow snapshot takes them over many turns of the event loop. */
  readonly entries: Iterable<JournalEntry>;
}

/** Ending of names of files that are not complete; what has it at a start is deleted. */
export const TEMPORARY_SUFFIX = '.tmp';

/** Entries taken and encoded between two turns of the event loop: a few ms. */
const SLICE_ENTRIES = 2 * LINE_ENTRIES_MAX;

/**
 * Writes a snapshot slice by slice, letting the event loop turn between two.
 *
 * @param isCancelled - asked before each slice and before the rename
 * @returns bytes written; undefined when cancelled, nothing is left behind then
 * @throws the file system's error; nothing is left behind
 */
export async function writeSnapshot(write: SnapshotWrite, isCancelled: () => boolean): Promise<number | undefined> {
  const temporary = write.path + TEMPORARY_SUFFIX;
  try {
    const bytes = await writeSlices(temporary, write, isCancelled);
    if (bytes !== undefined && !isCancelled()) {
      renameSync(temporary, write.path);
      return bytes;
    }
  } catch (error) {
    rmSync(temporary, { force: true });
    throw error;
  }
  rmSync(temporary, { force: true });
  return undefined;
}

/** Writes a snapshot at once, for the end of a process. @returns bytes written @throws as {@link writeSnapshot} */
export function writeSnapshotSync(write: SnapshotWrite): number {
  const temporary = write.path + TEMPORARY_SUFFIX;
  let bytes = 0;
  try {
    const file = openSync(temporary, 'w', 0o640);
    try {
      for (const slice of slicesOf(write)) {
        for (let written = 0; written < slice.length; ) written += writeSync(file, slice, written);
        bytes += slice.length;
      }
      fsyncSync(file);
    } finally {
      closeSync(file);
    }
    renameSync(temporary, write.path);
  } catch (error) {
    rmSync(temporary, { force: true });
    throw error;
  }
  return bytes;
}

async function writeSlices(
  path: string,
  write: SnapshotWrite,
  isCancelled: () => boolean,
): Promise<number | undefined> {
  const file = await open(path, 'w', 0o640);
  let bytes = 0;
  try {
    for (const slice of slicesOf(write)) {
      if (isCancelled()) return undefined;
      // writeFile on an open file goes on where it is, and writes everything.
      await file.writeFile(slice);
      bytes += slice.length;
    }
    await file.sync();
  } finally {
    await file.close();
  }
  return bytes;
}

function* slicesOf({ generation, entries }: SnapshotWrite): Generator<Buffer> {
  yield headLine('snapshot', generation);
  let slice: JournalEntry[] = [];
  let count = 0;
  for (const entry of entries) {
    slice.push(entry);
    if (slice.length < SLICE_ENTRIES) continue;
    count += slice.length;
    yield Buffer.concat([...entryLines(slice)]);
    slice = [];
  }
  count += slice.length;
  yield Buffer.concat([...entryLines(slice), endLine(count)]);
}
