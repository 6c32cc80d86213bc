// One service of a running server and those who take part in it, over real sockets: providers that beat, consumers that are
// pushed or poll, an operator. Each test has a scene of its own, so that many run side by side on one server.

import { once } from 'node:events';
import { request } from 'node:http';
import { setTimeout as sleep } from 'node:timers/promises';
import { UdpSubscriber } from '../../src/adapters/udp/udp-subscriber.test-support.js';
import type { WhyAnswer } from '../../src/index.js';
import type { StartedServer } from './started-server.test-support.js';

/** An agent that the server pushes to. */
const AGENT = 'Nacos-Java-Client:v1.4.8';
const INSTANCE = '/nacos/v1/ns/instance';

/** Metadata with short times. */
export function timesOf(beatTimeoutMs: number, deleteTimeoutMs = 60_000, beatIntervalMs = 400): string {
  return JSON.stringify({
    'preserved.heart.beat.interval': String(beatIntervalMs),
    'preserved.heart.beat.timeout': String(beatTimeoutMs),
    'preserved.ip.delete.timeout': String(deleteTimeoutMs),
  });
}

/** Causes of an answer, the heaviest first. */
export const causesOf = ({ causes }: WhyAnswer) => causes.map(({ cause }) => cause);

/** One service. */
export class LedgerScene {
  readonly serviceName: string;
  server: StartedServer;
  readonly #subscribers: UdpSubscriber[] = [];

  constructor(server: StartedServer, serviceName: string) {
    this.server = server;
    this.serviceName = serviceName;
  }

  /** Parameters of the instance at this port of 127.0.0.1. */
  instance(port: number): Record<string, string> {
    return { serviceName: this.serviceName, ip: '127.0.0.1', port: String(port) };
  }

  /** Registers an instance. */
  register(port: number, more: Record<string, string> = {}): Promise<string> {
    return this.server.text('POST', INSTANCE, { ...this.instance(port), ...more });
  }

  /** Changes an instance as an operator does. */
  edit(port: number, values: Record<string, string>): Promise<string> {
    return this.server.text('PUT', INSTANCE, { ...this.instance(port), ...values });
  }

  /** Deregisters an instance. */
  deregister(port: number): Promise<string> {
    return this.server.text('DELETE', INSTANCE, this.instance(port));
  }

  /** A beat. @param from - address of this host that it comes from */
  async beat(port: number, more: Record<string, string> = {}, from = '127.0.0.1'): Promise<void> {
    const query = new URLSearchParams({ ...this.instance(port), ...more });
    const sent = request(`${this.server.url}${INSTANCE}/beat?${query}`, {
      method: 'PUT',
      localAddress: from,
      agent: false,
    });
    sent.end();
    const [answer] = await once(sent, 'response');
    await once(answer.resume(), 'end');
  }

  /** A beat that carries the whole instance, as 1.x clients send until they are told not to. */
  fullBeat(port: number, metadata: object): Promise<void> {
    const { serviceName } = this;
    const beat = { serviceName, ip: '127.0.0.1', port, cluster: 'DEFAULT', weight: 1, metadata, scheduled: true };
    return this.beat(port, { beat: JSON.stringify(beat) });
  }

  /** Asks for the list. */
  poll(parameters: Record<string, string> = {}): Promise<unknown> {
    const query = new URLSearchParams({ serviceName: this.serviceName, ...parameters });
    return fetch(`${this.server.url}${INSTANCE}/list?${query}`, { headers: { 'User-Agent': AGENT } });
  }

  /** Subscribes over UDP, acknowledging everything or nothing. @returns its name */
  async subscribe(acknowledges: 'acknowledges' | 'is-deaf' = 'acknowledges'): Promise<string> {
    const subscriber = await UdpSubscriber.open();
    this.#subscribers.push(subscriber);
    if (acknowledges === 'acknowledges') void acknowledgeAll(subscriber);
    await this.poll({ udpPort: String(subscriber.port), clientIP: subscriber.ip });
    return `127.0.0.1:${subscriber.port}`;
  }

  /** The account of an instance. */
  why(port: number, more: Record<string, string> = {}): Promise<WhyAnswer> {
    return this.server.json('GET', '/rollcall/v1/why', { ...this.instance(port), ...more });
  }

  /** The account as soon as it is like that. */
  async until(
    port: number,
    isMeant: (answer: WhyAnswer) => boolean,
    more: Record<string, string> = {},
  ): Promise<WhyAnswer> {
    for (;;) {
      const answer = await this.why(port, more);
      if (isMeant(answer)) return answer;
      await sleep(50);
    }
  }

  /** The account once the instance is not healthy any more. */
  untilDown(port: number, more: Record<string, string> = {}): Promise<WhyAnswer> {
    return this.until(port, ({ state }) => state !== 'healthy', more);
  }

  /** Closes the ports of the subscribers. */
  async close(): Promise<void> {
    await Promise.all(this.#subscribers.map((subscriber) => subscriber.close()));
  }
}

async function acknowledgeAll(subscriber: UdpSubscriber): Promise<never> {
  for (let i = 0; ; i += 1) await subscriber.acknowledge(await subscriber.push(i));
}
