// Reports on clusters of other makes, each as the shortest course of events in which it could happen here.

import { describe, expect, it } from 'vitest';
import { ClusterFixture } from '../../testing/cluster-fixture.js';
import { contentOf, hostOf, metadataOf, serviceOf } from '../../testing/core-fixture.js';
import { addressOf } from '../instance-address.js';
import type { PeerMessage } from './peer-message.js';

const orders = serviceOf('orders');
const one = hostOf(1);
const two = hostOf(2);
const operator = { via: 'operator' } as const;
const editOne = { type: 'edit', service: orders, kind: 'ephemeral', address: one } as const;

/** Lists of all living nodes, without holders. */
function lists(cluster: ClusterFixture): string[][] {
  return cluster.lists(orders).map((list) => list.map((host) => host.replace(/@.*/, '')));
}

/** Lets time pass and looks at all nodes on the way. */
function watch(cluster: ClusterFixture, ms: number, look: () => void, everyMs = 250): void {
  for (let passed = 0; passed < ms; passed += everyMs) {
    cluster.advance(everyMs);
    look();
  }
}

describe('BR-088: nodes whose clocks are a minute apart', () => {
  const apart = (): ClusterFixture => {
    const cluster = ClusterFixture.ready(3);
    for (const [index, aheadMs] of [0, 60_000, -60_000].entries())
      Object.assign(cluster.nodes[index] ?? {}, { wallAheadMs: aheadMs });
    return cluster;
  };

  it('agree, and let no lease end early or late', () => {
    const cluster = apart();
    for (const index of [0, 1, 2]) cluster.register(index, orders, hostOf(index + 1));
    cluster.advance(500);
    for (const list of lists(cluster)) expect(list).toHaveLength(3);
    for (let beat = 0; beat < 12; beat += 1) {
      for (const index of [0, 1, 2]) cluster.beat((index + beat) % 3, orders, hostOf(index + 1));
      watch(cluster, 5000, () => {
        for (const list of lists(cluster)) expect(list).toEqual(['10.0.0.1:8080', '10.0.0.2:8080', '10.0.0.3:8080']);
      });
    }
    // Last beats were 5 s ago.
    cluster.advance(9900);
    for (const list of lists(cluster)) expect(list.every((host) => !host.startsWith('-'))).toBe(true);
    cluster.advance(1000);
    for (const list of lists(cluster)) expect(list.every((host) => host.startsWith('-'))).toBe(true);
    cluster.advance(15_000);
    expect(lists(cluster)).toEqual([[], [], []]);
  });

  it('deregister at any of them what was registered at any other', () => {
    const cluster = apart();
    for (const index of [0, 1, 2]) cluster.register(index, orders, hostOf(index + 1));
    cluster.advance(500);
    for (const index of [0, 1, 2]) cluster.deregister(index, orders, hostOf(((index + 1) % 3) + 1));
    cluster.advance(500);
    expect(lists(cluster)).toEqual([[], [], []]);
    cluster.advance(120_000);
    expect(lists(cluster)).toEqual([[], [], []]);
  });
});

it('BR-089: a second registration of the same instance makes no node miss it, for minutes', () => {
  const cluster = ClusterFixture.ready(3);
  cluster.publish(0, orders, 'connection-a', [one]);
  cluster.advance(10_000);
  cluster.publish(0, orders, 'connection-a', [one]);
  watch(cluster, 240_000, () => expect(lists(cluster)).toEqual(Array(3).fill(['10.0.0.1:8080'])));
  expect(cluster.nodes.flatMap((node) => node.events('instance-removed'))).toEqual([]);
});

it('BR-090: registering anew every 5 s with other metadata loses nothing on other nodes', () => {
  const cluster = ClusterFixture.ready(3);
  for (let round = 0; round < 60; round += 1) {
    cluster.publish(0, orders, 'connection-a', [one], { metadata: metadataOf({ round: String(round) }) });
    cluster.advance(500);
    for (const { core } of cluster.nodes)
      expect(core.view(orders.id)?.hosts.map(({ metadata }) => metadata.get('round'))).toEqual([String(round)]);
    watch(cluster, 4500, () => expect(lists(cluster)).toEqual(Array(3).fill(['10.0.0.1:8080'])));
  }
});

describe('an operator’s decision', () => {
  const enabled = (cluster: ClusterFixture): boolean[] =>
    cluster.nodes.flatMap(({ alive, core }) =>
      alive ? (core.view(orders.id)?.hosts ?? []).map((host) => host.enabled) : [],
    );

  it('BR-091: outlives two moves of the connection that registers the opposite', () => {
    const cluster = ClusterFixture.ready(3);
    cluster.publish(0, orders, 'connection-0', [one], { enabled: false });
    cluster.advance(500);
    cluster.step(0, { type: 'store', changes: [{ ...editOne, value: { enabled: true } }], actor: operator });
    cluster.advance(500);
    for (const next of [1, 2]) {
      cluster.step(next - 1, {
        type: 'connection-closed',
        connection: `connection-${next - 1}`,
        cause: 'connection-closed',
      });
      cluster.advance(200);
      cluster.publish(next, orders, `connection-${next}`, [one], { enabled: false });
      watch(cluster, 70_000, () => expect(enabled(cluster).every(Boolean)).toBe(true));
      expect(enabled(cluster)).toEqual([true, true, true]);
    }
  });

  it('BR-092: outlives the restart of the node at which the client was', () => {
    const cluster = ClusterFixture.ready(3);
    cluster.publish(0, orders, 'connection-0', [one]);
    cluster.advance(500);
    cluster.step(0, { type: 'store', changes: [{ ...editOne, value: { enabled: false } }], actor: operator });
    cluster.advance(500);
    cluster.kill(0);
    cluster.advance(1000);
    cluster.publish(1, orders, 'connection-1', [one]);
    cluster.restart(0, { epoch: 1 });
    watch(cluster, 300_000, () => expect(enabled(cluster)).not.toContain(true));
    expect(enabled(cluster)).toEqual([false, false, false]);
  });

  it('BR-169: is read alike at all nodes, and never flips back', () => {
    const cluster = ClusterFixture.ready(3);
    cluster.register(0, orders, one);
    cluster.advance(1000);
    cluster.step(2, { type: 'store', changes: [{ ...editOne, value: { weight: 9 } }], actor: operator });
    cluster.advance(500);
    for (let beat = 0; beat < 10; beat += 1) {
      cluster.beat(beat % 3, orders, one);
      watch(cluster, 5000, () => {
        for (const { core } of cluster.nodes) expect(core.view(orders.id)?.hosts[0]?.weight).toBe(9);
      });
    }
  });
});

