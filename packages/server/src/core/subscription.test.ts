import { describe, expect, it } from 'vitest';
import { CoreFixture, hostOf, serviceOf, TESTER } from '../testing/core-fixture.js';
import type { UdpSubscriberQuery } from './subscriber.js';

const orders = serviceOf('orders');
const client: UdpSubscriberQuery = {
  ip: '10.0.0.9',
  port: 5000,
  clusters: '',
  agent: 'Nacos-Java-Client:v1.4.8',
  app: 'shop',
};

function subscribe(registry: CoreFixture, fields: Partial<UdpSubscriberQuery> = {}, answerEmpty = false) {
  const query = { ...client, ...fields };
  return registry.step({ type: 'subscribe-udp', service: orders, query, answerEmpty, actor: TESTER });
}

function ack(registry: CoreFixture, fields: { ips?: readonly string[]; port?: number; number?: number } = {}) {
  const number = registry.pushes().at(-1)?.number as number;
  registry.step({ type: 'push-ack', ips: [client.ip], port: client.port, number, ...fields });
}

const sizes = (registry: CoreFixture) => registry.pushes().map(({ view }) => view.hosts.length);

describe('a push', () => {
  it('goes out at once, and further changes become one push at the end of the window', () => {
    const registry = new CoreFixture();
    subscribe(registry);
    registry.register(orders, hostOf(1));
    expect(sizes(registry)).toEqual([1]);
    ack(registry);
    registry.advance(30);
    registry.register(orders, hostOf(2));
    registry.register(orders, hostOf(3));
    registry.advance(69);
    expect(sizes(registry)).toEqual([1]);
    registry.advance(1);
    expect(sizes(registry)).toEqual([1, 3]);
    ack(registry);
    registry.advance(100);
    registry.register(orders, hostOf(4));
    expect(sizes(registry)).toEqual([1, 3, 4]);
  });

  it('waits while one is outstanding, and the newest content is sent then', () => {
    const registry = new CoreFixture();
    subscribe(registry);
    registry.register(orders, hostOf(1));
    registry.advance(200);
    registry.register(orders, hostOf(2));
    registry.advance(200);
    registry.register(orders, hostOf(3));
    registry.advance(200);
    expect(sizes(registry)).toEqual([1]);
    ack(registry);
    expect(sizes(registry)).toEqual([1, 3]);
  });

  it('is sent twice, 10 s apart, with one number, and then given up until the next change', () => {
    const registry = new CoreFixture();
    subscribe(registry);
    registry.register(orders, hostOf(1));
    const keepAlive = () => subscribe(registry);
    for (let s = 0; s < 60; s += 1) {
      registry.advance(1000);
      registry.beat(orders, hostOf(1));
      keepAlive();
    }
    expect(registry.pushes()).toHaveLength(2);
    expect(new Set(registry.pushes().map(({ number }) => number)).size).toBe(1);
    expect(registry.events('push-resent').map((event) => event.at.mono)).toEqual([10_000]);
    expect(registry.events('push-given-up').map((event) => event.at.mono)).toEqual([20_000]);
    registry.register(orders, hostOf(2));
    expect(registry.pushes()).toHaveLength(3);
  });

  it('given up with a change waiting is followed by the newest content', () => {
    const registry = new CoreFixture();
    subscribe(registry);
    registry.register(orders, hostOf(1));
    registry.advance(15_000);
    expect(sizes(registry)).toEqual([1, 1]);
    registry.advance(5000);
    expect(sizes(registry)).toEqual([1, 1, 1]);
  });

  it('is acknowledged only with its number, port and address, or from another address of this host', () => {
    const registry = new CoreFixture();
    subscribe(registry);
    registry.register(orders, hostOf(1));
    const pending = () => registry.core.counts.outstandingPushes;
    ack(registry, { number: 7 });
    ack(registry, { port: 5001 });
    ack(registry, { ips: ['10.0.0.8'] });
    ack(registry, { ips: ['127.0.0.1', '10.0.0.7'] });
    expect(pending()).toBe(1);
    ack(registry, { ips: ['127.0.0.1', '10.0.0.9'] });
    expect(pending()).toBe(0);
    ack(registry);
    expect(registry.events('push-acknowledged')).toHaveLength(1);
  });

  it('has one number for a round, unless two of its pushes go to one address', () => {
    const registry = new CoreFixture();
    for (const ip of ['10.0.0.9', '10.0.0.8', '127.0.0.1', '127.0.1.1']) subscribe(registry, { ip });
    subscribe(registry, { clusters: 'DEFAULT' });
    registry.step({
      type: 'subscribe-stream',
      service: orders,
      connection: 'c1',
      clusters: '',
      agent: '',
      app: '',
      ip: '10.0.0.9',
    });
    registry.register(orders, hostOf(1));
    const [first, ...others] = registry.pushes().map(({ number }) => number);
    expect(others.map((number) => number - (first as number))).toEqual([0, 0, 1, 2, 0]);
    expect(registry.core.counts.outstandingPushes).toBe(6);
    ack(registry, { ips: ['127.0.1.1'], port: client.port, number: first as number });
    expect(registry.events('push-acknowledged')).toMatchObject([{ subscriber: '127.0.0.1:5000' }]);
  });

  it('tells how long its acknowledgement took', () => {
    const registry = new CoreFixture();
    subscribe(registry);
    registry.register(orders, hostOf(1));
    registry.advance(10_040);
    ack(registry);
    expect(registry.events('push-acknowledged')).toMatchObject([{ transport: 'udp', tookMs: 40 }]);
  });

  it('numbers rise for every subscriber and content versions for every service', () => {
    const registry = new CoreFixture();
    subscribe(registry);
    const versions: number[] = [];
    for (let n = 1; n <= 5; n += 1) {
      registry.register(orders, hostOf(n));
      registry.clock.setWall(Date.UTC(2025, 0, 1));
      registry.advance(100);
      versions.push(registry.pushes().at(-1)?.view.refTime as number);
      ack(registry);
    }
    expect(versions).toEqual([...new Set(versions)].sort((a, b) => a - b));
    const numbers = registry.pushes().map(({ number }) => number);
    expect(numbers).toEqual([...new Set(numbers)].sort((a, b) => a - b));
  });

  it('too large for a datagram is given up at once and nobody waits for it', () => {
    const registry = new CoreFixture();
    subscribe(registry);
    registry.register(orders, hostOf(1));
    const { ip, port } = client;
    const number = registry.pushes()[0]?.number as number;
    registry.step({ type: 'push-failed', ip, port, number: number + 1, reason: 'too-large' });
    registry.step({ type: 'push-failed', ip, port: port + 1, number, reason: 'too-large' });
    expect(registry.core.counts.outstandingPushes).toBe(1);
    registry.step({ type: 'push-failed', ip, port, number, reason: 'too-large' });
    expect(registry.core.counts.outstandingPushes).toBe(0);
    expect(registry.events('push-failed')).toMatchObject([{ reason: 'too-large' }]);
  });

  it('stops with the switch and catches up when it is on again', () => {
    const registry = new CoreFixture();
    const { switches } = registry.core;
    const set = (pushEnabled: boolean) =>
      registry.step({
        type: 'store',
        changes: [{ type: 'switches', value: { ...switches, pushEnabled } }],
        actor: { via: 'operator' },
      });
    subscribe(registry);
    set(false);
    registry.register(orders, hostOf(1));
    expect(registry.pushes()).toEqual([]);
    expect(subscribe(registry, { port: 5001 })).toEqual({ subscribed: false, reason: 'push-disabled' });
    registry.advance(100);
    set(true);
    expect(sizes(registry)).toEqual([1]);
  });
});

