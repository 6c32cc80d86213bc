// Our server as a contender: the same program and arguments as a user's, on a free port and a fresh data directory.
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { fileURLToPath } from 'node:url';
import { findFreePort, startChildServer, stopChildServer } from './child-server.js';
import type { Contender } from './contender.js';

/** Our server, with the time that its start took. */
export interface RollcallContender extends Contender {
  readonly pid: number;
  /** From the spawn call to the first answer, in milliseconds. */
  readonly firstAnswerMs: number;
  /** Stops it and starts it again with the same port and data. @returns when it answers */
  restart(): Promise<void>;
}

const PROGRAM = fileURLToPath(new URL('../../cli/bin/rollcall.js', import.meta.url));
const START_TIMEOUT_MS = 30_000;

/** Starts our server on core 0 and waits for its first answer. */
export async function startRollcall(): Promise<RollcallContender> {
  const dataDirectory = await mkdtemp(path.join(tmpdir(), 'rollcall-bench-'));
  const port = await findFreePort();
  const endpoint = { host: '127.0.0.1', port, contextPath: '/nacos' };
  const command = [process.execPath, PROGRAM, 'start', '--port', String(port), '--data-dir', dataDirectory];
  const start = () => startChildServer({ command, endpoint, startTimeoutMs: START_TIMEOUT_MS });
  let server = await start();
  return {
    name: 'rollcall',
    endpoint,
    get pid() {
      return server.pid;
    },
    firstAnswerMs: server.firstAnswerMs,
    restart: async () => {
      await stopChildServer(server.process);
      server = await start();
    },
    stop: async () => {
      await stopChildServer(server.process);
      await rm(dataDirectory, { recursive: true, force: true });
    },
  };
}
