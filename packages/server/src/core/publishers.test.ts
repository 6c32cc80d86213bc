import { describe, expect, it } from 'vitest';
import { CoreFixture, contentOf, hostOf, metadataOf, serviceOf, TESTER } from '../testing/core-fixture.js';
import type { Address } from './instance-address.js';

const orders = serviceOf('orders');
const one = hostOf(1);
const two = hostOf(2);

function publish(registry: CoreFixture, connection: string, ...addresses: Address[]): void {
  registry.step({
    type: 'publish',
    means: 'list',
    service: orders,
    connection,
    instances: addresses.map((address) => ({ address, content: contentOf() })),
    actor: { via: 'grpc' },
  });
}

describe('an id that a client gives its instance', () => {
  const publishAs = (registry: CoreFixture, content: Parameters<typeof contentOf>[0]) =>
    registry.step({
      type: 'publish',
      means: 'list',
      service: orders,
      connection: 'c1',
      instances: [{ address: one, content: contentOf(content) }],
      actor: { via: 'grpc' },
    });
  const shownId = (registry: CoreFixture) => registry.core.view(orders.id)?.hosts[0]?.instanceId;

  it('is shown, and survives a restart', () => {
    const registry = new CoreFixture();
    publishAs(registry, { instanceId: 'my-id', metadata: metadataOf({ a: '1' }) });
    expect(shownId(registry)).toBe('my-id');
    const again = new CoreFixture();
    again.step({ type: 'restore', changes: [], entries: [...registry.core.snapshot()] });
    expect(shownId(again)).toBe('my-id');
  });

  it('goes with the registration that gave it', () => {
    const registry = new CoreFixture();
    publishAs(registry, { instanceId: 'my-id' });
    publishAs(registry, {});
    expect(shownId(registry)).toBe('10.0.0.1#8080#DEFAULT#DEFAULT_GROUP@@orders');
  });
});

describe('an empty list of instances', () => {
  const publishNothing = (registry: CoreFixture, means: 'list' | 'end') =>
    registry.step({ type: 'publish', means, service: orders, connection: 'c1', instances: [], actor: { via: 'grpc' } });

  it('makes its service exist for a minute', () => {
    const registry = new CoreFixture();
    publishNothing(registry, 'list');
    expect(registry.core.view(orders.id)?.hosts).toEqual([]);
    registry.advance(59_999);
    expect(registry.core.view(orders.id)).toBeDefined();
    registry.advance(1);
    expect(registry.core.view(orders.id)).toBeUndefined();
  });

  it('that ends a publication makes nothing', () => {
    const registry = new CoreFixture();
    publishNothing(registry, 'end');
    expect(registry.core.view(orders.id)).toBeUndefined();
  });
});

describe('a registration belongs to its publisher', () => {
  it('so a connection that ends leaves the instance that HTTP registered too', () => {
    const registry = new CoreFixture();
    registry.register(orders, one);
    publish(registry, 'c1', one);
    registry.step({ type: 'connection-closed', connection: 'c1', cause: 'connection-closed' });
    expect(registry.list(orders)).toEqual(['10.0.0.1:8080/DEFAULT']);
    registry.deregister(orders, one);
    expect(registry.list(orders)).toEqual([]);
  });

  it('so an HTTP deregistration leaves what a connection publishes', () => {
    const registry = new CoreFixture();
    publish(registry, 'c1', one);
    registry.deregister(orders, one);
    expect(registry.list(orders)).toEqual(['10.0.0.1:8080/DEFAULT']);
    expect(registry.core.instance(orders.id, 'ephemeral', one.key)?.registrations.map((r) => r.publisher)).toEqual([
      'c1',
    ]);
  });

  it('so of two connections with one address the last one to go takes it along', () => {
    const registry = new CoreFixture();
    publish(registry, 'c1', one);
    publish(registry, 'c2', one);
    expect(registry.list(orders)).toEqual(['10.0.0.1:8080/DEFAULT']);
    registry.step({ type: 'connection-closed', connection: 'c2', cause: 'connection-closed' });
    expect(registry.list(orders)).toEqual(['10.0.0.1:8080/DEFAULT']);
    registry.step({ type: 'connection-closed', connection: 'c1', cause: 'connection-closed' });
    expect(registry.list(orders)).toEqual([]);
  });

  it('so an expired HTTP lease does not make an instance unhealthy that a connection keeps', () => {
    const registry = new CoreFixture();
    publish(registry, 'c1', one);
    registry.register(orders, one);
    registry.advance(15_000);
    expect(registry.list(orders)).toEqual(['10.0.0.1:8080/DEFAULT']);
    registry.advance(15_000);
    expect(registry.list(orders)).toEqual(['10.0.0.1:8080/DEFAULT']);
    expect(registry.core.instance(orders.id, 'ephemeral', one.key)?.registrations).toHaveLength(1);
  });

  it('and the newest one gives the content', () => {
    const registry = new CoreFixture();
    registry.register(orders, one, { metadata: metadataOf({ from: 'http' }) });
    publish(registry, 'c1', one);
    expect(registry.core.view(orders.id)?.hosts.map((host) => host.metadata.get('from'))).toEqual([undefined]);
    registry.register(orders, one, { metadata: metadataOf({ from: 'http again' }) });
    expect(registry.core.view(orders.id)?.hosts.map((host) => host.metadata.get('from'))).toEqual(['http again']);
  });
});

