// What a subscriber is pushed is what its own query would be answered at that moment, whatever happened before; and when
// everything is quiet, what it was pushed last is what its query is answered now.

import { gunzipSync } from 'node:zlib';
import { DEFAULT_LIMITS, httpV1NameRules, NO_METADATA, NO_SELECTOR, Parameters } from '@rollcall/protocol';
import { ManualClock, ManualTimers, RecordingLogger } from '@rollcall/runtime/testing';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import type { HttpAnswer } from '../../src/adapters/http/http-answer.js';
import type { AnswerRoute } from '../../src/adapters/http/route.js';
import { instanceListRoutes } from '../../src/adapters/http-v1/instance-list-routes.js';
import { PushTargets } from '../../src/adapters/push-targets.js';
import { UdpCounters } from '../../src/adapters/udp/udp-counters.js';
import { UdpPushSender } from '../../src/adapters/udp/udp-push-sender.js';
import { RegistryRunner } from '../../src/app/registry-runner.js';
import { DEFAULT_CORE_SETTINGS } from '../../src/core/core-settings.js';
import type { StoreChange } from '../../src/core/store-change.js';
import type { Subscriber } from '../../src/core/subscriber.js';
import { DEFAULT_SWITCHES } from '../../src/core/switches.js';
import { contentOf, hostOf, metadataOf, serviceOf, TESTER } from '../../src/testing/core-fixture.js';
import { MemoryStore } from '../../src/testing/memory-store.js';

const SERVICES = ['a', 'b'].map(serviceOf);
const AGENTS = ['Nacos-Java-Client:v1.4.8', 'Nacos-Go-Client:v1.1.0'];
const CLUSTERS = ['', 'c1', 'c1,c2', 'nowhere'];
const PORTS = [1001, 1002, 1003];

type Action =
  | {
      readonly do: 'register' | 'deregister' | 'beat' | 'persist' | 'unpersist';
      readonly host: number;
      readonly healthy: boolean;
    }
  | { readonly do: 'edit'; readonly host: number; readonly enabled: boolean | undefined; readonly large: boolean }
  | { readonly do: 'define'; readonly threshold: number }
  | { readonly do: 'undefine' }
  | { readonly do: 'switch'; readonly pushEnabled: boolean }
  | { readonly do: 'subscribe'; readonly port: number; readonly clusters: number; readonly agent: number }
  | { readonly do: 'answer'; readonly port: number; readonly how: 'ack' | 'lose' }
  | { readonly do: 'pass'; readonly ms: number };

interface Move {
  readonly service: number;
  readonly action: Action;
}

const of = <D extends string, F extends object>(does: D, fields: { [K in keyof F]: fc.Arbitrary<F[K]> }) =>
  fc.record({ do: fc.constant(does), ...fields });
const host = fc.integer({ min: 1, max: 4 });
const action: fc.Arbitrary<Action> = fc.oneof(
  { weight: 4, arbitrary: of('register', { host, healthy: fc.boolean() }) },
  { weight: 2, arbitrary: of('deregister', { host, healthy: fc.constant(true) }) },
  of('beat', { host, healthy: fc.constant(true) }),
  of('persist', { host, healthy: fc.boolean() }),
  of('unpersist', { host, healthy: fc.constant(true) }),
  of('edit', { host, enabled: fc.constantFrom(true, false, undefined), large: fc.boolean() }),
  of('define', { threshold: fc.constantFrom(0, 0.5, 1) }),
  of('undefine', {}),
  of('switch', { pushEnabled: fc.boolean() }),
  { weight: 3, arbitrary: of('subscribe', { port: fc.nat(2), clusters: fc.nat(3), agent: fc.nat(1) }) },
  { weight: 4, arbitrary: of('answer', { port: fc.nat(2), how: fc.constantFrom('ack', 'lose') }) },
  { weight: 4, arbitrary: of('pass', { ms: fc.constantFrom(1, 50, 100, 3000, 10_000, 20_000) }) },
) as fc.Arbitrary<Action>;
const moves: fc.Arbitrary<readonly Move[]> = fc.array(fc.record({ service: fc.nat(1), action }), { maxLength: 60 });

