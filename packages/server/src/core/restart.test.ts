import { describe, expect, it } from 'vitest';
import { CoreFixture, contentOf, hostOf, metadataOf, serviceOf, TESTER } from '../testing/core-fixture.js';
import type { JournalEntry } from './journal-entry.js';

const orders = serviceOf('orders');
const one = hostOf(1);
const query = { ip: '10.0.0.9', port: 5000, clusters: '', agent: 'Nacos-Java-Client:v1.4.8', app: 'shop' };

function restarted(entries: Iterable<JournalEntry>, wall?: number): CoreFixture {
  const registry = new CoreFixture(wall === undefined ? {} : { wall });
  registry.step({ type: 'restore', changes: [], entries: [...entries] });
  return registry;
}

/** A registry with a bit of everything that is journalled. */
function lived(): CoreFixture {
  const registry = new CoreFixture();
  registry.register(orders, one, { weight: 2, metadata: metadataOf({ v: '1' }) });
  registry.register(orders, hostOf(2));
  registry.advance(10_000);
  registry.beat(orders, one);
  registry.register(orders, hostOf(3), { metadata: metadataOf({ 'preserved.instance.id.generator': 'snowflake' }) });
  registry.deregister(orders, hostOf(3));
  registry.register(serviceOf('gone'), one);
  registry.deregister(serviceOf('gone'), one);
  registry.step({ type: 'subscribe-udp', service: orders, query, answerEmpty: false, actor: TESTER });
  registry.advance(5_000);
  return registry;
}

describe('a restart', () => {
  it('brings back membership, content and health from the journal', () => {
    const before = lived();
    expect(before.list(orders)).toEqual(['10.0.0.1:8080/DEFAULT', '-10.0.0.2:8080/DEFAULT']);
    const after = restarted(before.journal());
    expect(after.list(orders)).toEqual(before.list(orders));
    expect(after.core.view(orders.id)?.hosts[0]?.metadata.get('v')).toBe('1');
    expect(after.effects).toEqual([]);
  });

  it('leads to the same state from the snapshot, and from the snapshot with the journal over it', () => {
    const before = lived();
    const snapshot = [...before.core.snapshot()];
    for (const entries of [snapshot, [...snapshot, ...before.journal()], [...snapshot, ...snapshot]])
      expect([...restarted(entries).core.snapshot()]).toEqual(snapshot);
  });

  it('gives every lease its full time again', () => {
    const after = restarted(lived().core.snapshot());
    after.advance(14_999);
    expect(after.list(orders)).toEqual(['10.0.0.1:8080/DEFAULT', '-10.0.0.2:8080/DEFAULT']);
    after.advance(1);
    expect(after.list(orders)).toEqual(['-10.0.0.1:8080/DEFAULT', '-10.0.0.2:8080/DEFAULT']);
    after.advance(15_000);
    expect(after.list(orders)).toEqual([]);
  });

  it('answers the next light beat as known', () => {
    const after = restarted(lived().core.snapshot());
    expect(after.beat(orders, hostOf(2))).toMatchObject({ known: true });
  });

  it('lets list versions and push numbers grow, also with the clock set back', () => {
    const before = lived();
    before.register(orders, hostOf(4));
    const lastVersion = before.core.view(orders.id)?.refTime as number;
    const lastNumber = before.pushes().at(-1)?.number as number;
    const after = restarted(before.journal(), Date.UTC(2020, 0, 1));
    after.register(orders, hostOf(5));
    expect(after.core.view(orders.id)?.refTime).toBeGreaterThan(lastVersion);
    expect(after.pushes()[0]?.number).toBeGreaterThan(lastNumber);
  });

  it('lets push numbers grow over many restarts with the clock set back, however many were given in one version', () => {
    let registry = lived();
    let last = 0;
    for (let run = 1; run <= 3; run += 1) {
      registry = restarted(run === 2 ? registry.journal() : registry.core.snapshot(), Date.UTC(2021 - run, 0, 1));
      registry.register(orders, hostOf(10 + run));
      const [first] = registry.pushes();
      expect(first?.number).toBeGreaterThan(last);
      // Whoever is behind when it acknowledges takes a number of its own.
      for (let n = 1; n <= 3500; n += 1) {
        const input = { type: 'subscribe-udp', service: orders, answerEmpty: false, actor: TESTER } as const;
        registry.step({ ...input, query: { ...query, port: 10_000 + n } });
      }
      registry.register(orders, hostOf(20 + run));
      registry.advance(100);
      registry.register(orders, hostOf(30 + run));
      registry.advance(100);
      for (const { number, subscriber } of registry.pushes()) {
        registry.step({ type: 'push-ack', ips: [subscriber.ip], port: subscriber.port, number });
      }
      const numbers = registry.pushes().map(({ number }) => number);
      last = Math.max(...numbers);
      expect(last - Math.min(...numbers)).toBeGreaterThan(3000);
    }
  });

  it('pushes the first change to subscribers that have not asked yet, and forgets them after 70 s', () => {
    const after = restarted(lived().core.snapshot());
    expect(after.pushes()).toEqual([]);
    after.register(orders, hostOf(5));
    expect(after.pushes().map(({ subscriber, view }) => [subscriber.port, view.hosts.length])).toEqual([[5000, 3]]);
    after.advance(70_000);
    expect(after.core.counts.subscribers).toBe(0);
  });

  it('keeps what connections published for 30 s, without ever a shorter list for those that come back', () => {
    const before = new CoreFixture();
    const publish = (registry: CoreFixture, connection: string, ...hosts: number[]) =>
      registry.step({
        type: 'publish',
        means: 'list',
        service: orders,
        connection,
        instances: hosts.map((n) => ({ address: hostOf(n), content: contentOf() })),
        actor: { via: 'grpc' },
      });
    publish(before, 'old1', 1);
    publish(before, 'old2', 2);
    const after = restarted(before.journal());
    after.advance(10_000);
    publish(after, 'new1', 1);
    after.advance(19_999);
    expect(after.list(orders)).toEqual(['10.0.0.1:8080/DEFAULT', '10.0.0.2:8080/DEFAULT']);
    after.advance(1);
    expect(after.list(orders)).toEqual(['10.0.0.1:8080/DEFAULT']);
    expect(after.events('instance-removed')).toMatchObject([{ cause: 'grace-ended' }]);
    after.step({ type: 'connection-closed', connection: 'new1', cause: 'connection-closed' });
    expect(after.list(orders)).toEqual([]);
  });

  it('changes no list for what comes back as it was, and one for what comes back otherwise', () => {
    const publish = (registry: CoreFixture, connection: string, weight: number) =>
      registry.step({
        type: 'publish',
        means: 'list',
        service: orders,
        connection,
        instances: [{ address: one, content: contentOf({ weight }) }],
        actor: { via: 'grpc' },
      });
    const before = new CoreFixture();
    publish(before, 'old', 1);
    const [same, other] = [restarted(before.journal()), restarted(before.journal())];
    for (const registry of [same, other]) registry.clock.advance(5_000);
    const refTime = same.core.view(orders.id)?.refTime as number;
    publish(same, 'new', 1);
    expect(same.core.view(orders.id)?.refTime).toBe(refTime);
    expect(same.core.view(orders.id)?.hosts).toHaveLength(1);
    publish(other, 'new', 2);
    expect(other.core.view(orders.id)?.refTime).toBeGreaterThan(refTime);
    // The claim is the new connection's, and goes with it.
    same.step({ type: 'connection-closed', connection: 'new', cause: 'connection-closed' });
    expect(same.list(orders)).toEqual([]);
  });
});
