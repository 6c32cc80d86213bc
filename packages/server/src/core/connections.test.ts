import { describe, expect, it } from 'vitest';
import { CoreFixture, contentOf, hostOf, serviceOf } from '../testing/core-fixture.js';
import { planPatch } from './edit-plan.js';
import type { RegistryInput } from './registry-input.js';

const orders = serviceOf('orders');
const carts = serviceOf('carts');

const shown = (registry: CoreFixture, service = orders) => registry.list(service)?.map((host) => host.split(':')[0]);

function publish(registry: CoreFixture, connection: string, service: typeof orders, ...hosts: number[]): void {
  registry.step({
    type: 'publish',
    means: 'list',
    service,
    connection,
    instances: hosts.map((n) => ({ address: hostOf(n), content: contentOf() })),
    actor: { via: 'grpc' },
  });
}

function subscribe(registry: CoreFixture, connection: string, service: typeof orders): void {
  const client = { clusters: '', agent: 'Nacos-Java-Client:v2.5.1', app: '-', ip: '10.0.0.9' };
  registry.step({ type: 'subscribe-stream', service, connection, ...client });
}

/** Acknowledges what `consumer` was sent, and what it is sent because of that. */
function acknowledgeAll(registry: CoreFixture): void {
  for (let seen = 0; seen < registry.pushes().length; seen += 1) {
    const number = registry.pushes()[seen]?.number ?? 0;
    registry.step({ type: 'stream-ack', connection: 'consumer', number, success: true });
  }
}

function close(registry: CoreFixture, connection: string, cause: 'connection-closed' | 'connection-silent'): void {
  registry.step({ type: 'connection-closed', connection, cause });
}

describe('a connection that ends', () => {
  it.each(['connection-closed', 'connection-silent'] as const)(
    'takes all it published along at that moment, and everybody is told (%s)',
    (cause) => {
      const registry = new CoreFixture();
      for (const service of [orders, carts]) {
        subscribe(registry, 'consumer', service);
        publish(registry, 'stays', service, 9);
        registry.advance(1000);
        publish(registry, 'goes', service, 1, 2);
        registry.advance(1000);
      }
      acknowledgeAll(registry);
      registry.advance(1000);
      const before = registry.pushes().length;
      close(registry, 'goes', cause);
      const pushes = registry.pushes().slice(before);
      expect(pushes.map(({ view }) => [view.key.name, view.hosts.map(({ ip }) => ip)])).toEqual([
        ['orders', ['10.0.0.9']],
        ['carts', ['10.0.0.9']],
      ]);
      expect(registry.events('instance-removed')).toMatchObject(Array(4).fill({ cause }));
    },
  );

  it('because its client moves to another server leaves what it published, until that comes from elsewhere or for 30 s', () => {
    const registry = new CoreFixture();
    publish(registry, 'moves', orders, 1, 2);
    subscribe(registry, 'moves', carts);
    registry.step({ type: 'connection-closed', connection: 'moves', cause: 'connection-moved' });
    expect(registry.core.counts).toMatchObject({ subscribers: 0, connections: 0 });
    registry.advance(10_000);
    publish(registry, 'new', orders, 1);
    registry.advance(19_999);
    expect(shown(registry)).toEqual(['10.0.0.1', '10.0.0.2']);
    registry.advance(1);
    expect(shown(registry)).toEqual(['10.0.0.1']);
    close(registry, 'new', 'connection-closed');
    expect(shown(registry)).toEqual([]);
  });

  it('ends its own subscriptions', () => {
    const registry = new CoreFixture();
    subscribe(registry, 'consumer', orders);
    close(registry, 'consumer', 'connection-closed');
    publish(registry, 'other', orders, 1);
    expect(registry.pushes()).toEqual([]);
    expect(registry.core.counts).toMatchObject({ subscribers: 0, connections: 1 });
  });

  it('takes nothing along that it published and then published no more', () => {
    const registry = new CoreFixture();
    publish(registry, 'c1', orders, 1);
    publish(registry, 'c1', orders);
    publish(registry, 'c2', orders, 1);
    close(registry, 'c1', 'connection-closed');
    expect(shown(registry)).toEqual(['10.0.0.1']);
  });
});

describe('what a connection publishes in a service', () => {
  it('is its last word: another address, a batch, or one again', () => {
    const registry = new CoreFixture();
    publish(registry, 'c1', orders, 1);
    publish(registry, 'c1', orders, 2);
    expect(shown(registry)).toEqual(['10.0.0.2']);
    publish(registry, 'c1', orders, 1, 2, 3);
    expect(shown(registry)).toEqual(['10.0.0.1', '10.0.0.2', '10.0.0.3']);
    publish(registry, 'c1', orders, 2);
    expect(shown(registry)).toEqual(['10.0.0.2']);
    publish(registry, 'c1', orders);
    expect(shown(registry)).toEqual([]);
  });

  it('is pushed as one change, whatever it replaces', () => {
    const registry = new CoreFixture();
    subscribe(registry, 'consumer', orders);
    publish(registry, 'c1', orders, 1, 2);
    const [{ number } = { number: 0 }] = registry.pushes();
    registry.step({ type: 'stream-ack', connection: 'consumer', number, success: true });
    registry.advance(1000);
    publish(registry, 'c1', orders, 3, 4);
    expect(registry.pushes().map(({ view }) => view.hosts.map(({ ip }) => ip))).toEqual([
      ['10.0.0.1', '10.0.0.2'],
      ['10.0.0.3', '10.0.0.4'],
    ]);
  });

  it('is left out or weighed as an operator said, also when the client comes back on another connection', () => {
    const registry = new CoreFixture();
    publish(registry, 'c1', orders, 1);
    const record = registry.core.instance(orders.id, 'ephemeral', hostOf(1).key);
    const { overlay } = planPatch(record as NonNullable<typeof record>, { weight: 7 });
    const change = { type: 'edit', service: orders, kind: 'ephemeral', address: hostOf(1), value: overlay } as const;
    registry.step({ type: 'store', changes: [change], actor: { via: 'operator' } } satisfies RegistryInput);
    publish(registry, 'c1', orders, 1);
    const weight = () => registry.core.view(orders.id)?.hosts[0]?.weight;
    expect(weight()).toBe(7);
    close(registry, 'c1', 'connection-closed');
    registry.advance(59_999);
    publish(registry, 'c2', orders, 1);
    expect(weight()).toBe(7);
    close(registry, 'c2', 'connection-closed');
    registry.advance(60_000);
    publish(registry, 'c3', orders, 1);
    expect(weight()).toBe(1);
  });
});

it('a push that a connection does not acknowledge comes after 5, 10, 20 and 40 s more, and then not until the next change', () => {
  const registry = new CoreFixture();
  subscribe(registry, 'deaf', orders);
  subscribe(registry, 'honest', orders);
  const started = registry.clock.now().mono;
  const sentAt: number[] = [];
  const count = () => registry.pushes().filter(({ subscriber }) => subscriber.connection === 'deaf').length;
  publish(registry, 'c1', orders, 1);
  for (const { number, subscriber } of registry.pushes())
    if (subscriber.connection === 'honest')
      registry.step({ type: 'stream-ack', connection: 'honest', number, success: true });
  for (let seen = 0, second = 0; second <= 200; second += 1, registry.advance(1000)) {
    if (count() === seen) continue;
    seen = count();
    sentAt.push((registry.clock.now().mono - started) / 1000);
  }
  expect(sentAt).toEqual([0, 5, 15, 35]);
  publish(registry, 'c1', orders, 2);
  expect(count()).toBe(5);
});
