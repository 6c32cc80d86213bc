import { describe, expect, it } from 'vitest';
import { ClusterFixture } from '../../testing/cluster-fixture.js';
import { hostOf, metadataOf, serviceOf } from '../../testing/core-fixture.js';
import type { JournalEntry } from '../journal-entry.js';

const orders = serviceOf('orders');
const one = hostOf(1);
const two = hostOf(2);

/** Lists of the given nodes, without holders. */
function hosts(cluster: ClusterFixture, ...indices: number[]): string[][] {
  return indices.map((index) => cluster.list(index, orders).map((host) => host.replace(/@.*/, '')));
}

describe('a write', () => {
  it('is seen on the other nodes at once, and after a busy moment within a flush', () => {
    const cluster = ClusterFixture.ready(3);
    cluster.register(0, orders, one);
    cluster.advance(15);
    expect(cluster.lists(orders)).toEqual([['10.0.0.1:8080@0'], ['10.0.0.1:8080@0'], ['10.0.0.1:8080@0']]);
    cluster.register(0, orders, two);
    cluster.advance(200);
    expect(cluster.list(1, orders)).toEqual(['10.0.0.1:8080@0']);
    cluster.advance(150);
    expect(cluster.list(1, orders)).toEqual(['10.0.0.1:8080@0', '10.0.0.2:8080@0']);
  });

  it('reaches a node for which it was lost', () => {
    const cluster = ClusterFixture.ready(3);
    cluster.cut(0, 1);
    cluster.register(0, orders, one);
    cluster.advance(100);
    expect(cluster.list(1, orders)).toEqual([]);
    cluster.heal();
    cluster.advance(1500);
    expect(cluster.list(1, orders)).toEqual(['10.0.0.1:8080@0']);
  });

  it('of a later node wins, and the earlier one gives its record up', () => {
    const cluster = ClusterFixture.ready(3);
    cluster.register(0, orders, one, { metadata: metadataOf({ v: '1' }) });
    cluster.advance(1000);
    cluster.register(1, orders, one, { metadata: metadataOf({ v: '2' }) });
    cluster.advance(2500);
    expect(cluster.lists(orders)).toEqual([['10.0.0.1:8080@1'], ['10.0.0.1:8080@1'], ['10.0.0.1:8080@1']]);
    for (const { core } of cluster.nodes) expect(core.view(orders.id)?.hosts[0]?.metadata.get('v')).toBe('2');
    for (const { core } of cluster.nodes)
      expect(core.replication?.members().map(({ digests }) => digests)).toEqual(['equal', 'equal', 'equal']);
  });

  it('tells where it came from', () => {
    const cluster = ClusterFixture.ready(3);
    cluster.register(0, orders, one);
    cluster.advance(1000);
    const [event] = cluster.nodes[1]?.events('instance-registered') ?? [];
    expect(event).toMatchObject({ cause: 'replicated', node: '10.9.0.1:8848', actor: { via: 'peer' } });
    expect(cluster.nodes[0]?.events('instance-registered')[0]).toMatchObject({ node: undefined });
  });
});