describe('a 1.x subscription', () => {
  it('is forgotten 30 s after its last query', () => {
    const registry = new CoreFixture();
    subscribe(registry);
    registry.advance(20_000);
    subscribe(registry);
    registry.advance(29_999);
    expect(registry.core.counts.subscribers).toBe(1);
    registry.advance(1);
    expect(registry.core.counts.subscribers).toBe(0);
  });

  it('is kept 70 s after an empty answer', () => {
    const registry = new CoreFixture();
    subscribe(registry, {}, true);
    registry.advance(69_999);
    expect(registry.core.counts.subscribers).toBe(1);
    registry.advance(1);
    expect(registry.core.counts.subscribers).toBe(0);
  });

  it('of one peer with 100,000 of them takes the room that there is, and none of it for ever', () => {
    const registry = new CoreFixture();
    let taken = 0;
    for (let n = 0; n < 100_000; n += 1) {
      const { subscribed } = subscribe(registry, { port: (n % 65_535) + 1, clusters: n < 65_535 ? '' : 'c1' });
      if (subscribed) taken += 1;
    }
    expect(taken).toBe(20_000);
    expect(registry.events('subscriber-refused')).toHaveLength(80_000);
    registry.advance(30_000);
    expect(registry.core.counts.subscribers).toBe(0);
  });

  it('that an adapter refuses is only reported', () => {
    const registry = new CoreFixture();
    const refused = { service: orders, subscriber: 'evil:53', reason: 'address-not-literal', actor: TESTER } as const;
    registry.step({ type: 'refuse-subscriber', ...refused });
    expect(registry.effects).toMatchObject([{ type: 'event', event: { type: 'subscriber-refused', ...refused } }]);
    expect(registry.core.counts).toMatchObject({ services: 0, subscribers: 0 });
  });

  it('of a service that does not exist makes no service for readers', () => {
    const registry = new CoreFixture();
    subscribe(registry);
    expect(registry.list(orders)).toBeUndefined();
    registry.register(orders, hostOf(1));
    expect(sizes(registry)).toEqual([1]);
  });

  it('is refused visibly when the service or the registry is full, and leaves nothing behind', () => {
    const registry = new CoreFixture({ limits: { serviceSubscribers: 1, subscribers: 2 } });
    expect(subscribe(registry)).toEqual({ subscribed: true });
    expect(subscribe(registry, { port: 5001 })).toEqual({ subscribed: false, reason: 'service-full' });
    expect(subscribe(registry)).toEqual({ subscribed: true });
    const other = (name: string) =>
      ({ type: 'subscribe-udp', service: serviceOf(name), query: client, answerEmpty: false, actor: TESTER }) as const;
    expect(registry.step(other('a'))).toEqual({ subscribed: true });
    expect(registry.step(other('b'))).toEqual({ subscribed: false, reason: 'registry-full' });
    expect(registry.events('subscriber-refused')).toMatchObject([
      { subscriber: '10.0.0.9:5001', reason: 'service-full', actor: TESTER },
      { subscriber: '10.0.0.9:5000', reason: 'registry-full', actor: TESTER },
    ]);
    registry.advance(130_000);
    expect(registry.core.counts).toMatchObject({ services: 0, subscribers: 0 });
  });
});