it('BR-093: after a cut longer than all leases every node has what lives, also one that starts then', () => {
  const cluster = ClusterFixture.ready(3);
  cluster.register(0, orders, one);
  cluster.register(1, orders, two);
  cluster.advance(1000);
  cluster.isolate(0);
  for (let beat = 0; beat < 14; beat += 1) {
    cluster.beat(0, orders, one);
    cluster.beat(1 + (beat % 2), orders, two);
    cluster.advance(5000);
  }
  cluster.heal();
  const all = ['10.0.0.1:8080', '10.0.0.2:8080'];
  const beatAll = (): void => {
    cluster.beat(0, orders, one);
    cluster.beat(1, orders, two);
  };
  beatAll();
  cluster.advance(2000);
  expect(lists(cluster)).toEqual([all, all, all]);
  cluster.restart(2, { epoch: 1 });
  for (let beat = 0; beat < 8; beat += 1) {
    beatAll();
    cluster.advance(5000);
    expect(lists(cluster)).toEqual([all, all, all]);
  }
});

it('BR-095: the restart of a node pushes nobody a list that is too short', () => {
  const cluster = ClusterFixture.ready(3);
  const services = Array.from({ length: 30 }, (_, n) => serviceOf(`orders-${n}`));
  for (const [n, service] of services.entries()) {
    cluster.register(n % 3, service, one);
    cluster.register((n + 1) % 3, service, two);
    for (const index of [0, 1, 2]) {
      const connection = `reader-${index}`;
      const reader = { connection, clusters: '', agent: 'reader', app: '', ip: '10.0.1.1' };
      cluster.step(index, { type: 'subscribe-stream', service, ...reader });
    }
  }
  cluster.advance(1000);
  const before = cluster.nodes.map(({ effects }) => effects.length);
  cluster.kill(0);
  cluster.advance(2000);
  cluster.restart(0, { epoch: 1 });
  for (let beat = 0; beat < 12; beat += 1) {
    for (const [n, service] of services.entries())
      for (const host of [one, two]) cluster.beat(1 + ((n + beat) % 2), service, host);
    cluster.advance(5000);
  }
  const pushed = cluster.nodes.flatMap(({ effects }, index) =>
    effects.slice(index === 0 ? 0 : before[index]).flatMap((effect) => (effect.type === 'push' ? [effect.view] : [])),
  );
  expect(pushed.filter(({ hosts }) => hosts.length < 2)).toEqual([]);
  for (const service of services) for (const index of [0, 1, 2]) expect(cluster.list(index, service)).toHaveLength(2);
});

it('BR-098: more than 10 MB reach a node that starts, in messages that are small', () => {
  const cluster = ClusterFixture.ready(2);
  const metadata = metadataOf({ text: 'x'.repeat(300) });
  const services = Array.from({ length: 20 }, (_, n) => serviceOf(`orders-${n}`));
  for (const service of services)
    for (let n = 0; n < 1000; n += 1)
      cluster.register(0, service, addressOf(`10.1.${n >> 8}.${n & 255}`, 8080, 'DEFAULT'), { metadata });
  cluster.restart(1, { epoch: 1 });
  const node = cluster.nodes[0];
  const from = node?.effects.length ?? 0;
  cluster.advance(9000);
  const sizes = (node?.effects.slice(from) ?? []).flatMap((effect) =>
    effect.type === 'send' && carriesRecords(effect.message) ? [JSON.stringify(effect.message).length] : [],
  );
  expect(sizes.reduce((sum, size) => sum + size, 0)).toBeGreaterThan(10_000_000);
  expect(Math.max(...sizes)).toBeLessThan(256 * 1024);
  expect(cluster.nodes[1]?.core.replication?.ready).toBe(true);
  for (const service of services) expect(cluster.list(1, service)).toHaveLength(1000);
});

function carriesRecords({ type }: PeerMessage): boolean {
  return type === 'delta' || type === 'bucket-records';
}

it('BR-158: an address that is registered at two nodes is listed once for each of its clusters', () => {
  const cluster = ClusterFixture.ready(3);
  const inOther = hostOf(1, 'other');
  cluster.register(0, orders, one);
  cluster.register(1, orders, one, contentOf({ weight: 2 }));
  cluster.register(2, orders, inOther);
  cluster.publish(2, orders, 'connection-a', [one]);
  cluster.advance(2000);
  for (const { core } of cluster.nodes)
    expect(
      core
        .view(orders.id)
        ?.hosts.map(({ address: { key } }) => key)
        .toSorted(),
    ).toEqual([one.key, inOther.key].toSorted());
});
