// A MariaDB server of one's own: data in a temporary folder, a free port on loopback, ended by the test.

import { type ChildProcess, execFile, spawn } from 'node:child_process';
import { accessSync, constants } from 'node:fs';
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { promisify } from 'node:util';
import { nodeTimers } from '@rollcall/runtime';
import { closedPort } from './probe-listeners.test-support.js';
import { probeTcp } from './tcp-probe.js';

/** Where Debian's package `mariadb-server` puts the server. */
const SERVER = '/usr/sbin/mariadbd';
const INSTALLER = '/usr/bin/mariadb-install-db';
const START_TIMEOUT_MS = 60_000;

/** A running server. */
export interface MariaDb {
  readonly port: number;
  stop(): Promise<void>;
}

/** Whether the server is installed on this machine. */
export function hasMariaDb(): boolean {
  try {
    for (const program of [SERVER, INSTALLER]) accessSync(program, constants.X_OK);
    return true;
  } catch {
    return false;
  }
}

/** Makes a database and starts a server on it. @param sql - statements, one a line, made before anybody connects */
export async function startMariaDb(sql: readonly string[]): Promise<MariaDb> {
  const directory = await mkdtemp(join(tmpdir(), 'rollcall-mariadb-'));
  const data = join(directory, 'data');
  // The server refuses to run as root unless told so.
  const user = process.getuid?.() === 0 ? ['--user=root'] : [];
  await promisify(execFile)(INSTALLER, ['--no-defaults', `--datadir=${data}`, ...user, '--skip-test-db']);
  const initFile = join(directory, 'init.sql');
  await writeFile(initFile, `${sql.join('\n')}\n`);
  const port = await closedPort();
  const options = {
    datadir: data,
    socket: join(directory, 's'),
    'pid-file': join(directory, 'pid'),
    'init-file': initFile,
  };
  const args = Object.entries({ ...options, port, 'bind-address': '127.0.0.1' }).map(
    ([name, value]) => `--${name}=${value}`,
  );
  const server = spawn(SERVER, ['--no-defaults', ...args, ...user, '--skip-name-resolve'], { stdio: 'ignore' });
  const stop = async () => {
    await ended(server);
    await rm(directory, { recursive: true, force: true });
  };
  try {
    await listening(port, server);
  } catch (error) {
    await stop();
    throw error;
  }
  return { port, stop };
}

async function listening(port: number, server: ChildProcess): Promise<void> {
  for (const endsAt = Date.now() + START_TIMEOUT_MS; Date.now() < endsAt; await sleep(50)) {
    if (server.exitCode !== null) throw new Error(`${SERVER} ended with ${server.exitCode}`);
    if ((await probeTcp({ ip: '127.0.0.1', port, timeoutMs: 500 }, nodeTimers)).type === 'ok') return;
  }
  throw new Error(`${SERVER} does not listen after ${START_TIMEOUT_MS} ms`);
}

async function ended(server: ChildProcess): Promise<void> {
  if (server.exitCode !== null) return;
  const exit = new Promise((resolve) => server.once('exit', resolve));
  server.kill('SIGKILL');
  await exit;
}
