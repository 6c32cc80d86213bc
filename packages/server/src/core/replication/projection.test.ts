import type { ServiceKey } from '@rollcall/protocol';
import { expect, it } from 'vitest';
import { ClusterFixture } from '../../testing/cluster-fixture.js';
import { hostOf, serviceOf } from '../../testing/core-fixture.js';

const one = hostOf(1);

/** A service whose leases node 0 takes over when their holder is lost. */
function ownedByFirst(cluster: ClusterFixture): ServiceKey {
  const services = Array.from({ length: 50 }, (_, n) => serviceOf(`orders-${n}`));
  return services.find(({ id }) => cluster.nodes[0]?.core.replication?.owns(id)) as ServiceKey;
}

it('a node that starts does not report a lease of its earlier run as taken over by the new one', () => {
  const cluster = ClusterFixture.ready(3);
  // Owned by the node that starts: no other one adopts the lease meanwhile.
  const owned = ownedByFirst(cluster);
  cluster.register(1, owned, one);
  cluster.advance(500);
  cluster.register(0, owned, one);
  cluster.advance(500);
  cluster.restart(0, { epoch: 1 });
  // Node 1 says first what it gave up for the earlier run, then the set of that run comes.
  const holders: string[][] = [];
  for (let ms = 0; ms < 1000; ms += 10) {
    cluster.advance(10);
    const list = cluster.list(0, owned);
    if (list.length > 0 && holders.at(-1)?.[0] !== list[0]) holders.push(list);
  }
  expect(holders).toEqual([['10.0.0.1:8080@1'], ['10.0.0.1:8080@0']]);
  expect(cluster.nodes[0]?.events('lease-moved')).toEqual([]);
});

it('a node that does not know yet of the loss reports the lease as taken over by the one that knows', () => {
  const cluster = ClusterFixture.ready(3);
  const owned = ownedByFirst(cluster);
  cluster.register(1, owned, one);
  cluster.advance(1000);
  cluster.kill(1);
  for (let tries = 0; tries < 2; tries += 1) cluster.step(0, { type: 'peer-refused', peer: '10.9.0.2:8848' });
  cluster.advance(500);
  expect(cluster.nodes[2]?.core.replication?.members().find(({ node }) => node === '10.9.0.2:8848')?.state).toBe('UP');
  expect(cluster.list(2, owned)).toEqual(['10.0.0.1:8080@0']);
  const [moved, ...more] = cluster.nodes[2]?.events('lease-moved') ?? [];
  expect(more).toEqual([]);
  expect(moved).toMatchObject({ from: '10.9.0.2:8848', to: '10.9.0.1:8848', why: 'holder-lost' });
});

it('a lease that its client took elsewhere is not reported as taken over', () => {
  const cluster = ClusterFixture.ready(3);
  const orders = serviceOf('orders');
  cluster.register(1, orders, one);
  cluster.advance(1000);
  cluster.register(0, orders, one);
  cluster.advance(1000);
  const moves = cluster.nodes[2]?.events('lease-moved') ?? [];
  expect(moves.map(({ why }) => why)).toEqual(['elsewhere']);
});
