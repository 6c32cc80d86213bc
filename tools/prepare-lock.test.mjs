// The lock under which a clone is prepared, with real folders and process ids.
import { spawnSync } from 'node:child_process';
import { existsSync, mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import { afterEach, beforeEach, expect, it } from 'vitest';
import { withPrepareLock } from './prepare-lock.mjs';

let folder;
let said;
beforeEach(() => {
  folder = path.join(mkdtempSync(path.join(os.tmpdir(), 'rollcall-lock-')), 'lock');
  said = [];
});
afterEach(() => rmSync(path.dirname(folder), { recursive: true }));

const say = (text) => said.push(text);
const endedPid = () => spawnSync(process.execPath, ['-e', '']).pid;

it('lets one in at a time, and says once that it waits', async () => {
  const steps = [];
  let leave;
  const first = withPrepareLock(folder, say, () => {
    steps.push('first in');
    return new Promise((resolve) => {
      leave = resolve;
    });
  });
  await expect.poll(() => steps).toEqual(['first in']);
  const second = withPrepareLock(folder, say, () => steps.push('second in'));
  await expect.poll(() => said.length).toBe(1);
  expect(steps).toEqual(['first in']);
  leave();
  await Promise.all([first, second]);
  expect(steps).toEqual(['first in', 'second in']);
  expect(said).toHaveLength(1);
  expect(existsSync(folder)).toBe(false);
});

it('is released when the work fails', async () => {
  const failing = withPrepareLock(folder, say, () => {
    throw new Error('no space');
  });
  await expect(failing).rejects.toThrow('no space');
  expect(existsSync(folder)).toBe(false);
});

it('is taken over by exactly one when its owner is gone', async () => {
  mkdirSync(folder);
  writeFileSync(path.join(folder, 'owner'), String(endedPid()));
  let inside = 0;
  let insideMax = 0;
  const work = async () => {
    inside += 1;
    insideMax = Math.max(insideMax, inside);
    await new Promise(setImmediate);
    inside -= 1;
  };
  await Promise.all([1, 2, 3].map(() => withPrepareLock(folder, say, work)));
  expect(insideMax).toBe(1);
  expect(existsSync(folder)).toBe(false);
});
