// A handle on an SDK at work in a process of its own, which can be killed and frozen as an application would be.

import { type ChildProcessByStdio, spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { createInterface } from 'node:readline';
import type { Readable, Writable } from 'node:stream';
import type { FlowContext } from '../flow-context.js';
import { FlowFailure } from '../flow-failure.js';
import type { ListedHost } from '../naming-api.js';
import type { ServerEndpoint } from '../server-endpoint.js';
import type { SdkDriver } from './sdk-driver.js';
import type { SdkCall, SdkReport } from './sdk-message.js';

/** A call of a listener. */
export type SdkEvent = Extract<SdkReport, { kind: 'event' }>;

/** How to start a process. */
export interface SdkProcessOptions {
  /** Servers that its clients know; the flow's server by default. */
  readonly servers?: readonly ServerEndpoint[];
  readonly namespace?: string;
  /** Clients in the process; 1 by default. */
  readonly clients?: number;
}

const READY_TIMEOUT_MS = 60_000;
const CALL_TIMEOUT_MS = 30_000;
const OUTPUT_CHARS_KEPT = 2000;
const DEFAULT_GROUP = 'DEFAULT_GROUP';

/** An instance with the usual members. */
export function sdkInstance(fields: Partial<ListedHost> & Pick<ListedHost, 'ip'>): ListedHost {
  const usual = { port: 8080, weight: 1, healthy: true, enabled: true, ephemeral: true, clusterName: 'DEFAULT' };
  return { ...usual, metadata: {}, ...fields };
}

/** Processes start one after another: a JVM takes a second of CPU, which would spoil what others measure. */
let lastStart: Promise<unknown> = Promise.resolve();

/** An SDK in a process. */
export class SdkProcess {
  /** Every call of a listener so far, in order. */
  readonly events: SdkEvent[] = [];
  readonly #child: ChildProcessByStdio<Writable, Readable, Readable>;
  readonly #calls = new Map<number, (report: SdkReport) => void>();
  readonly #wakers = new Set<() => void>();
  #isReady = false;
  #lastId = 0;
  #output = '';

  private constructor(child: ChildProcessByStdio<Writable, Readable, Readable>) {
    this.#child = child;
    createInterface({ input: child.stdout }).on('line', (line) => this.#take(line));
    child.stderr.setEncoding('utf8').on('data', (part: string) => {
      this.#output = (this.#output + part).slice(-OUTPUT_CHARS_KEPT);
    });
    child.on('exit', () => this.#wake());
    // Writing to a process that was killed fails; the calls notice by their time limit.
    child.stdin.on('error', () => {});
  }

  /** Starts a process and waits until its clients are ready; it is killed when the flow ends. */
  static start(context: FlowContext, driver: SdkDriver, options: SdkProcessOptions = {}): Promise<SdkProcess> {
    const started = lastStart.then(() => SdkProcess.#start(context, driver, options));
    lastStart = started.catch(() => undefined);
    return started;
  }

  static async #start(context: FlowContext, driver: SdkDriver, options: SdkProcessOptions): Promise<SdkProcess> {
    const { command, args } = await driver.prepare();
    const servers = (options.servers ?? [context.server.endpoint]).map(({ host, port }) => `${host}:${port}`);
    const own = [servers.join(','), options.namespace ?? 'public', String(options.clients ?? 1)];
    // SDKs keep logs and lists in the home folder, and would read those of others at their start.
    const home = await mkdtemp(path.join(tmpdir(), 'rollcall-sdk-'));
    const child = spawn(command, [...args, ...own], {
      cwd: home,
      env: { ...process.env, HOME: home },
      stdio: ['pipe', 'pipe', 'pipe'],
    });
    const sdk = new SdkProcess(child);
    context.defer(async () => {
      await sdk.kill();
      await rm(home, { recursive: true, force: true });
    });
    await sdk.#until(() => (sdk.#isReady ? true : undefined), 'Ready', READY_TIMEOUT_MS);
    return sdk;
  }

  /** Registers an instance. */
  async register(service: string, instance: ListedHost, group = DEFAULT_GROUP): Promise<void> {
    await this.#call({ call: 'register', service, group, instances: [instance] });
  }

  /** Deregisters an instance. */
  async deregister(service: string, instance: ListedHost, group = DEFAULT_GROUP): Promise<void> {
    await this.#call({ call: 'deregister', service, group, instances: [instance] });
  }

  /** Registers several instances in place of those that the client has in the service. */
  async batch(service: string, instances: readonly ListedHost[], group = DEFAULT_GROUP): Promise<void> {
    await this.#call({ call: 'batch', service, group, instances });
  }

  /** All instances of a service, asked from the server. */
  async query(service: string, group = DEFAULT_GROUP): Promise<readonly ListedHost[]> {
    const report = await this.#call({ call: 'query', service, group, instances: [] });
    return report.kind === 'answer' ? (report.hosts ?? []) : [];
  }

  /** Adds a listener; its calls come to `events`. */
  async subscribe(service: string, group = DEFAULT_GROUP): Promise<void> {
    await this.#call({ call: 'subscribe', service, group, instances: [] });
  }

  /**
   * Waits for a call of a listener, from the given index of `events` on.
   *
   * @throws FlowFailure with the last event when none comes in time
   */
  waitForEvent(
    wanted: string,
    matches: (event: SdkEvent) => boolean,
    options: { readonly timeoutMs: number; readonly fromIndex?: number },
  ): Promise<SdkEvent> {
    const find = (): SdkEvent | undefined => this.events.slice(options.fromIndex ?? 0).find(matches);
    return this.#until(find, wanted, options.timeoutMs);
  }

  /** Ends the process without any chance to clean up (`kill -9`), and waits until it is gone. */
  async kill(): Promise<void> {
    if (this.#hasEnded) return;
    const exited = once(this.#child, 'exit');
    this.#child.kill('SIGKILL');
    await exited;
  }

  /** Stops the process where it is (SIGSTOP): its connections stay open and silent. */
  freeze(): void {
    this.#child.kill('SIGSTOP');
  }

  /** Lets a frozen process go on (SIGCONT). */
  resume(): void {
    this.#child.kill('SIGCONT');
  }

  get #hasEnded(): boolean {
    return this.#child.exitCode !== null || this.#child.signalCode !== null;
  }

  async #call(call: Omit<SdkCall, 'id'>): Promise<SdkReport> {
    this.#lastId += 1;
    const id = this.#lastId;
    let answer: SdkReport | undefined;
    this.#calls.set(id, (report) => {
      answer = report;
    });
    this.#child.stdin.write(`${JSON.stringify({ id, ...call })}\n`);
    const report = await this.#until(() => answer, `Answer to "${call.call}"`, CALL_TIMEOUT_MS);
    this.#calls.delete(id);
    if (report.kind === 'refusal') throw new FlowFailure(`SDK refused "${call.call}": ${report.message}`);
    return report;
  }

  #take(line: string): void {
    // Some SDKs write their log to standard output.
    if (!line.startsWith('{"kind":')) return;
    const report = JSON.parse(line) as SdkReport;
    if (report.kind === 'ready') this.#isReady = true;
    else if (report.kind === 'event') this.events.push(report);
    else this.#calls.get(report.id)?.(report);
    this.#wake();
  }

  async #until<T>(find: () => T | undefined, wanted: string, timeoutMs: number): Promise<T> {
    const endsAtMs = Date.now() + timeoutMs;
    for (;;) {
      const found = find();
      if (found !== undefined) return found;
      const leftMs = endsAtMs - Date.now();
      if (leftMs <= 0 || this.#hasEnded)
        throw this.#failure(wanted, leftMs <= 0 ? `not in ${timeoutMs} ms` : 'process ended');
      await this.#nextWake(leftMs);
    }
  }

  #failure(wanted: string, why: string): FlowFailure {
    const last = JSON.stringify(this.events.at(-1)?.hosts.slice(0, 5));
    return new FlowFailure(`${wanted}: ${why}; last event ${last}; the SDK wrote "${this.#output.slice(-300)}"`);
  }

  #nextWake(timeoutMs: number): Promise<void> {
    return new Promise((resolve) => {
      const wake = (): void => {
        clearTimeout(timer);
        this.#wakers.delete(wake);
        resolve();
      };
      const timer = setTimeout(wake, timeoutMs);
      this.#wakers.add(wake);
    });
  }

  #wake(): void {
    for (const wake of [...this.#wakers]) wake();
  }
}