describe('a connection', () => {
  it('replaces what it published in a service, and nothing of others', () => {
    const registry = new CoreFixture();
    publish(registry, 'c1', one, two);
    publish(registry, 'c2', hostOf(3));
    publish(registry, 'c1', two);
    expect(registry.list(orders)).toEqual(['10.0.0.2:8080/DEFAULT', '10.0.0.3:8080/DEFAULT']);
    publish(registry, 'c1');
    expect(registry.list(orders)).toEqual(['10.0.0.3:8080/DEFAULT']);
    expect(registry.core.counts.connections).toBe(1);
  });

  it('needs no beats', () => {
    const registry = new CoreFixture();
    publish(registry, 'c1', one);
    registry.advance(120_000);
    expect(registry.list(orders)).toEqual(['10.0.0.1:8080/DEFAULT']);
  });

  it('keeps what was taken when a batch runs into a limit, and ends all of it when it closes', () => {
    const registry = new CoreFixture({ limits: { serviceInstances: 1 } });
    expect(() => publish(registry, 'c1', one, two)).toThrow(/allowed are 1/);
    registry.step({ type: 'connection-closed', connection: 'c1', cause: 'connection-silent' });
    expect(registry.list(orders)).toEqual([]);
  });
});

describe('kinds', () => {
  const persistent = { registered: contentOf(), base: contentOf() };

  it('live side by side on v1', () => {
    const registry = new CoreFixture();
    registry.step({
      type: 'store',
      changes: [{ type: 'persistent-instance', service: orders, address: one, value: persistent }],
      actor: TESTER,
    });
    registry.register(orders, one);
    expect(registry.core.view(orders.id)?.hosts.map((host) => host.kind)).toEqual(['persistent', 'ephemeral']);
  });

  it('are refused elsewhere only while the service holds the other one alone', () => {
    const registry = new CoreFixture();
    const change = { type: 'persistent-instance', service: orders, address: one } as const;
    registry.step({ type: 'store', changes: [{ ...change, value: persistent }], actor: TESTER });
    expect(() => publish(registry, 'c1', two)).toThrow(/is persistent service, can't register ephemeral instance/);
    registry.register(orders, hostOf(3));
    publish(registry, 'c1', two);
    registry.step({ type: 'store', changes: [{ ...change, value: undefined }], actor: TESTER });
    expect(() => registry.core.requireKind(orders.id, 'persistent')).toThrow(/is ephemeral service/);
    registry.step({ type: 'connection-closed', connection: 'c1', cause: 'connection-closed' });
    registry.deregister(orders, hostOf(3));
    registry.core.requireKind(orders.id, 'persistent');
  });
});

describe('numeric ids', () => {
  const numeric = { metadata: metadataOf({ 'preserved.instance.id.generator': 'SnowFlake' }) };
  const ids = (registry: CoreFixture) => registry.core.view(orders.id)?.hosts.map((host) => host.instanceId);

  it('are the smallest free ones and kept over registrations', () => {
    const registry = new CoreFixture();
    for (const n of [1, 2, 3]) registry.register(orders, hostOf(n), numeric);
    registry.deregister(orders, two);
    registry.register(orders, hostOf(4), numeric);
    registry.register(orders, hostOf(3));
    expect(ids(registry)).toEqual(['0', '2', '1']);
  });
});
