// A server as a process of its own, on a free port and a data directory that stay the same over any number of restarts.
import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { rm } from 'node:fs/promises';
import { get } from 'node:http';
import { createServer } from 'node:net';
import { setTimeout as sleep } from 'node:timers/promises';
import type { ServerEndpoint } from './server-endpoint.js';

const FIRST_QUESTION = '/v1/ns/instance/list?serviceName=conformance.first.answer';
const POLL_PAUSE_MS = 5;
/** Who has waited long is asked less often, so that asking does not take the time that it needs. */
const LONG_MS = 10_000;
const LONG_PAUSE_MS = 250;
/** The server promises to end within 5 s. */
const STOP_TIMEOUT_MS = 10_000;
const OUTPUT_CHARS_KEPT = 8000;

/** What is started. */
export interface ServerProgram {
  readonly command: string;
  readonly args: readonly string[];
  /** Longest time to its first answer, ms. */
  readonly startTimeoutMs: number;
}

/** A server that can be started, stopped and killed. */
export class ServerProcess {
  readonly endpoint: ServerEndpoint;
  readonly dataDirectory: string;
  #child: ChildProcess | undefined;
  #output = '';

  readonly #program: ServerProgram;

  /** Nothing runs yet. @param dataDirectory - removed at the end */
  constructor(endpoint: ServerEndpoint, dataDirectory: string, program: ServerProgram) {
    this.endpoint = endpoint;
    this.dataDirectory = dataDirectory;
    this.#program = program;
  }

  /** The end of what the server printed, all starts together. */
  get output(): string {
    return this.#output;
  }

  /** Starts the process without waiting for it. */
  spawn(): void {
    const { command, args } = this.#program;
    const child = spawn(command, [...args], { stdio: ['ignore', 'pipe', 'pipe'] });
    for (const stream of [child.stdout, child.stderr]) {
      stream.setEncoding('utf8').on('data', (part: string) => {
        this.#output = (this.#output + part).slice(-OUTPUT_CHARS_KEPT);
      });
    }
    this.#child = child;
  }

  /**
   * Starts the process and waits for its first answer; the time that took is returned in milliseconds.
   * @throws Error when it ends or stays silent, with what it printed
   */
  async start(): Promise<number> {
    const startedAtMs = performance.now();
    this.spawn();
    while (!(await this.#answers())) {
      const waitedMs = performance.now() - startedAtMs;
      if (this.#child?.exitCode !== null || waitedMs > this.#program.startTimeoutMs) {
        throw new Error(`The server gave no answer within ${Math.round(waitedMs)} ms; it printed:\n${this.#output}`);
      }
      await sleep(waitedMs > LONG_MS ? LONG_PAUSE_MS : POLL_PAUSE_MS);
    }
    return performance.now() - startedAtMs;
  }

  /** Sends the signal and waits for the end; a process that has not ended 10 s after SIGTERM is an error. */
  async stop(signal: 'SIGTERM' | 'SIGKILL'): Promise<void> {
    const child = this.#child;
    if (child === undefined || child.exitCode !== null || child.signalCode !== null) return;
    const exited = once(child, 'exit');
    child.kill(signal);
    const isOver = await Promise.race([exited.then(() => true), sleep(STOP_TIMEOUT_MS, false, { ref: false })]);
    if (isOver) return;
    child.kill('SIGKILL');
    throw new Error(`The server did not end within ${STOP_TIMEOUT_MS} ms after ${signal}`);
  }

  /** Kills the process and removes its data. */
  async remove(): Promise<void> {
    await this.stop('SIGKILL');
    await rm(this.dataDirectory, { recursive: true, force: true });
  }

  #answers(): Promise<boolean> {
    const { host, port, contextPath } = this.endpoint;
    return new Promise((resolve) => {
      const request = get({ host, port, path: `${contextPath}${FIRST_QUESTION}`, agent: false }, (response) => {
        response.resume().once('end', () => resolve(response.statusCode === 200));
      });
      request.once('error', () => resolve(false));
    });
  }
}

/** A port of loopback that nobody listens on. */
export async function findFreePort(): Promise<number> {
  const server = createServer().listen(0, '127.0.0.1');
  await once(server, 'listening');
  const address = server.address();
  server.close();
  await once(server, 'close');
  if (address === null || typeof address === 'string') throw new Error('Cannot find a free port: no address given');
  return address.port;
}
