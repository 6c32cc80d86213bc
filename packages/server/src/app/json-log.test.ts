// Lines on a real file descriptor: in order, together, and bounded when nobody reads.

import { closeSync, mkdtempSync, openSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, it } from 'vitest';
import { JsonLog } from './json-log.js';

let directory: string;
let path: string;
let fd: number;
beforeEach(() => {
  directory = mkdtempSync(join(tmpdir(), 'rollcall-log-'));
  path = join(directory, 'log');
  fd = openSync(path, 'w');
});
afterEach(() => {
  closeSync(fd);
  rmSync(directory, { recursive: true, force: true });
});

const lines = () =>
  readFileSync(path, 'utf8')
    .trimEnd()
    .split('\n')
    .map((line) => JSON.parse(line));

it('has written everything after a flush, in order', async () => {
  const log = new JsonLog({ fd, level: 'info' });
  for (let number = 0; number < 1000; number++) log.logger.log('info', 'counted', { number });
  await log.flush();
  expect(lines().map(({ number }) => number)).toEqual([...Array(1000).keys()]);
  await log.flush();
  expect(lines()).toHaveLength(1000);
});

it('drops what is too much for one who does not read, says how much, and goes on', async () => {
  const log = new JsonLog({ fd, level: 'info' });
  const text = 'x'.repeat(1024 * 1024);
  // The bound is 8 MiB: eight lines of a little over 1 MiB are too much.
  for (let number = 0; number < 9; number++) log.logger.log('info', 'large', { text });
  await new Promise(setImmediate);
  log.logger.log('info', 'small');
  await new Promise(setImmediate);
  await expect.poll(() => readFileSync(path, 'utf8')).toContain('log-lines-dropped');
  await log.flush();
  expect(lines().map(({ event, lines: count }) => [event, count])).toEqual([
    ...Array(7).fill(['large', undefined]),
    ['small', undefined],
    ['log-lines-dropped', 2],
  ]);
});