describe('a removal', () => {
  it('at another node than the holder is a removal everywhere', () => {
    const cluster = ClusterFixture.ready(3);
    cluster.register(0, orders, one);
    cluster.advance(1000);
    cluster.deregister(2, orders, one);
    cluster.advance(500);
    expect(cluster.lists(orders)).toEqual([[], [], []]);
    expect(cluster.nodes[0]?.events('instance-removed')[0]).toMatchObject({ cause: 'deregistered' });
    cluster.advance(200_000);
    expect(cluster.lists(orders)).toEqual([[], [], []]);
  });

  it('that comes before the registration is known there counts, too', () => {
    const cluster = ClusterFixture.ready(3);
    cluster.register(0, orders, one);
    cluster.advance(2);
    cluster.deregister(2, orders, one);
    cluster.advance(1000);
    expect(cluster.lists(orders)).toEqual([[], [], []]);
  });

  it('during a cut is a removal after it, also where beats went on', () => {
    const cluster = ClusterFixture.ready(3);
    cluster.register(0, orders, one);
    cluster.advance(1000);
    cluster.isolate(0);
    cluster.advance(500);
    cluster.deregister(1, orders, one);
    cluster.advance(20_000);
    expect(cluster.list(2, orders)).toEqual([]);
    cluster.heal();
    cluster.advance(3000);
    expect(cluster.lists(orders)).toEqual([[], [], []]);
  });

  it('is followed by a registration that wins', () => {
    const cluster = ClusterFixture.ready(3);
    cluster.register(0, orders, one);
    cluster.advance(1000);
    cluster.deregister(1, orders, one);
    cluster.advance(50);
    cluster.register(2, orders, one);
    cluster.advance(1500);
    expect(cluster.lists(orders)).toEqual([['10.0.0.1:8080@2'], ['10.0.0.1:8080@2'], ['10.0.0.1:8080@2']]);
  });
});

describe('beats', () => {
  it('at the holder cause no traffic', () => {
    const cluster = ClusterFixture.ready(3);
    cluster.register(0, orders, one);
    cluster.advance(2000);
    const before = (cluster.sent.get('delta') ?? 0) + (cluster.sent.get('relay') ?? 0);
    for (let beat = 0; beat < 20; beat += 1) {
      cluster.beat(0, orders, one);
      cluster.advance(5000);
    }
    expect((cluster.sent.get('delta') ?? 0) + (cluster.sent.get('relay') ?? 0)).toBe(before);
    expect(hosts(cluster, 0, 1, 2)).toEqual([['10.0.0.1:8080'], ['10.0.0.1:8080'], ['10.0.0.1:8080']]);
  });

  it('at another node keep the lease at its holder, by one relay each', () => {
    const cluster = ClusterFixture.ready(3);
    cluster.register(0, orders, one);
    for (let beat = 0; beat < 20; beat += 1) {
      cluster.advance(5000);
      expect(cluster.beat(1 + (beat % 2), orders, one).known).toBe(true);
    }
    cluster.advance(1000);
    expect(cluster.lists(orders)).toEqual([['10.0.0.1:8080@0'], ['10.0.0.1:8080@0'], ['10.0.0.1:8080@0']]);
    expect(cluster.sent.get('relay')).toBe(20);
    expect(cluster.nodes.flatMap((node) => node.events('instance-unhealthy'))).toEqual([]);
  });

  it('stop: unhealthy and gone everywhere at the times of the lease', () => {
    const cluster = ClusterFixture.ready(3);
    cluster.register(0, orders, one);
    cluster.advance(14_990);
    expect(hosts(cluster, 0, 1)).toEqual([['10.0.0.1:8080'], ['10.0.0.1:8080']]);
    cluster.advance(400);
    expect(hosts(cluster, 0, 1)).toEqual([['-10.0.0.1:8080'], ['-10.0.0.1:8080']]);
    cluster.advance(15_000);
    expect(cluster.lists(orders)).toEqual([[], [], []]);
    expect(cluster.nodes[2]?.events('instance-removed')[0]).toMatchObject({ cause: 'delete-timeout' });
  });

  it('for an unhealthy instance make it healthy at once, wherever they come', () => {
    const cluster = ClusterFixture.ready(3);
    cluster.register(0, orders, one);
    cluster.advance(20_000);
    cluster.beat(1, orders, one);
    expect(hosts(cluster, 1)).toEqual([['10.0.0.1:8080']]);
    cluster.advance(1000);
    expect(cluster.lists(orders)).toEqual([['10.0.0.1:8080@1'], ['10.0.0.1:8080@1'], ['10.0.0.1:8080@1']]);
  });

  it('on their way when the lease ends elsewhere make this node the holder', () => {
    const cluster = ClusterFixture.ready(3);
    const times = { 'preserved.heart.beat.timeout': '15000', 'preserved.ip.delete.timeout': '15000' };
    cluster.register(0, orders, one, { metadata: metadataOf(times) });
    cluster.advance(1000);
    // The holder reads nothing from the node at which its client is.
    cluster.cutOneWay(1, 0);
    cluster.advance(13_700);
    cluster.beat(1, orders, one);
    for (let ms = 0; ms < 5000; ms += 20) {
      cluster.advance(20);
      expect(hosts(cluster, 1)).toEqual([['10.0.0.1:8080']]);
    }
    expect(hosts(cluster, 0, 2)).toEqual([['10.0.0.1:8080'], ['10.0.0.1:8080']]);
  });

  it('that the holder does not acknowledge make this node the holder', () => {
    const cluster = ClusterFixture.ready(3);
    cluster.register(0, orders, one);
    cluster.advance(4000);
    cluster.freeze(0);
    cluster.advance(500);
    cluster.beat(1, orders, one);
    expect(cluster.list(1, orders)).toEqual(['10.0.0.1:8080@0']);
    cluster.advance(1500);
    expect(cluster.list(1, orders)).toEqual(['10.0.0.1:8080@1']);
  });
});

