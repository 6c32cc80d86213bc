// Damaged files are never deleted and never stop a start: they get a name that says when, for whoever wants to look.

import { existsSync, renameSync } from 'node:fs';
import type { EpochMs } from '@rollcall/runtime';

/** `2026-11-30T04-05-06Z`: a UTC time that every file system takes as part of a name. */
export function fileTime(wall: EpochMs): string {
  return `${new Date(wall).toISOString().slice(0, 19).replaceAll(':', '-')}Z`;
}

/**
 * Renames a file or directory to `<path>.damaged-<time>`, numbered when that exists.
 *
 * @returns the new path
 * @throws the file system's error when it can't be renamed
 */
export function setAside(path: string, wall: EpochMs): string {
  const wanted = `${path}.damaged-${fileTime(wall)}`;
  let free = wanted;
  for (let number = 2; existsSync(free); number++) free = `${wanted}-${number}`;
  renameSync(path, free);
  return free;
}
