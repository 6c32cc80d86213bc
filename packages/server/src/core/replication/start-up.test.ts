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

/** Node 2 starts anew, cut off from the others by their refusal, which it is told every 3 s. */
function refusedStart(reason: 'not-a-member' | 'wrong-secret') {
  const cluster = ClusterFixture.ready(3);
  cluster.register(0, orders, hostOf(1));
  cluster.advance(1000);
  cluster.kill(2);
  cluster.isolate(2);
  cluster.restart(2, { epoch: 1 });
  const [first = ''] = cluster.ids;
  const isReady = () => cluster.nodes[2]?.core.replication?.ready;
  const passRefused = (ms: number) => {
    for (let passed = 0; passed < ms; passed += 3000) {
      cluster.step(2, { type: 'peer-rejected', peer: first, reason });
      cluster.advance(3000);
    }
  };
  return { cluster, isReady, passRefused };
}

it('a node that is refused has an answer: it is not ready as long as somebody refuses it', () => {
  const { cluster, isReady, passRefused } = refusedStart('wrong-secret');
  passRefused(60_000);
  expect(isReady()).toBe(false);
  cluster.register(2, orders, hostOf(2));
  expect(cluster.list(2, orders)).toHaveLength(1);
  const alarms = (cluster.nodes[2]?.effects ?? []).flatMap((effect) => (effect.type === 'alarm' ? [effect] : []));
  expect(alarms.length).toBeLessThanOrEqual(6);
  expect(alarms[0]).toMatchObject({ kind: 'not-admitted', stop: false });
  expect(alarms[0]?.text).toMatch(/10\.9\.0\.1:8848 .*\(wrong-secret\).*--cluster-secret-file/);
  cluster.advance(6900);
  expect(isReady()).toBe(false);
  cluster.advance(300);
  expect(isReady()).toBe(true);
});

it('a node that is taken in after a refusal shows no list before it is whole', () => {
  const { cluster, isReady, passRefused } = refusedStart('not-a-member');
  passRefused(30_000);
  cluster.register(0, orders, hostOf(1));
  cluster.advance(5000);
  cluster.heal();
  const shown = new Set<number>();
  for (let waited = 0; waited < 3000; waited += 5) {
    cluster.advance(5);
    if (isReady()) shown.add(cluster.list(2, orders).length);
  }
  expect([...shown]).toEqual([1]);
});

it('a refusal by who is no member, or of a node that is ready, changes nothing', () => {
  const { cluster, isReady } = refusedStart('not-a-member');
  for (let passed = 0; passed < 11_000; passed += 1000) {
    cluster.step(2, { type: 'peer-rejected', peer: '10.9.9.9:8848', reason: 'not-a-member' });
    cluster.advance(1000);
  }
  expect(isReady()).toBe(true);
  const before = cluster.nodes[2]?.effects.length;
  cluster.step(2, { type: 'peer-rejected', peer: cluster.ids[0] ?? '', reason: 'not-a-member' });
  expect(cluster.nodes[2]?.effects.length).toBe(before);
  expect(isReady()).toBe(true);
});

it('a node that stands still while it copies is not read from before it knows what happened meanwhile', () => {
  const cluster = ClusterFixture.ready(2, { replication: { chunkRecords: 1 } });
  for (const n of [1, 2, 3]) cluster.register(1, orders, hostOf(n));
  cluster.advance(1000);
  cluster.restart(0, { epoch: 1 });
  cluster.advance(25);
  expect(cluster.nodes[0]?.core.replication?.ready).toBe(false);
  cluster.freeze(0);
  cluster.advance(5000);
  cluster.register(1, orders, hostOf(4));
  cluster.advance(7000);
  cluster.thaw(0);
  const shown = new Set<number>();
  for (let waited = 0; waited < 3000; waited += 5) {
    cluster.advance(5);
    if (cluster.nodes[0]?.core.replication?.ready) shown.add(cluster.list(0, orders).length);
  }
  expect([...shown]).toEqual([4]);
});

it('a write that only this node knew is not forgotten when its snapshot seems old, as after a jump of the clock', () => {
  const cluster = ClusterFixture.ready(2);
  cluster.register(1, orders, hostOf(1), { weight: 1 });
  cluster.advance(1000);
  cluster.isolate(0);
  cluster.register(0, orders, hostOf(1), { weight: 7 });
  const entries = [...(cluster.nodes[0]?.core.snapshot() ?? [])];
  cluster.kill(0);
  cluster.heal();
  cluster.restart(0, { epoch: 1, entries, ageMs: 3_600_000 });
  cluster.advance(5000);
  const weights = cluster.nodes.map(({ core }) => core.view(orders.id)?.hosts.map(({ weight }) => weight));
  expect(weights).toEqual([[7], [7]]);
});
