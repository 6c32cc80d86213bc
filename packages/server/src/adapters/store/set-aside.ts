// Damaged files are never deleted and never stop a start: they get a name that says when, for whoever wants to look.

import { existsSync } from 'node:fs';
import type { EpochMs } from '@rollcall/runtime';

/** `2026-11-30T04-05-06Z`: a UTC time that every file system takes as part of a name. */
export function fileTime(wall: EpochMs): string {
  return `${new Date(wall).toISOString().slice(0, 19).replaceAll(':', '-')}Z`;
}

/** A free path for a damaged file: `<path>.damaged-<time>`, numbered when that exists. */
export function asidePath(path: string, wall: EpochMs): string {
  const wanted = `${path}.damaged-${fileTime(wall)}`;
  let free = wanted;
  for (let number = 2; existsSync(free); number++) free = `${wanted}-${number}`;
  return free;
}