/** A registry whose datagrams are looked at the moment they are made. */
class World {
  readonly #clock = new ManualClock();
  readonly #timers = new ManualTimers(this.#clock);
  readonly runner: RegistryRunner;
  /** Last list that reached a subscriber. */
  readonly told = new Map<Subscriber, string>();
  /** Pushes that were not what a query was answered, each with that. */
  readonly differences: (readonly [pushed: string, answered: string])[] = [];
  pushes = 0;
  readonly #query: (query: string, agent: string) => HttpAnswer;

  constructor() {
    const logger = new RecordingLogger();
    this.runner = new RegistryRunner({
      clock: this.#clock,
      timers: this.#timers,
      logger,
      settings: DEFAULT_CORE_SETTINGS,
      limits: DEFAULT_LIMITS,
      store: new MemoryStore(),
      journal: { append: () => undefined, afterFlush: (callback) => callback() },
      push: (push) => sender.send(push),
    });
    const registry = this.runner;
    const rules = { names: httpV1NameRules(DEFAULT_LIMITS), limits: DEFAULT_LIMITS };
    const [route] = instanceListRoutes({ registry, rules, logger }, new PushTargets({ sameHost: (ip) => [ip] }));
    this.#query = (query, agent) =>
      (route as AnswerRoute).handle({
        method: 'GET',
        target: `/v1/ns/instance/list?${query}`,
        path: '/v1/ns/instance/list',
        parameters: new Parameters(query),
        body: new Uint8Array(),
        remoteAddress: '10.0.0.9',
        memo: undefined,
        header: (name) => (name === 'user-agent' ? agent : undefined),
      }) as HttpAnswer;
    const sender = new UdpPushSender({
      registry,
      counters: new UdpCounters(),
      timers: this.#timers,
      endOfTurn: (callback) => callback(),
      socket: {
        waiting: 0,
        send: (parts, peer, done) => {
          this.#look(Buffer.concat([...parts]), peer as Subscriber);
          done(null);
        },
      },
    });
    // So that a query that does not subscribe is answered as one that does.
    this.#switch({ pushEnabled: true });
    registry.start();
  }