describe('a node that dies', () => {
  it('takes nobody alive with it', () => {
    const cluster = ClusterFixture.ready(3);
    const alive = [1, 2, 3, 4, 5, 6].map((n) => hostOf(n));
    for (const [index, host] of alive.entries()) cluster.register(index % 3, orders, host);
    cluster.advance(1000);
    cluster.kill(0);
    for (let second = 0; second < 60; second += 1) {
      for (const [index, host] of alive.entries())
        if (second % 5 === index % 5) cluster.beat(1 + ((second + index) % 2), orders, host);
      cluster.advance(1000);
      for (const list of hosts(cluster, 1, 2)) expect(list).toEqual(alive.map(({ ip }) => `${ip}:8080`));
    }
    expect(
      cluster
        .lists(orders)
        .flat()
        .filter((host) => host.endsWith('@0')),
    ).toEqual([]);
  });

  it('dies together with a client: unhealthy and gone in the times promised (B5)', () => {
    const cluster = ClusterFixture.ready(3);
    cluster.register(0, orders, one);
    cluster.advance(1000);
    cluster.kill(0);
    cluster.advance(23_600 - 1000);
    expect(hosts(cluster, 1, 2)).toEqual([['-10.0.0.1:8080'], ['-10.0.0.1:8080']]);
    cluster.advance(15_000);
    expect(cluster.lists(orders)).toEqual([[], []]);
  });

  it('with a closed port counts as DOWN at once', () => {
    const cluster = ClusterFixture.ready(3);
    cluster.register(0, orders, one);
    cluster.advance(1000);
    cluster.kill(0, { refused: true });
    cluster.advance(100);
    expect(hosts(cluster, 1, 2)).toEqual([['10.0.0.1:8080'], ['10.0.0.1:8080']]);
    expect(cluster.list(1, orders)).not.toEqual(['10.0.0.1:8080@0']);
  });

  it('keeps its connections in the lists for their grace, unless their clients come back', () => {
    const cluster = ClusterFixture.ready(3);
    cluster.publish(0, orders, 'connection-a', [one]);
    cluster.publish(0, orders, 'connection-b', [two]);
    cluster.advance(1000);
    cluster.kill(0);
    cluster.advance(10_000);
    expect(hosts(cluster, 1)).toEqual([['10.0.0.1:8080', '10.0.0.2:8080']]);
    cluster.publish(1, orders, 'connection-c', [two]);
    cluster.advance(30_000);
    expect(hosts(cluster, 1, 2)).toEqual([['10.0.0.2:8080'], ['10.0.0.2:8080']]);
    cluster.step(1, { type: 'connection-closed', connection: 'connection-c', cause: 'connection-closed' });
    cluster.advance(1000);
    expect(hosts(cluster, 1, 2)).toEqual([[], []]);
  });

  it('that says goodbye is not waited for', () => {
    const cluster = ClusterFixture.ready(3);
    cluster.register(0, orders, one);
    cluster.advance(1000);
    cluster.step(0, { type: 'leaving' });
    cluster.kill(0);
    cluster.advance(100);
    expect(cluster.nodes[1]?.core.replication?.members()[1]).toMatchObject({ node: '10.9.0.1:8848', state: 'DOWN' });
    expect(hosts(cluster, 1, 2)).toEqual([['10.0.0.1:8080'], ['10.0.0.1:8080']]);
  });
});

