// A Rollcall server of its own process for tests, started by the command that users run, on a port that stays the same.

import { type ChildProcess, spawn } from 'node:child_process';
import { randomInt } from 'node:crypto';
import { once } from 'node:events';
import { mkdtemp, rm } from 'node:fs/promises';
import { createServer } from 'node:net';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';
import { fileURLToPath } from 'node:url';

const PROGRAM = fileURLToPath(new URL('../../cli/bin/rollcall.js', import.meta.url));
const START_TIMEOUT_MS = 60_000;

export class RollcallServer {
  readonly port: number;
  readonly #dataDirectory: string;
  #child: ChildProcess | undefined;
  #output = '';

  private constructor(port: number, dataDirectory: string) {
    this.port = port;
    this.#dataDirectory = dataDirectory;
  }

  static async start(): Promise<RollcallServer> {
    const server = new RollcallServer(await freePort(), await mkdtemp(path.join(tmpdir(), 'rollcall-client-test-')));
    await server.start();
    return server;
  }

  get address(): string {
    return `127.0.0.1:${this.port}`;
  }

  async start(): Promise<void> {
    const args = [PROGRAM, 'start', '--port', String(this.port), '--data-dir', this.#dataDirectory];
    const child = spawn(process.execPath, args, { stdio: ['ignore', 'pipe', 'pipe'] });
    for (const stream of [child.stdout, child.stderr]) stream.on('data', (text) => (this.#output += text));
    this.#child = child;
    this.#output = '';
    const endsAt = Date.now() + START_TIMEOUT_MS;
    while (!(await this.#answers())) {
      if (Date.now() > endsAt || child.exitCode !== null)
        throw new Error(`No server (${child.exitCode ?? 'no'} exit code): ${this.#output.slice(-2000)}`);
      await pause(20);
    }
  }

  /** Ends the process at once, as `kill -9` does. */
  async kill(): Promise<void> {
    const child = this.#child;
    this.#child = undefined;
    if (child === undefined || child.exitCode !== null) return;
    const exited = once(child, 'exit');
    child.kill('SIGKILL');
    await exited;
  }

  /** Removes all that it has stored; it must not run. */
  async forget(): Promise<void> {
    await rm(this.#dataDirectory, { recursive: true, force: true });
  }

  /** Stops the process as a machine does that hangs: connections stay, nothing is answered; or lets it go on. */
  freeze(how: 'stop' | 'go-on'): void {
    this.#child?.kill(how === 'stop' ? 'SIGSTOP' : 'SIGCONT');
  }

  /** Ends it for good. */
  async dispose(): Promise<void> {
    await this.kill();
    await rm(this.#dataDirectory, { recursive: true, force: true });
  }

  /** Hosts as any other client sees them. */
  async hosts(grouped: string, namespace = 'public'): Promise<Record<string, unknown>[]> {
    const query = new URLSearchParams({ serviceName: grouped, namespaceId: namespace });
    const answer = await fetch(`http://${this.address}/nacos/v1/ns/instance/list?${query}`);
    return ((await answer.json()) as { hosts: Record<string, unknown>[] }).hosts;
  }

  async #answers(): Promise<boolean> {
    try {
      return (await fetch(`http://${this.address}/nacos/v1/ns/instance/list?serviceName=first.answer`)).ok;
    } catch {
      return false;
    }
  }
}

/**
 * A port that nobody listens on, with its gRPC port, below those that systems give to outgoing connections: of those a client
 * that tries while the server is away may get the server's own.
 */
export async function freePort(): Promise<number> {
  for (;;) {
    const port = randomInt(20_000, 31_000);
    if ((await isFree(port)) && (await isFree(port + 1000))) return port;
  }
}

async function isFree(port: number): Promise<boolean> {
  const server = createServer().listen(port, '127.0.0.1');
  try {
    await once(server, 'listening');
    return true;
  } catch {
    return false;
  } finally {
    server.close();
  }
}

/** Waits until something holds; the test's own time limit ends it. */
export async function until(holds: () => boolean | Promise<boolean>): Promise<void> {
  while (!(await holds())) await pause(10);
}
