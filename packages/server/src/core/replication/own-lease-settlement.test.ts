import { expect, it } from 'vitest';
import { ClusterFixture } from '../../testing/cluster-fixture.js';
import { hostOf, metadataOf, serviceOf } from '../../testing/core-fixture.js';

const orders = serviceOf('orders');
const one = hostOf(1);
/** Content whose lease is unhealthy and over after these times. */
const timed = (beatTimeoutMs: number, deleteTimeoutMs: number) => ({
  metadata: metadataOf({
    'preserved.heart.beat.timeout': String(beatTimeoutMs),
    'preserved.ip.delete.timeout': String(deleteTimeoutMs),
  }),
});

it('an unhealthy lease with a recent sign of life outlives the end of another one, while an old copy of a third is shown', () => {
  const cluster = ClusterFixture.ready(3);
  cluster.register(0, orders, one);
  cluster.advance(500);
  cluster.isolate(1);
  cluster.register(2, orders, one, timed(1000, 2000));
  cluster.advance(10);
  cluster.register(1, orders, one, timed(3000, 20_000));
  cluster.advance(4000);
  // Node 2 has ended its lease; node 1 shows that of node 0, which node 0 gave up long ago, instead of its unhealthy one.
  expect(cluster.list(2, orders)).toEqual([]);
  expect(cluster.list(1, orders)).toEqual(['10.0.0.1:8080@0']);
  cluster.heal();
  cluster.cut(0, 1);
  cluster.advance(1000);
  expect(cluster.list(1, orders)).toEqual(['-10.0.0.1:8080@1']);
  cluster.heal();
  cluster.advance(2000);
  expect(cluster.lists(orders)).toEqual(Array(3).fill(['-10.0.0.1:8080@1']));
  expect(cluster.nodes[1]?.events('instance-removed')).toEqual([]);
});
