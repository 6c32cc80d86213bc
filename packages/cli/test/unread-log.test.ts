// A server whose log goes into a pipe that nobody reads any more: it answers, and it ends, as if somebody did.

import { type ChildProcess, execFileSync, spawn } from 'node:child_process';
import { once } from 'node:events';
import { closeSync, mkdtempSync, openSync, read, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import { afterEach, beforeEach, expect, it } from 'vitest';

const PROGRAM = fileURLToPath(new URL('../bin/rollcall.js', import.meta.url));
/** Each writes a line of more than 200 bytes, and a pipe holds 64 KiB. */
const REGISTRATIONS = 600;

let directory: string;
let pipe: number;
let server: ChildProcess;
beforeEach(() => {
  directory = mkdtempSync(join(tmpdir(), 'rollcall-unread-'));
  const fifo = join(directory, 'log');
  execFileSync('mkfifo', [fifo]);
  // Open for both, it has a reader that does not read. The server has its own, since it stops waiting on the one that it is given.
  pipe = openSync(fifo, 'r+');
  const log = openSync(fifo, 'r+');
  const args = ['start', '--port', '0', '--grpc-port-offset', '0', '--data-dir', join(directory, 'data')];
  server = spawn(process.execPath, [PROGRAM, ...args], { stdio: ['ignore', log, 'inherit'] });
  closeSync(log);
});
afterEach(async () => {
  if (server.exitCode === null && server.signalCode === null) {
    server.kill('SIGKILL');
    await once(server, 'exit');
  }
  closeSync(pipe);
  rmSync(directory, { recursive: true, force: true });
});

/** Reads the log up to the line that says where the server listens; other lines may come first. */
async function urlOfStart(): Promise<string> {
  const piece = Buffer.alloc(4096);
  let log = '';
  for (;;) {
    log += piece.toString('utf8', 0, (await promisify(read)(pipe, piece, 0, piece.length, null)).bytesRead);
    const url = /"url":"(http:[^" ]+)"/.exec(log)?.[1];
    if (url !== undefined) return url;
  }
}

async function register(url: string, number: number): Promise<number> {
  const ip = `10.0.${number >> 8}.${number & 255}`;
  const query = new URLSearchParams({ serviceName: 'unread', ip, port: '80', metadata: `{"number":"${number}"}` });
  const answer = await fetch(`${url}/nacos/v1/ns/instance?${query}`, { method: 'POST' });
  await answer.text();
  return answer.status;
}

it('answers, and ends with exit code 0', async () => {
  const url = await urlOfStart();
  for (let from = 0; from < REGISTRATIONS; from += 50) {
    const numbers = Array.from({ length: 50 }, (_, index) => from + index);
    expect(new Set(await Promise.all(numbers.map((number) => register(url, number))))).toEqual(new Set([200]));
  }
  server.kill('SIGTERM');
  expect(await once(server, 'exit')).toEqual([0, null]);
}, 30_000);
