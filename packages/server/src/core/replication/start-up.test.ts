import { expect, it } from 'vitest';
import { ClusterFixture } from '../../testing/cluster-fixture.js';
import { contentOf, hostOf, serviceOf } from '../../testing/core-fixture.js';

const orders = serviceOf('orders');

it('a subscriber from before a restart is pushed nothing until the node has a full copy', () => {
  const cluster = ClusterFixture.ready(3);
  cluster.register(1, orders, hostOf(1));
  cluster.register(2, orders, hostOf(2));
  cluster.advance(1000);
  cluster.kill(0);
  cluster.advance(1000);
  const subscriber = { ip: '10.0.0.9', port: 5000, clusters: '', agent: 'Nacos-Java-Client:v1.4.8', app: '' };
  cluster.restart(0, { epoch: 1, entries: [{ type: 'subscribed', service: orders, subscriber }], ageMs: 1000 });
  const node = cluster.nodes[0];
  const pushed = () =>
    (node?.effects ?? []).flatMap((effect) => (effect.type === 'push' ? [effect.view.hosts.map(({ ip }) => ip)] : []));
  for (let waited = 0; waited < 5000; waited += 5) {
    cluster.advance(5);
    if (node?.core.replication?.ready === false) expect(pushed()).toEqual([]);
  }
  expect(pushed()[0]).toEqual(['10.0.0.1', '10.0.0.2']);
});

it('a write goes before what was restored, also when the clock was set back since', () => {
  const cluster = ClusterFixture.ready(2);
  cluster.kill(0);
  cluster.kill(1);
  const version = { cv: 9_000_000_000_000, op: ['10.0.0.2:8848', 1, 1] } as const;
  const claim = { service: orders, address: hostOf(1), publisher: 'http', registered: contentOf({}), healthy: true };
  cluster.restart(0, { epoch: 1, entries: [{ type: 'registered', ...claim, refTime: 1, version }], ageMs: 1000 });
  cluster.register(0, orders, hostOf(1), { weight: 7 });
  const kept = [...(cluster.nodes[0]?.core.snapshot() ?? [])].find(({ type }) => type === 'registered');
  expect(kept).toMatchObject({ registered: { weight: 7 }, version: { cv: version.cv + 1 } });
});

it('a node that stands still while it starts has not waited in vain for the others meanwhile', () => {
  const cluster = ClusterFixture.ready(2, { replication: { chunkRecords: 1 } });
  for (const n of [1, 2, 3]) cluster.register(1, orders, hostOf(n));
  cluster.advance(1000);
  cluster.restart(0, { epoch: 1 });
  cluster.freeze(0);
  cluster.advance(12_000);
  cluster.thaw(0);
  const shown = new Set<number>();
  for (let waited = 0; waited < 3000; waited += 5) {
    cluster.advance(5);
    if (cluster.nodes[0]?.core.replication?.ready) shown.add(cluster.list(0, orders).length);
  }
  expect([...shown]).toEqual([3]);
});
