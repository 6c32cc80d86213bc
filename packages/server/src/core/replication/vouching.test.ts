import { describe, expect, it } from 'vitest';
import { ClusterFixture } from '../../testing/cluster-fixture.js';
import { hostOf, serviceOf } from '../../testing/core-fixture.js';

const orders = serviceOf('orders');

/** Nodes that say in their last ping that they hold a set of node 0. */
function holders(cluster: ClusterFixture): number[] {
  return [1, 2].filter((index) => {
    const pings = cluster.nodes[index]?.effects.flatMap((effect) =>
      effect.type === 'send' && effect.message.type === 'ping' ? [effect.message] : [],
    );
    return pings?.at(-1)?.sets.some(({ node }) => node === cluster.ids[0]);
  });
}

describe('the set of a node that is lost', () => {
  it.each([
    ['by its last changes', { logChanges: 10_000 }],
    ['as a whole, in buckets', { logChanges: 1, chunkRecords: 2 }],
  ])(
    'is kept for the retention by who had missed its author earlier, once that has it anew: %s',
    (_how, replication) => {
      const cluster = ClusterFixture.ready(3, { replication });
      cluster.register(0, orders, hostOf(1));
      cluster.advance(1000);
      cluster.isolate(2);
      cluster.advance(500);
      for (let n = 2; n <= 9; n += 1) cluster.register(0, orders, hostOf(n));
      cluster.advance(45_000);
      cluster.kill(0);
      cluster.advance(5000);
      cluster.heal();
      cluster.advance(20_000);
      expect(holders(cluster)).toEqual([1, 2]);
      cluster.advance(35_000);
      expect(holders(cluster)).toEqual([]);
    },
  );
});
