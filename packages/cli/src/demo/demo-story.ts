// The story of the demo: a registry, three providers and two consumers as real processes; one provider leaves, one crashes, one
// freezes, one consumer loses a push. Told as it happens, with the account at the end, in under a minute.

import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import type { WhyAnswer } from '@rollcall/server';
import { padColumns } from '../column-width.js';
import type { Language } from '../language.js';
import { ServerApi } from '../server-api.js';
import { accountText } from '../shown-account.js';
import type { Terminal } from '../terminal.js';
import { DemoProcess } from './demo-process.js';
import { type DemoActor, type DemoWords, demoWords } from './demo-words.js';

const SERVICE = 'orders';
/** How long everybody is well. */
const CALM_MS = 4000;
/** The default heart-beat timeout, after which the two that fell silent are unhealthy, and some more. */
const DETECTED_MS = 16_000;
/** A lost push is sent again after 10 s. */
const RESENT_MS = 10_500;
const THAW_MS = 3000;
const NAME_COLUMNS = 14;
const PROVIDERS = ['one', 'two', 'three'] as const;

/** Tells the story. */
export class DemoStory {
  readonly #terminal: Terminal;
  readonly #language: Language;
  readonly #words: DemoWords;
  readonly #startedAt = performance.now();
  readonly #directory = mkdtempSync(join(tmpdir(), 'rollcall-demo-'));
  readonly #processes: DemoProcess[] = [];
  /** Providers by port. */
  readonly #providers = new Map<number, DemoActor>();
  /** Calls that failed, by consumer and port of the provider. */
  readonly #failed = new Map<DemoActor, Map<number, number>>();

  constructor(terminal: Terminal, language: Language) {
    this.#terminal = terminal;
    this.#language = language;
    this.#words = demoWords(language);
  }

  /** Plays it. @param signal - ends it early */
  async play(signal: AbortSignal): Promise<void> {
    const url = await this.#startServer();
    const ports: number[] = [];
    const words = this.#words;
    const providers = PROVIDERS.map((actor) => this.#start(actor, 'demo-provider', url));
    for (const [i, provider] of providers.entries()) {
      const { port } = await provider.told('serving');
      ports.push(port);
      const actor = PROVIDERS[i] as DemoActor;
      this.#providers.set(port, actor);
      this.#say(actor, words.serves(port));
    }
    const consumers = await this.#startConsumers(url);
    await sleep(CALM_MS, undefined, { signal });
    const [crashing, leaving, freezing] = providers as [DemoProcess, DemoProcess, DemoProcess];
    await this.#leave(leaving);
    this.#say('one', words.crashes);
    crashing.signal('SIGKILL');
    consumers[1]?.tell('lose-next');
    await sleep(1000, undefined, { signal });
    this.#say('three', words.freezes);
    freezing.signal('SIGSTOP');
    await sleep(DETECTED_MS, undefined, { signal });
    this.#say('three', words.thaws);
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
    this.#say('server', this.#words.ready(url));
    return url;
  }

  #start(actor: DemoActor, command: string, url: string): DemoProcess {
    const started = new DemoProcess([command, url, SERVICE]);
    this.#processes.push(started);
    started.onMessage((message) => {
      if (message.type === 'list')
        this.#say(actor, this.#words.pushed(message.ports.map((port) => this.#nameOf(port))));
      if (message.type === 'lost') this.#say(actor, this.#words.losesPush);
      if (message.type === 'failed') this.#countFailure(actor, message.port);
    });
    return started;
  }

  async #startConsumers(url: string): Promise<readonly DemoProcess[]> {
    const consumers: DemoProcess[] = [];
    for (const actor of ['A', 'B'] as const) {
      const consumer = this.#start(actor, 'demo-consumer', url);
      const { udpPort } = await consumer.told('subscribed');
      this.#say(actor, this.#words.subscribes(udpPort));
      consumers.push(consumer);
    }
    return consumers;
  }

  async #leave(provider: DemoProcess): Promise<void> {
    this.#say('two', this.#words.leaves);
    const left = provider.told('left');
    provider.signal('SIGTERM');
    this.#say('two', this.#words.left((await left).told));
  }

  async #accounts(url: string, ports: readonly number[]): Promise<void> {
    const { print, colors } = this.#terminal;
    const api = new ServerApi(url);
    for (const port of ports) {
      print(
        `\n${colors.cyan(`$ rollcall why ${SERVICE} 127.0.0.1:${port}`)}${colors.dim(`    # ${this.#nameOf(port)}`)}`,
      );
      const parameters = { serviceName: SERVICE, ip: '127.0.0.1', port, lang: this.#language };
      const answer = await api.json<WhyAnswer>('GET', '/rollcall/v1/why', parameters);
      print(accountText(answer, this.#language, this.#terminal));
    }
    print('');
    for (const [consumer, counts] of this.#failed)
      for (const [port, count] of counts)
        print(this.#words.failed(this.#words.names[consumer], this.#nameOf(port), count));
  }

  #countFailure(consumer: DemoActor, port: number): void {
    const counts = this.#failed.get(consumer) ?? new Map<number, number>();
    this.#failed.set(consumer, counts);
    const count = (counts.get(port) ?? 0) + 1;
    counts.set(port, count);
    if (count === 1) this.#say(consumer, this.#words.noAnswer(this.#nameOf(port)));
  }

  #nameOf(port: number): string {
    const actor = this.#providers.get(port);
    return actor === undefined ? String(port) : this.#words.names[actor];
  }

  #say(actor: DemoActor, what: string): void {
    const { colors, print } = this.#terminal;
    const seconds = ((performance.now() - this.#startedAt) / 1000).toFixed(1).padStart(5);
    print(`${colors.dim(`${seconds} s`)}  ${colors.bold(padColumns(this.#words.names[actor], NAME_COLUMNS))}  ${what}`);
  }
}
