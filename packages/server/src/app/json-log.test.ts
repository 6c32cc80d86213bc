// Lines on a real file descriptor: in order, together, and bounded when nobody reads.

import { execFileSync } from 'node:child_process';
import { closeSync, mkdtempSync, openSync, read, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';
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

it('gives up a flush when nobody reads the pipe, and goes on when somebody does', async () => {
  const fifo = join(directory, 'fifo');
  execFileSync('mkfifo', [fifo]);
  // Open for both, a pipe has a reader that does not read.
  const pipe = openSync(fifo, 'r+');
  const log = new JsonLog({ fd: pipe, level: 'info' });
  const text = 'x'.repeat(1023);
  for (let number = 0; number < 200; number++) log.logger.log('info', 'unread', { text });
  expect(await log.flush()).toBe(false);
  const piece = Buffer.alloc(64 * 1024);
  let bytes = 0;
  // Not synchronous: an empty pipe would wait here for the next write, which waits for this thread.
  while (bytes < 200 * text.length) bytes += (await promisify(read)(pipe, piece, 0, piece.length, null)).bytesRead;
  expect(await log.flush()).toBe(true);
  closeSync(pipe);
});
