import type { ServiceKey } from '@rollcall/protocol';
import { expect, it } from 'vitest';
import { ClusterFixture } from '../../testing/cluster-fixture.js';
import { hostOf, serviceOf } from '../../testing/core-fixture.js';

const one = hostOf(1);

it('a node that starts does not report a lease of its earlier run as taken over by the new one', () => {
  const cluster = ClusterFixture.ready(3);
  // Owned by the node that starts: no other one adopts the lease meanwhile.
  const owned = Array.from({ length: 50 }, (_, n) => serviceOf(`orders-${n}`)).find(({ id }) =>
    cluster.nodes[0]?.core.replication?.owns(id),
  ) as ServiceKey;
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