describe('waiting for subscribers', () => {
  it('ends when all know the list, by acknowledgement, by query or by being gone', () => {
    const registry = new CoreFixture();
    registry.register(orders, hostOf(1));
    for (const port of [5000, 5001, 5002]) subscribe(registry, { port });
    registry.advance(1000);
    registry.deregister(orders, hostOf(1));
    registry.step({ type: 'await-subscribers', service: orders, id: 7, waitMs: 30_000 });
    const awaited = () => registry.effects.filter((effect) => effect.type === 'subscribers-awaited');
    registry.advance(38);
    const [first] = registry.pushes();
    registry.step({ type: 'push-ack', ips: [client.ip], port: 5000, number: first?.number as number });
    subscribe(registry, { port: 5001 });
    expect(awaited()).toEqual([]);
    registry.advance(29_000);
    expect(awaited()).toEqual([{ type: 'subscribers-awaited', id: 7, acknowledged: 2, pending: 0, waitedMs: 29_000 }]);
  });

  it('ends at its deadline with what is still pending', () => {
    const registry = new CoreFixture();
    registry.register(orders, hostOf(1));
    subscribe(registry);
    registry.advance(1000);
    registry.deregister(orders, hostOf(1));
    registry.step({ type: 'await-subscribers', service: orders, id: 8, waitMs: 500 });
    registry.advance(500);
    expect(registry.effects.at(-1)).toEqual({
      type: 'subscribers-awaited',
      id: 8,
      acknowledged: 0,
      pending: 1,
      waitedMs: 500,
    });
  });

  it('is over at once without subscribers or service', () => {
    const registry = new CoreFixture();
    registry.step({ type: 'await-subscribers', service: orders, id: 9, waitMs: 500 });
    expect(registry.effects).toEqual([
      { type: 'subscribers-awaited', id: 9, acknowledged: 0, pending: 0, waitedMs: 0 },
    ]);
  });
});

it('what is sent again holds what else happened at that very moment', () => {
  const registry = new CoreFixture();
  const metadata = new Map([['preserved.heart.beat.timeout', '10000']]);
  registry.register(orders, hostOf(1), { metadata });
  registry.advance(0);
  subscribe(registry);
  registry.beat(orders, hostOf(1));
  registry.register(orders, hostOf(2), { metadata });
  registry.beat(orders, hostOf(1));
  registry.clock.advance(10_000);
  registry.step({ type: 'tick' });
  expect(
    registry
      .pushes()
      .at(-1)
      ?.view.hosts.map((host) => host.healthy),
  ).toEqual([false, false]);
  expect(registry.pushes()).toHaveLength(2);
});