describe('a node that comes back', () => {
  it('without disk knows everything before it may be read from', () => {
    const cluster = ClusterFixture.ready(3);
    cluster.register(0, orders, one);
    cluster.register(1, orders, two);
    cluster.advance(1000);
    cluster.kill(0);
    cluster.advance(2000);
    cluster.restart(0, { epoch: 0 });
    expect(cluster.nodes[0]?.core.replication?.ready).toBe(false);
    cluster.advance(3000);
    expect(cluster.nodes[0]?.core.replication?.ready).toBe(true);
    expect(cluster.nodes[0]?.core.replication?.epoch).toBe(2);
    expect(hosts(cluster, 0, 1, 2)).toEqual(Array(3).fill(['10.0.0.1:8080', '10.0.0.2:8080']));
  });

  it('with a snapshot brings nothing back that ended meanwhile', () => {
    const cluster = ClusterFixture.ready(3);
    cluster.register(0, orders, one);
    cluster.register(0, orders, two);
    cluster.advance(1000);
    const entries: JournalEntry[] = [...(cluster.nodes[0]?.core.snapshot() ?? [])];
    cluster.kill(0);
    cluster.advance(500);
    cluster.deregister(1, orders, one);
    cluster.advance(10_000);
    cluster.beat(1, orders, two);
    cluster.restart(0, { epoch: 1, entries, ageMs: 11_500 });
    cluster.advance(5000);
    expect(hosts(cluster, 0, 1, 2)).toEqual(Array(3).fill(['10.0.0.2:8080']));
  });

  it('names the one that saw a lease end which it held itself before', () => {
    const cluster = ClusterFixture.ready(3);
    cluster.register(0, orders, one);
    cluster.advance(1000);
    const entries = [...(cluster.nodes[0]?.core.snapshot() ?? [])];
    cluster.kill(0);
    cluster.advance(42_000);
    const removals = (index: number) =>
      cluster.nodes[index]?.effects.flatMap((effect) =>
        effect.type === 'event' && effect.event.type === 'instance-removed'
          ? [{ cause: effect.event.cause, node: effect.event.node }]
          : [],
      ) ?? [];
    const ender = removals(1)[0]?.node === undefined ? 1 : 2;
    expect(removals(ender)).toEqual([{ cause: 'delete-timeout', node: undefined }]);
    cluster.restart(0, { epoch: 1, entries, ageMs: 42_000 });
    cluster.advance(5000);
    expect(removals(0)).toEqual([{ cause: 'delete-timeout', node: cluster.ids[ender] }]);
  });

  it('later than the grace shows none of its old connections', () => {
    const cluster = ClusterFixture.ready(3);
    cluster.publish(0, orders, 'connection-a', [one]);
    cluster.advance(1000);
    const entries = [...(cluster.nodes[0]?.core.snapshot() ?? [])];
    cluster.kill(0);
    cluster.advance(39_000);
    cluster.restart(0, { epoch: 1, entries, ageMs: 40_000 });
    for (let step = 0; step < 50; step += 1) {
      cluster.advance(100);
      if (cluster.nodes[0]?.core.replication?.ready === true) expect(hosts(cluster, 0, 1, 2)).toEqual([[], [], []]);
    }
    expect(cluster.nodes[0]?.core.replication?.ready).toBe(true);
  });

  it('alone with a snapshot shows it, and takes it up', () => {
    const cluster = new ClusterFixture(1);
    cluster.register(0, orders, one);
    const entries = [...(cluster.nodes[0]?.core.snapshot() ?? [])];
    cluster.restart(0, { epoch: 1, entries, ageMs: 1000 });
    expect(cluster.list(0, orders)).toEqual(['10.0.0.1:8080@0']);
    cluster.advance(14_000);
    cluster.beat(0, orders, one);
    cluster.advance(14_000);
    expect(hosts(cluster, 0)).toEqual([['10.0.0.1:8080']]);
    cluster.advance(20_000);
    expect(hosts(cluster, 0)).toEqual([[]]);
  });

  it('alone with a snapshot lets go of who never beats again', () => {
    const cluster = new ClusterFixture(1);
    cluster.register(0, orders, one);
    cluster.publish(0, orders, 'connection-a', [two]);
    const entries = [...(cluster.nodes[0]?.core.snapshot() ?? [])];
    cluster.restart(0, { epoch: 1, entries, ageMs: 1000 });
    cluster.advance(14_000);
    expect(hosts(cluster, 0)).toEqual([['10.0.0.1:8080', '10.0.0.2:8080']]);
    cluster.advance(17_000);
    expect(hosts(cluster, 0)).toEqual([[]]);
  });

  it('all at once with snapshots: what beats is kept, what does not is removed', () => {
    const cluster = ClusterFixture.ready(3);
    cluster.register(0, orders, one);
    cluster.register(1, orders, two);
    cluster.advance(1000);
    const snapshots = cluster.nodes.map(({ core }) => [...core.snapshot()]);
    for (const index of [0, 1, 2]) cluster.restart(index, { epoch: 1, entries: snapshots[index] ?? [], ageMs: 1000 });
    for (let beat = 0; beat < 12; beat += 1) {
      cluster.advance(5000);
      cluster.beat(beat % 3, orders, one);
    }
    cluster.advance(1000);
    expect(hosts(cluster, 0, 1, 2)).toEqual(Array(3).fill(['10.0.0.1:8080']));
  });
});

