// A handle on one npm client in a process of its own.

import { type ChildProcess, fork } from 'node:child_process';
import { once } from 'node:events';
import { fileURLToPath } from 'node:url';
import type { FlowContext } from '../flow-context.js';
import { FlowFailure } from '../flow-failure.js';
import type { ListedHost } from '../naming-api.js';
import type { ServerEndpoint } from '../server-endpoint.js';
import type { ClientCall, ClientInstance, ClientQuery, ClientReport } from './npm-client-message.js';

/** One call of a listener. */
export interface ClientEvent {
  /** Which client of the process, from 0. */
  readonly client: number;
  readonly serviceName: string;
  /** Wall-clock time in milliseconds. */
  readonly atMs: number;
  readonly hosts: readonly ListedHost[];
}

/** How to start a client. */
export interface NpmClientOptions {
  /** Where it finds the server: the server itself, or a proxy before it. Of several it tries one after the other. */
  readonly endpoint: Pick<ServerEndpoint, 'host' | 'port'> | readonly Pick<ServerEndpoint, 'host' | 'port'>[];
  readonly namespace?: string;
  /** Clients in the process, each with a UDP socket of its own; 1 by default. All subscribe, the first does the rest. */
  readonly clients?: number;
}

const PROGRAM = fileURLToPath(new URL('./npm-client-process.js', import.meta.url));

/** Clients start one after another: loading the package takes a second of CPU, which would spoil what others measure. */
let lastStart: Promise<unknown> = Promise.resolve();

/** The client writes a stack to standard error for every poll that fails. */
const ERROR_CHARS_KEPT = 2000;

/** The package `nacos` at work in another process. */
export class NpmClient {
  /** Every call of a listener so far, in order. */
  readonly events: ClientEvent[] = [];
  readonly #child: ChildProcess;
  readonly #calls = new Map<number, { resolve(value: unknown): void; reject(error: Error): void }>();
  readonly #eventWaiters = new Set<() => void>();
  #lastId = 0;
  #openedAtMs = 0;
  #errorOutput = '';

  private constructor(child: ChildProcess) {
    this.#child = child;
    child.on('message', (report: ClientReport) => this.#take(report));
    child.stderr?.setEncoding('utf8').on('data', (part: string) => {
      this.#errorOutput = (this.#errorOutput + part).slice(-ERROR_CHARS_KEPT);
    });
    child.once('exit', () => {
      for (const { reject } of this.#calls.values()) reject(new Error('The npm client ended during a call'));
      this.#calls.clear();
    });
  }

  /** Starts a client and waits until it is ready; it is killed when the flow ends. */
  static start(context: Pick<FlowContext, 'defer'>, options: NpmClientOptions): Promise<NpmClient> {
    const started = lastStart.then(() => NpmClient.#start(context, options));
    lastStart = started.catch(() => undefined);
    return started;
  }

  static async #start(context: Pick<FlowContext, 'defer'>, options: NpmClientOptions): Promise<NpmClient> {
    const servers = [options.endpoint].flat().map(({ host, port }) => `${host}:${port}`);
    const args = [servers.join(), options.namespace ?? 'public', String(options.clients ?? 1)];
    const child = fork(PROGRAM, args, { stdio: ['ignore', 'ignore', 'pipe', 'ipc'] });
    const client = new NpmClient(child);
    context.defer(() => client.kill());
    await Promise.race([
      once(child, 'message'),
      once(child, 'exit').then(() =>
        Promise.reject(new FlowFailure(`The npm client ended before it was ready: ${client.#errorOutput}`)),
      ),
    ]);
    return client;
  }

  /** Wall-clock time in milliseconds at which the client was constructed, in its process. */
  get openedAtMs(): number {
    return this.#openedAtMs;
  }

  /** Registers an instance, which from then on beats if it is ephemeral. */
  async register(serviceName: string, instance: ClientInstance, groupName?: string): Promise<void> {
    await this.#call({ call: 'register', serviceName, instance, ...(groupName === undefined ? {} : { groupName }) });
  }

  /** Deregisters an instance and stops its beats. */
  async deregister(serviceName: string, instance: ClientInstance, groupName?: string): Promise<void> {
    await this.#call({ call: 'deregister', serviceName, instance, ...(groupName === undefined ? {} : { groupName }) });
  }

  /** Asks for instances, by the cache or directly. */
  async instances(query: ClientQuery): Promise<readonly ListedHost[]> {
    return (await this.#call({ call: 'instances', query })) as readonly ListedHost[];
  }

  /** Adds a listener; its calls come to `events`. */
  async subscribe(query: ClientQuery): Promise<void> {
    await this.#call({ call: 'subscribe', query });
  }

  /** Takes the listener away that was added with the same query. */
  async unsubscribe(query: ClientQuery): Promise<void> {
    await this.#call({ call: 'unsubscribe', query });
  }

  /** `UP` or `DOWN`, as the client judges the server. */
  async status(): Promise<string> {
    return (await this.#call({ call: 'status' })) as string;
  }

  /**
   * Waits for a listener call, from the given index of `events` on.
   * @throws FlowFailure with the last event when none comes in time
   */
  async waitForEvent(
    wanted: string,
    matches: (event: ClientEvent) => boolean,
    options: { readonly timeoutMs: number; readonly fromIndex?: number },
  ): Promise<ClientEvent> {
    const endsAtMs = Date.now() + options.timeoutMs;
    for (;;) {
      const event = this.events.slice(options.fromIndex ?? 0).find(matches);
      if (event !== undefined) return event;
      const leftMs = endsAtMs - Date.now();
      if (leftMs <= 0) {
        throw new FlowFailure(`${wanted}: no such event, last one ${JSON.stringify(this.events.at(-1)?.hosts)}`);
      }
      await this.#nextEvent(leftMs);
    }
  }

  /** Ends the process without any chance to clean up (`kill -9`), and waits until it is gone. */
  async kill(): Promise<void> {
    if (this.#child.exitCode !== null || this.#child.signalCode !== null) return;
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

  #call(call: ClientCall): Promise<unknown> {
    const id = ++this.#lastId;
    return new Promise((resolve, reject) => {
      this.#calls.set(id, { resolve, reject });
      this.#child.send({ id, call });
    });
  }

  #take(report: ClientReport): void {
    switch (report.kind) {
      case 'ready':
        this.#openedAtMs = report.openedAtMs;
        return;
      case 'answer':
        this.#calls.get(report.id)?.resolve(report.value);
        this.#calls.delete(report.id);
        return;
      case 'refusal':
        this.#calls.get(report.id)?.reject(new FlowFailure(`The npm client refused: ${report.message}`));
        this.#calls.delete(report.id);
        return;
      case 'event':
        this.events.push(report);
        for (const wake of this.#eventWaiters) wake();
        return;
    }
  }

  #nextEvent(timeoutMs: number): Promise<void> {
    return new Promise((resolve) => {
      const wake = (): void => {
        clearTimeout(timer);
        this.#eventWaiters.delete(wake);
        resolve();
      };
      const timer = setTimeout(wake, timeoutMs);
      this.#eventWaiters.add(wake);
    });
  }
}