  /** What the subscriber's query would be answered now. */
  answerTo({ service, clusters, agent }: Subscriber): string {
    const query = new URLSearchParams({ serviceName: service.grouped, clusters, clientIP: '10.0.0.9' });
    return Buffer.from(this.#query(query.toString(), agent).body).toString();
  }

  subscribers(): Subscriber[] {
    return [...this.runner.core.subscribedServices()].flatMap(({ subscribers }) => [...subscribers.values()]);
  }

  pass(ms: number): void {
    this.#timers.advance(ms);
  }

  /** Acknowledges everything until nothing more comes. */
  settle(): void {
    this.#switch({ pushEnabled: true });
    for (let round = 0; round < 3; round += 1) {
      for (const port of PORTS) while (this.#acknowledge(port));
      this.pass(100);
    }
  }

  perform({ service: index, action }: Move): void {
    const service = SERVICES[index] as (typeof SERVICES)[number];
    const store = (change: StoreChange) => this.runner.step({ type: 'store', changes: [change], actor: TESTER });
    switch (action.do) {
      case 'register':
        this.runner.step({
          type: 'register',
          service,
          address: addressOf(action.host),
          content: contentOf({ healthy: action.healthy }),
          kindRule: 'mixed',
          actor: TESTER,
        });
        break;
      case 'deregister':
        this.runner.step({ type: 'deregister', service, address: addressOf(action.host), actor: TESTER });
        break;
      case 'beat':
        this.runner.step({ type: 'beat', service, address: addressOf(action.host), content: undefined, actor: TESTER });
        break;
      case 'persist':
      case 'unpersist': {
        const content = contentOf({ healthy: action.healthy });
        const value = action.do === 'persist' ? { registered: content, base: content } : undefined;
        store({ type: 'persistent-instance', service, address: addressOf(action.host), value });
        break;
      }
      case 'edit': {
        const { enabled, large } = action;
        const metadata = large ? metadataOf({ note: 'x'.repeat(2000) }) : undefined;
        const value = enabled === undefined ? undefined : { enabled, ...(metadata && { metadata }) };
        store({ type: 'edit', service, kind: 'ephemeral', address: addressOf(action.host), value });
        break;
      }
      case 'define': {
        const value = {
          protectThreshold: action.threshold,
          metadata: NO_METADATA,
          selector: NO_SELECTOR,
          clusters: new Map(),
        };
        store({ type: 'service', service, value });
        break;
      }
      case 'undefine':
        store({ type: 'service', service, value: undefined });
        break;
      case 'switch':
        this.#switch(action);
        break;
      case 'subscribe':
        this.#subscribe(service.grouped, action);
        break;
      case 'answer':
        if (action.how === 'ack') this.#acknowledge(PORTS[action.port] as number);
        break;
      case 'pass':
        this.pass(action.ms);
        break;
    }
  }

  #look(bytes: Buffer, subscriber: Subscriber): void {
    const packet = JSON.parse((bytes[0] === 0x1f ? gunzipSync(bytes) : bytes).toString());
    // The runner goes on when an effect fails, so a difference is kept for the end.
    const wanted = this.answerTo(subscriber);
    if (packet.data !== wanted) this.differences.push([packet.data, wanted]);
    this.told.set(subscriber, packet.data);
    this.pushes += 1;
  }

  #subscribe(serviceName: string, { port, clusters, agent }: Extract<Action, { do: 'subscribe' }>): void {
    const query = new URLSearchParams({
      serviceName,
      clusters: CLUSTERS[clusters] as string,
      clientIP: '10.0.0.9',
      udpPort: String(PORTS[port]),
    });
    const answer = this.#query(query.toString(), AGENTS[agent] as string);
    const subscriber = this.subscribers().find(
      (each) =>
        each.service.grouped === serviceName &&
        each.port === PORTS[port] &&
        each.clusters === CLUSTERS[clusters] &&
        each.agent === AGENTS[agent],
    );
    if (subscriber !== undefined) this.told.set(subscriber, Buffer.from(answer.body).toString());
  }

  #acknowledge(port: number): boolean {
    const subscriber = this.subscribers().find((each) => each.port === port && each.outstanding !== undefined);
    if (subscriber?.outstanding === undefined) return false;
    const { number } = subscriber.outstanding;
    this.runner.step({ type: 'push-ack', ips: ['10.0.0.9'], port, number });
    return true;
  }

  #switch({ pushEnabled }: { readonly pushEnabled: boolean }): void {
    const value = { ...DEFAULT_SWITCHES, pushEnabled, defaultCacheMillis: DEFAULT_SWITCHES.defaultPushCacheMillis };
    this.runner.step({ type: 'store', changes: [{ type: 'switches', value }], actor: TESTER });
  }
}

/** Half of the hosts are in each cluster. */
const addressOf = (n: number) => hostOf(n, n % 2 === 0 ? 'c1' : 'c2');

describe('a push', () => {
  it('holds what a query would be answered at that moment, and the last one what it is answered in the end', () => {
    let pushes = 0;
    fc.assert(
      fc.property(moves, (history) => {
        const world = new World();
        for (const move of history) world.perform(move);
        world.settle();
        expect(world.differences).toEqual([]);
        for (const subscriber of world.subscribers())
          expect(world.told.get(subscriber)).toBe(world.answerTo(subscriber));
        pushes += world.pushes;
      }),
      { numRuns: Number(process.env.ROLLCALL_PROPERTY_RUNS ?? 500) },
    );
    expect(pushes).toBeGreaterThan(100);
  });
});
