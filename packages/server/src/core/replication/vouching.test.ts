import { describe, expect, it } from 'vitest';
import { ClusterFixture } from '../../testing/cluster-fixture.js';
import { hostOf, serviceOf, TESTER } from '../../testing/core-fixture.js';

const orders = serviceOf('orders');
/** Each node owns one of them at least. */
const services = ['orders', 'billing', 'stock', 'users', 'mail', 'search'].map(serviceOf);
const one = hostOf(1);
const two = hostOf(2);
const three = hostOf(3);

/** Nodes that say in their last ping that they hold a set of node 0. */
function holders(cluster: ClusterFixture): number[] {
  return [1, 2].filter((index) => {
    const pings = cluster.nodes[index]?.effects.flatMap((effect) =>
      effect.type === 'send' && effect.message.type === 'ping' ? [effect.message] : [],
    );
    return pings?.at(-1)?.sets.some(({ node }) => node === cluster.ids[0]);
  });
}

/** What node 1 shows of each service. */
function shown(cluster: ClusterFixture): string[] {
  const { core } = cluster.nodes[1] as (typeof cluster.nodes)[number];
  return services.map(({ id }) =>
    (core.view(id)?.hosts ?? []).map(({ ip, weight }) => `${ip} weight ${weight}`).join(', '),
  );
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

  it('is dropped in time, and what only it said still holds, also where the node that should take it over hears nothing', () => {
    const cluster = ClusterFixture.ready(3);
    for (const service of services) {
      cluster.register(2, service, one);
      cluster.register(2, service, two);
      cluster.register(2, service, three);
    }
    const edit = (index: number, weight: number) => {
      const value = { type: 'edit', kind: 'ephemeral', address: three, value: { weight } } as const;
      const changes = services.map((service) => ({ ...value, service }));
      cluster.step(index, { type: 'store', changes, actor: TESTER });
    };
    edit(2, 3);
    cluster.advance(1000);
    cluster.cutOneWay(0, 2);
    cluster.cutOneWay(1, 2);
    for (const service of services) {
      cluster.register(0, service, one, { weight: 7 });
      cluster.deregister(0, service, two);
    }
    edit(0, 9);
    cluster.advance(1000);
    const last = services.map(() => '10.0.0.1 weight 7, 10.0.0.3 weight 9');
    expect(shown(cluster)).toEqual(last);
    cluster.kill(0);
    for (let beat = 0; beat < 14; beat += 1) {
      for (const service of services) for (const host of [one, two, three]) cluster.beat(2, service, host);
      cluster.advance(5000);
      expect(shown(cluster)).toEqual(last);
    }
    expect(holders(cluster)).toEqual([]);
    cluster.heal();
    cluster.advance(5000);
    expect(cluster.nodes[2]?.core.view(orders.id)?.hosts.map(({ weight }) => weight)).toEqual([7, 9]);
  });

  it.each([
    { end: 'removal', leaves: true, pauseMs: 70_000, told: 'told alone', replication: {} },
    {
      end: 'removal',
      leaves: true,
      pauseMs: 70_000,
      told: 'told in buckets',
      replication: { logChanges: 1, chunkRecords: 2 },
    },
    { end: 'end of the lease', leaves: false, pauseMs: 90_000, told: 'told alone', replication: {} },
  ])('brings nobody back where a copy outlives the $end, $told', ({ leaves, pauseMs, replication }) => {
    const cluster = ClusterFixture.ready(3, { replication });
    for (const service of services) cluster.register(0, service, one);
    cluster.advance(1000);
    cluster.freeze(2);
    cluster.kill(0);
    if (leaves) for (const service of services) cluster.deregister(1, service, one);
    cluster.advance(pauseMs);
    cluster.thaw(2);
    // Until then it takes node 0 for alive.
    cluster.advance(8000);
    expect(holders(cluster)).toEqual([2]);
    for (let second = 0; second < 60; second += 1) {
      expect(services.flatMap((service) => cluster.list(2, service))).toEqual([]);
      cluster.advance(1000);
    }
    expect(holders(cluster)).toEqual([]);
  });
});
