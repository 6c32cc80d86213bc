// Starts a server as a process of its own and waits for its first answer. Ends it again by its process id only.
import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { get } from 'node:http';
import { createServer } from 'node:net';
import { setTimeout as sleep } from 'node:timers/promises';
import { pinnedCommand } from './core-pinning.js';
import type { Endpoint } from './endpoint.js';

/** A server process that has answered at least once. */
export interface ChildServer {
  readonly process: ChildProcess;
  readonly pid: number;
  /** From the spawn call to the first complete answer of HTTP status 200, in milliseconds. */
  readonly firstAnswerMs: number;
}

/** How to start a server. */
export interface ChildServerPlan {
  /** Program and arguments. */
  readonly command: readonly string[];
  /** Additional environment. */
  readonly environment?: Readonly<Record<string, string>>;
  readonly endpoint: Endpoint;
  /** Longest wait for the first answer, in milliseconds. */
  readonly startTimeoutMs: number;
}

const FIRST_QUESTION = '/v1/ns/instance/list?serviceName=bench.first.answer';
const POLL_PAUSE_MS = 2;
const STOP_TIMEOUT_MS = 10_000;
const OUTPUT_CHARS_KEPT = 4000;

/** A TCP port of the loopback address that was free a moment ago. */
export async function findFreePort(): Promise<number> {
  const server = createServer().listen(0, '127.0.0.1');
  await once(server, 'listening');
  const address = server.address();
  server.close();
  await once(server, 'close');
  if (address === null || typeof address === 'string') throw new Error('Cannot find a free port: no address given');
  return address.port;
}

/**
 * Starts a server and waits for its first answer.
 * @throws Error when it ends or stays silent, with the end of what it printed
 */
export async function startChildServer(plan: ChildServerPlan): Promise<ChildServer> {
  const [program = '', ...args] = pinnedCommand(plan.command);
  const startedAtMs = performance.now();
  const child = spawn(program, args, {
    env: { ...process.env, ...plan.environment },
    stdio: ['ignore', 'pipe', 'pipe'],
  });
  const output = collectOutput(child);
  const ended = new Promise<never>((_, reject) => {
    child.once('error', (error) => reject(new Error(`Cannot start "${plan.command.join(' ')}": ${error.message}`)));
    child.once('exit', (code, signal) =>
      reject(new Error(`The server ended with ${signal ?? `code ${code}`} before it answered:\n${output()}`)),
    );
  });
  try {
    await Promise.race([waitForAnswer(plan, startedAtMs, output), ended]);
  } catch (error) {
    child.kill('SIGKILL');
    throw error;
  }
  ended.catch(() => undefined); // From now on an exit is the stop that was asked for.
  return { process: child, pid: child.pid ?? 0, firstAnswerMs: performance.now() - startedAtMs };
}

/** Asks a process to end, and kills it when it has not after 10 s. */
export async function stopChildServer(child: ChildProcess): Promise<void> {
  if (child.exitCode !== null || child.signalCode !== null) return;
  const exited = once(child, 'exit');
  child.kill('SIGTERM');
  const timer = setTimeout(() => child.kill('SIGKILL'), STOP_TIMEOUT_MS);
  await exited;
  clearTimeout(timer);
}

function collectOutput(child: ChildProcess): () => string {
  let text = '';
  for (const stream of [child.stdout, child.stderr]) {
    stream?.setEncoding('utf8').on('data', (part: string) => {
      text = (text + part).slice(-OUTPUT_CHARS_KEPT);
    });
  }
  return () => text;
}

async function waitForAnswer(plan: ChildServerPlan, startedAtMs: number, output: () => string): Promise<void> {
  while (!(await answers(plan.endpoint))) {
    if (performance.now() - startedAtMs > plan.startTimeoutMs) {
      throw new Error(`The server gave no answer within ${plan.startTimeoutMs} ms:\n${output()}`);
    }
    await sleep(POLL_PAUSE_MS);
  }
}

function answers(endpoint: Endpoint): Promise<boolean> {
  return new Promise((resolve) => {
    const path = `${endpoint.contextPath}${FIRST_QUESTION}`;
    const request = get({ host: endpoint.host, port: endpoint.port, path, agent: false }, (response) => {
      response.resume().once('end', () => resolve(response.statusCode === 200));
    });
    request.once('error', () => resolve(false));
  });
}