describe('a node that stood still', () => {
  it('hurts nobody, and brings back nobody who died meanwhile', () => {
    const cluster = ClusterFixture.ready(3);
    const [lives, dies] = [one, two];
    cluster.register(1, orders, lives);
    cluster.register(1, orders, dies);
    cluster.advance(4000);
    cluster.freeze(1);
    for (let beat = 0; beat < 9; beat += 1) {
      cluster.advance(5000);
      cluster.beat(beat % 2 === 0 ? 0 : 2, orders, lives);
      expect(hosts(cluster, 0, 2).every((list) => list.includes('10.0.0.1:8080'))).toBe(true);
    }
    expect(hosts(cluster, 0, 2)).toEqual([['10.0.0.1:8080'], ['10.0.0.1:8080']]);
    cluster.thaw(1);
    for (let step = 0; step < 200; step += 1) {
      cluster.advance(20);
      expect(hosts(cluster, 0, 2)).toEqual([['10.0.0.1:8080'], ['10.0.0.1:8080']]);
    }
    expect(hosts(cluster, 1)).toEqual([['10.0.0.1:8080']]);
  });
});

it('a node that stood still vouches for nobody whom it heard before', () => {
  const cluster = ClusterFixture.ready(3);
  cluster.register(0, orders, one);
  cluster.advance(1500);
  cluster.kill(0);
  cluster.freeze(2);
  cluster.advance(30_000);
  cluster.thaw(2);
  cluster.advance(15_000);
  const states = cluster.nodes[1]?.effects.flatMap((effect) =>
    effect.type === 'member-changed' && effect.node === cluster.ids[0] ? [effect.state] : [],
  );
  expect(states).toEqual(['UP', 'SUSPICIOUS', 'DOWN']);
});

