// The story of the demo: a registry, three providers and two consumers as real processes; one provider leaves, one crashes, one
// freezes, one consumer loses a push. Told as it happens, with the account at the end, in under a minute.

import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import type { WhyAnswer } from '@rollcall/server';
import type { Language } from '../language.js';
import { ServerApi } from '../server-api.js';
import { accountText } from '../shown-account.js';
import type { Terminal } from '../terminal.js';
import { DemoProcess } from './demo-process.js';

const SERVICE = 'orders';
/** How long everybody is well. */
const CALM_MS = 4000;
/** The default heart-beat timeout, after which the two that fell silent are unhealthy, and some more. */
const DETECTED_MS = 16_000;
/** A lost push is sent again after 10 s. */
const RESENT_MS = 10_500;
const THAW_MS = 3000;

/** Tells the story. */
export class DemoStory {
  readonly #terminal: Terminal;
  readonly #language: Language;
  readonly #startedAt = performance.now();
  readonly #directory = mkdtempSync(join(tmpdir(), 'rollcall-demo-'));
  readonly #processes: DemoProcess[] = [];
  /** Names of providers by port. */
  readonly #names = new Map<number, string>();
  /** Calls that failed, by consumer and provider. */
  readonly #failed = new Map<string, number>();

  constructor(terminal: Terminal, language: Language) {
    this.#terminal = terminal;
    this.#language = language;
  }

  /** Plays it. @param signal - ends it early */
  async play(signal: AbortSignal): Promise<void> {
    const url = await this.#startServer();
    const ports: number[] = [];
    const providers = ['one', 'two', 'three'].map((name) => this.#start(`provider ${name}`, 'demo-provider', url));
    for (const [i, provider] of providers.entries()) {
      const { port } = await provider.told('serving');
      ports.push(port);
      this.#names.set(port, `provider ${['one', 'two', 'three'][i]}`);
      this.#say(`provider ${['one', 'two', 'three'][i]}`, `serves on 127.0.0.1:${port}, registers, beats every second`);
    }
    const consumers = await this.#startConsumers(url);
    await sleep(CALM_MS, undefined, { signal });
    const [crashing, leaving, freezing] = providers as [DemoProcess, DemoProcess, DemoProcess];
    await this.#leave(leaving);
    this.#say('provider one', 'crashes (kill -9)');
    crashing.signal('SIGKILL');
    consumers[1]?.tell('lose-next');
    await sleep(1000, undefined, { signal });
    this.#say('provider three', 'freezes (SIGSTOP)');
    freezing.signal('SIGSTOP');
    await sleep(DETECTED_MS, undefined, { signal });
    this.#say('provider three', 'goes on (SIGCONT)');
    freezing.signal('SIGCONT');
    await sleep(THAW_MS, undefined, { signal });
    await sleep(RESENT_MS - THAW_MS, undefined, { signal });
    await this.#accounts(url, ports);
  }

  /** Ends all processes and removes what they wrote. */
  async end(): Promise<void> {
    await Promise.all(this.#processes.map((each) => each.kill()));
    rmSync(this.#directory, { recursive: true, force: true });
  }

  async #startServer(): Promise<string> {
    const flags = ['--port', '0', '--grpc-port-offset', '0', '--log-format', 'json', '--data-dir', this.#directory];
    const server = new DemoProcess(['start', ...flags]);
    this.#processes.push(server);
    const [, url = ''] = await server.printed(/"url":"(http:[^" ]+)/);
    this.#say('server', `ready at ${url}`);
    return url;
  }

  #start(name: string, command: string, url: string): DemoProcess {
    const started = new DemoProcess([command, url, SERVICE]);
    this.#processes.push(started);
    started.onMessage((message) => {
      if (message.type === 'list') this.#say(name, `is pushed: ${this.#namesOf(message.ports)} healthy`);
      if (message.type === 'lost') this.#say(name, 'loses a push on the way');
      if (message.type === 'failed') this.#countFailure(name, message.port);
    });
    return started;
  }

  async #startConsumers(url: string): Promise<readonly DemoProcess[]> {
    const consumers: DemoProcess[] = [];
    for (const name of ['consumer A', 'consumer B']) {
      const consumer = this.#start(name, 'demo-consumer', url);
      const { udpPort } = await consumer.told('subscribed');
      this.#say(name, `subscribes as 127.0.0.1:${udpPort} and calls 20 times a second`);
      consumers.push(consumer);
    }
    return consumers;
  }

  async #leave(provider: DemoProcess): Promise<void> {
    this.#say('provider two', 'leaves (SIGTERM): deregisters and waits for its subscribers');
    const left = provider.told('left');
    provider.signal('SIGTERM');
    this.#say('provider two', `has left: ${(await left).told}`);
  }

  async #accounts(url: string, ports: readonly number[]): Promise<void> {
    const { print, colors } = this.#terminal;
    const api = new ServerApi(url);
    for (const port of ports) {
      const name = this.#names.get(port);
      print(`\n${colors.cyan(`$ rollcall why ${SERVICE} 127.0.0.1:${port}`)}${colors.dim(`    # ${name}`)}`);
      const parameters = { serviceName: SERVICE, ip: '127.0.0.1', port, lang: this.#language };
      const answer = await api.json<WhyAnswer>('GET', '/rollcall/v1/why', parameters);
      print(accountText(answer, this.#language, this.#terminal));
    }
    print('');
    for (const [who, count] of this.#failed) print(`${who}: ${count} calls failed`);
  }

  #countFailure(consumer: string, port: number): void {
    const key = `${consumer} to ${this.#names.get(port) ?? port}`;
    const count = (this.#failed.get(key) ?? 0) + 1;
    this.#failed.set(key, count);
    if (count === 1) this.#say(consumer, `calls ${this.#names.get(port) ?? port} and gets no answer`);
  }

  #namesOf(ports: readonly number[]): string {
    const names = ports.map((port) => this.#names.get(port)?.replace('provider ', '') ?? String(port));
    return names.length === 0 ? 'nobody is' : `${names.join(', ')} ${names.length === 1 ? 'is' : 'are'}`;
  }

  #say(who: string, what: string): void {
    const { colors, print } = this.#terminal;
    const seconds = ((performance.now() - this.#startedAt) / 1000).toFixed(1).padStart(5);
    print(`${colors.dim(`${seconds} s`)}  ${colors.bold(who.padEnd(14))}  ${what}`);
  }
}