describe('a partition', () => {
  it('of 20 s: both sides serve, and agree again without anybody hurt', () => {
    const cluster = ClusterFixture.ready(3);
    const [here, there] = [one, two];
    cluster.register(0, orders, here);
    cluster.register(1, orders, there);
    cluster.advance(4000);
    cluster.isolate(0);
    const all = ['10.0.0.1:8080', '10.0.0.2:8080'];
    for (let beat = 0; beat < 4; beat += 1) {
      cluster.beat(0, orders, here);
      cluster.beat(1 + (beat % 2), orders, there);
      cluster.advance(5000);
    }
    expect(hosts(cluster, 1, 2)).toEqual([all, all]);
    cluster.heal();
    for (let step = 0; step < 100; step += 1) {
      cluster.advance(100);
      if (step % 50 === 0) {
        cluster.beat(2, orders, here);
        cluster.beat(0, orders, there);
      }
      expect(hosts(cluster, 1, 2)).toEqual([all, all]);
      if (step >= 20) expect(hosts(cluster, 0)).toEqual([all]);
    }
  });

  it('that ends just before an adopted lease would hurts nobody who beats at the former holder', () => {
    for (const [cutMs, delayMs] of [
      [20_000, 10],
      [21_400, 10],
      [20_000, 300],
      [21_300, 300],
    ] as const) {
      const cluster = ClusterFixture.ready(3);
      cluster.register(0, orders, one);
      cluster.advance(4000);
      cluster.isolate(0);
      for (let ms = 0; ms < cutMs; ms += 50) {
        if (ms % 5000 === 0) cluster.beat(0, orders, one);
        cluster.advance(50);
      }
      expect(hosts(cluster, 1, 2)).toEqual([['10.0.0.1:8080'], ['10.0.0.1:8080']]);
      cluster.heal();
      cluster.delayMs = delayMs;
      for (let ms = 0; ms < 10_000; ms += 20) {
        if (ms % 5000 === 4000) cluster.beat(0, orders, one);
        cluster.advance(20);
        expect(hosts(cluster, 0, 1, 2)).toEqual(Array(3).fill(['10.0.0.1:8080']));
      }
    }
  });

  it('that swallowed a relay loses no sign of life that waited behind it', () => {
    const cluster = ClusterFixture.ready(3);
    const others = [serviceOf('payments'), serviceOf('returns')] as const;
    cluster.register(0, orders, one, { metadata: metadataOf({ 'preserved.heart.beat.timeout': '9000' }) });
    for (const [index, service] of others.entries()) cluster.register(index + 1, service, two);
    cluster.advance(4000);
    cluster.isolate(0);
    const health = { type: 'health', kind: 'ephemeral', address: two, healthy: false, cause: 'set-by-hand' } as const;
    for (let ms = 0; ms < 25_000; ms += 20) {
      if (ms % 5000 === 3000) cluster.beat(0, orders, one);
      // Not acknowledged yet when the lease that was adopted at 7 s is heard of.
      if (ms === 13_200)
        for (const service of others) cluster.step(0, { ...health, service, actor: { via: 'operator' } });
      if (ms === 13_400) cluster.heal();
      cluster.advance(20);
      if (ms > 7500) expect(hosts(cluster, 0, 1, 2)).toEqual(Array(3).fill(['10.0.0.1:8080']));
    }
  });

  it('of two nodes loses no sign of life of a lease that moves by way of a third one', () => {
    const cluster = ClusterFixture.ready(3);
    const content = { metadata: metadataOf({ 'preserved.heart.beat.timeout': '6000' }) };
    cluster.register(0, orders, one, content);
    cluster.advance(500);
    cluster.cut(0, 1);
    cluster.advance(4000);
    cluster.register(1, orders, one, content);
    cluster.advance(450);
    cluster.beat(0, orders, one);
    cluster.advance(3550);
    expect(cluster.nodes[0]?.core.replication?.holderOf(orders.id, one.key)).toBe('10.9.0.2:8848');
    cluster.heal();
    // Over the end of the lease that began with the registration.
    for (let ms = 0; ms < 2400; ms += 20) {
      cluster.advance(20);
      expect(hosts(cluster, 0, 1, 2)).toEqual(Array(3).fill(['10.0.0.1:8080']));
    }
  });
});
