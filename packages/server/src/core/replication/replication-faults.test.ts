import { describe, expect, it } from 'vitest';
import { ClusterFixture } from '../../testing/cluster-fixture.js';
import { contentOf, hostOf, metadataOf, serviceOf } from '../../testing/core-fixture.js';
import type { PeerMessage, PingMessage, SetDigest } from './peer-message.js';

const orders = serviceOf('orders');
const one = hostOf(1);
const two = hostOf(2);

/** Lists of the given nodes, without holders. */
function hosts(cluster: ClusterFixture, ...indices: number[]): string[][] {
  return indices.map((index) => cluster.list(index, orders).map((host) => host.replace(/@.*/, '')));
}

describe('repair', () => {
  it('copies a large set by buckets while it changes, and goes on where it was cut off', () => {
    const replication = { logChanges: 20, chunkRecords: 50 };
    const cluster = new ClusterFixture(2, { replication });
    cluster.kill(1);
    for (let n = 1; n <= 250; n += 1) cluster.register(0, orders, hostOf(n));
    for (let n = 1; n <= 250; n += 1) cluster.register(0, serviceOf('billing'), hostOf(n));
    cluster.restart(1, { epoch: 1 });
    cluster.advance(150);
    cluster.cut(0, 1);
    cluster.advance(500);
    expect(cluster.list(1, orders)).toEqual([]);
    cluster.heal();
    for (let n = 1; n <= 5; n += 1) {
      cluster.advance(100);
      cluster.deregister(0, orders, hostOf(n));
    }
    cluster.advance(8000);
    expect(cluster.list(1, orders)).toHaveLength(245);
    expect(cluster.lists(orders)[1]).toEqual(cluster.lists(orders)[0]);
    expect(cluster.nodes[0]?.core.replication?.members()[1]?.digests).toBe('equal');
  });
});

describe('beats for a lease that is held elsewhere', () => {
  it('keep it when its holder is lost and another node has ended it on the other side of a cut', () => {
    const cluster = ClusterFixture.ready(3);
    cluster.register(2, orders, one);
    cluster.advance(1000);
    cluster.isolate(1);
    for (let beat = 0; beat < 9; beat += 1) {
      cluster.beat(0, orders, one);
      cluster.advance(5000);
    }
    expect(hosts(cluster, 0, 1)).toEqual([['10.0.0.1:8080'], []]);
    cluster.kill(2);
    cluster.heal();
    for (let ms = 0; ms < 15_000; ms += 20) {
      cluster.advance(20);
      expect(hosts(cluster, 0)).toEqual([['10.0.0.1:8080']]);
    }
    expect(hosts(cluster, 1)).toEqual([['10.0.0.1:8080']]);
    cluster.advance(40_000);
    expect(hosts(cluster, 0, 1)).toEqual([[], []]);
  });
});

describe('operators', () => {
  const actor = { via: 'operator' } as const;

  it('edit an instance at any node, for all of them, and so does who takes it back', () => {
    const cluster = ClusterFixture.ready(3);
    cluster.register(0, orders, one);
    cluster.advance(1000);
    const edit = { type: 'edit', service: orders, kind: 'ephemeral', address: one } as const;
    cluster.step(1, { type: 'store', changes: [{ ...edit, value: { enabled: false } }], actor });
    cluster.advance(500);
    const enabled = () => cluster.nodes.map(({ core }) => core.view(orders.id)?.hosts[0]?.enabled);
    expect(enabled()).toEqual([false, false, false]);
    const version = expect.objectContaining({ op: [cluster.ids[1], 1, 1] });
    const kept = { type: 'keep', change: { ...edit, value: { enabled: false }, version } };
    for (const { effects } of cluster.nodes) expect(effects).toContainEqual(kept);
    expect(cluster.list(0, orders)).toEqual(['10.0.0.1:8080@0']);
    cluster.kill(1);
    for (let beat = 0; beat < 20; beat += 1) {
      cluster.beat(2 * (beat % 2), orders, one);
      cluster.advance(5000);
    }
    expect(cluster.nodes[0]?.core.view(orders.id)?.hosts[0]?.enabled).toBe(false);
    cluster.step(2, { type: 'store', changes: [{ ...edit, value: undefined }], actor });
    cluster.advance(500);
    expect(cluster.nodes[0]?.core.view(orders.id)?.hosts[0]?.enabled).toBe(true);
  });

  it.each([
    ['replaced', 2, { weight: 9 }, 9],
    ['replaced', 12, { weight: 9 }, 9],
    ['taken back', 2, undefined, 1],
    ['taken back', 12, undefined, 1],
  ])(
    'see no edit again that was %s at a node that is lost since, after a cut of %i beats',
    (_, beats, value, weight) => {
      for (const cutOff of [0, 1, 2]) {
        const cluster = ClusterFixture.ready(3);
        const [lost, third] = [(cutOff + 1) % 3, (cutOff + 2) % 3];
        const edit = { type: 'edit', service: orders, kind: 'ephemeral', address: one } as const;
        cluster.register(third, orders, one);
        cluster.step(cutOff, { type: 'store', changes: [{ ...edit, value: { weight: 5 } }], actor });
        cluster.advance(1000);
        cluster.isolate(cutOff);
        cluster.step(lost, { type: 'store', changes: [{ ...edit, value }], actor });
        cluster.advance(500);
        cluster.kill(lost);
        for (let beat = 0; beat < 40; beat += 1) {
          if (beat === beats) cluster.heal();
          cluster.beat(third, orders, one);
          cluster.advance(5000);
          const seenBy = beat < beats ? [third] : [cutOff, third];
          for (const index of seenBy)
            expect(cluster.nodes[index]?.core.view(orders.id)?.hosts.map((host) => host.weight)).toEqual([weight]);
        }
      }
    },
  );

  it('find an edit at all nodes or at none when its instance comes back, whichever node remembers it longest', () => {
    const cluster = ClusterFixture.ready(3);
    const owner = cluster.nodes.findIndex(({ core }) => core.replication?.owns(orders.id));
    const [edited, third] = [(owner + 1) % 3, (owner + 2) % 3];
    const changes = [{ type: 'edit', service: orders, kind: 'ephemeral', address: one, value: { weight: 5 } }] as const;
    cluster.register(third, orders, one);
    cluster.step(edited, { type: 'store', changes, actor });
    cluster.advance(1000);
    // The owner takes the edit for that of a lost node, so that two nodes have a record of it.
    cluster.isolate(edited);
    cluster.advance(9000);
    cluster.heal();
    cluster.advance(3000);
    cluster.isolate(owner);
    cluster.deregister(third, orders, one);
    cluster.advance(5000);
    cluster.heal();
    cluster.advance(58_000);
    cluster.register(third, orders, one);
    cluster.advance(10_000);
    const weights = cluster.nodes.map(({ core }) => core.view(orders.id)?.hosts.map(({ weight }) => weight));
    expect(weights).toEqual([[5], [5], [5]]);
  });

  it('change what is under their edits without moving the lease', () => {
    const cluster = ClusterFixture.ready(3);
    cluster.register(0, orders, one, { metadata: metadataOf({ a: '1' }) });
    cluster.advance(1000);
    cluster.step(2, { type: 'rebase', service: orders, address: one, content: contentOf(), actor });
    cluster.advance(1000);
    expect(cluster.lists(orders)).toEqual([['10.0.0.1:8080@0'], ['10.0.0.1:8080@0'], ['10.0.0.1:8080@0']]);
    for (const { core } of cluster.nodes) expect(core.view(orders.id)?.hosts[0]?.metadata.size).toBe(0);
    cluster.advance(28_500);
    expect(cluster.lists(orders)).toEqual([[], [], []]);
  });

  it('set health by hand where the lease is', () => {
    const cluster = ClusterFixture.ready(3);
    cluster.register(0, orders, one);
    cluster.advance(1000);
    const health = { type: 'health', service: orders, kind: 'ephemeral', address: one, healthy: false } as const;
    cluster.step(1, { ...health, cause: 'set-by-hand', actor });
    cluster.advance(500);
    expect(hosts(cluster, 0, 1, 2)).toEqual(Array(3).fill(['-10.0.0.1:8080']));
  });

  it('set health by hand where the lease is, also when that node does not hear of it at first', () => {
    const cluster = ClusterFixture.ready(3);
    cluster.register(0, orders, one);
    cluster.advance(1000);
    const health = { type: 'health', service: orders, kind: 'ephemeral', address: one, healthy: false } as const;
    cluster.isolate(1);
    cluster.step(1, { ...health, cause: 'set-by-hand', actor });
    cluster.advance(500);
    cluster.heal();
    cluster.advance(3000);
    expect(hosts(cluster, 0, 1, 2)).toEqual(Array(3).fill(['-10.0.0.1:8080']));
  });
});

describe('persistent instances', () => {
  it('have the health that their prober found, on all nodes', () => {
    const cluster = ClusterFixture.ready(3);
    const actor = { via: 'server' } as const;
    const value = { registered: contentOf(), base: contentOf() };
    const changes = [{ type: 'persistent-instance', service: orders, address: one, value }] as const;
    for (const index of [0, 1]) cluster.step(index, { type: 'store', changes, actor });
    const health = { type: 'health', service: orders, kind: 'persistent', address: one, healthy: false } as const;
    cluster.step(0, { ...health, cause: 'probe', actor });
    cluster.advance(500);
    cluster.step(2, { type: 'store', changes, actor });
    expect(hosts(cluster, 0, 1, 2)).toEqual(Array(3).fill(['-10.0.0.1:8080']));
  });
});

describe('a removal whose author is lost', () => {
  it('is remembered for its time by who has heard of it: a node that was away since before may come with the lease', () => {
    const cluster = ClusterFixture.ready(3);
    cluster.register(2, orders, one);
    cluster.advance(1000);
    cluster.freeze(0);
    cluster.advance(25_000);
    cluster.deregister(2, orders, one);
    cluster.advance(1000);
    cluster.kill(2, { refused: true });
    cluster.advance(39_000);
    cluster.isolate(0);
    cluster.thaw(0);
    cluster.advance(20_000);
    expect(hosts(cluster, 0, 1)).toEqual([['10.0.0.1:8080'], []]);
    cluster.heal();
    for (let ms = 0; ms < 10_000; ms += 10) {
      cluster.advance(10);
      expect(hosts(cluster, 1)).toEqual([[]]);
    }
    expect(hosts(cluster, 0)).toEqual([[]]);
  });
});

describe('a lease that was dropped for a removal', () => {
  it('does not come back where the removal was known, and was forgotten with its author', () => {
    const cluster = ClusterFixture.ready(3);
    cluster.register(1, orders, one);
    cluster.advance(1000);
    cluster.isolate(0);
    cluster.deregister(1, orders, one);
    cluster.advance(1000);
    cluster.isolate(2);
    cluster.register(1, serviceOf('billing'), two);
    cluster.advance(22_000);
    // Node 0, which has adopted the lease, learns of the removal.
    expect(hosts(cluster, 0, 1, 2)).toEqual([['10.0.0.1:8080'], [], []]);
    cluster.heal();
    cluster.isolate(2);
    cluster.advance(41_000);
    cluster.heal();
    cluster.cut(1, 2);
    for (let ms = 0; ms < 60_000; ms += 10) {
      cluster.advance(10);
      expect(hosts(cluster, 0, 1, 2)).toEqual([[], [], []]);
    }
  });
});

describe('what was dropped for a record that never comes', () => {
  const key = ['public', 'DEFAULT_GROUP', 'orders', '10.0.0.1', 8080, 'DEFAULT', 'http'] as const;
  const content = { weight: 1, enabled: true, healthy: true, metadata: [] };
  const told = {
    cv: 1,
    op: ['10.9.0.2:8848', 1, 1],
    claim: { registered: content },
    ten: 1,
    healthy: true,
    id: 1,
  } as const;
  const successor = { node: '10.9.0.2:8848', epoch: 1, run: 'over', rev: 9 };

  /** Node 0 learns that node 1 dropped a lease for one of a run that is over. @returns what it shows then, and at the end */
  function listsAfter(ageMs: number): string[][] {
    const cluster = ClusterFixture.ready(2);
    const peer = cluster.ids[1] as string;
    const set = { node: peer, epoch: 5, run: 'later' };
    const changes = [{ key, record: { state: 'live', ...told } as const, successor, ageMs }];
    cluster.kill(1);
    cluster.step(0, {
      type: 'peer-message',
      peer,
      message: { type: 'delta', set, from: 0, to: 3, full: true, changes },
    });
    const [before] = hosts(cluster, 0);
    cluster.advance(50_000);
    return [before ?? [], ...hosts(cluster, 0)];
  }

  it('counts for the retention', () => {
    expect(listsAfter(1000)).toEqual([['10.0.0.1:8080'], []]);
  });

  it('brings nothing back when that was longer ago: what removed it may be forgotten', () => {
    expect(listsAfter(46_000)).toEqual([[], []]);
  });
});

describe('two processes with one address', () => {
  it('are found: the one that came later is told to stop', () => {
    const cluster = ClusterFixture.ready(3);
    const first = cluster.nodes[0];
    cluster.advance(40_000);
    cluster.addTwin(0, 1);
    cluster.advance(15_000);
    const alarms = (node: typeof first) =>
      node?.effects.flatMap((effect) => (effect.type === 'alarm' ? [[effect.kind, effect.stop]] : []));
    expect(alarms(cluster.twins[0])).toEqual([['two-runs', true]]);
    expect(alarms(first)).not.toContainEqual(['two-runs', true]);
  });

  it('are not seen in what a member said of the run before a restart, however late it comes', () => {
    const cluster = ClusterFixture.ready(2);
    const [self, peer] = cluster.ids as [string, string];
    cluster.kill(1);
    const earlier = { node: self, state: 'UP', epoch: 0, run: 'earlier', silentMs: 500 } as const;
    const ping = { type: 'ping', epoch: 9, run: 'peer', state: 'UP', sets: [], members: [earlier] } as const;
    const alarms = () => cluster.nodes[0]?.effects.filter(({ type }) => type === 'alarm');
    for (const sentAt of [1000, 1200, 1400, 1900]) {
      cluster.step(0, { type: 'peer-message', peer, message: { ...ping, sentAt } });
      cluster.advance(6000);
    }
    expect(alarms()).toEqual([]);
    cluster.step(0, { type: 'peer-message', peer, message: { ...ping, sentAt: 5000 } });
    expect(alarms()).toMatchObject([{ kind: 'two-runs' }]);
  });

  it('are not seen in what a member tells after a pause, which was heard before it', () => {
    const cluster = ClusterFixture.ready(2);
    cluster.advance(50);
    cluster.restart(0, { epoch: 1 });
    cluster.cutOneWay(0, 1);
    cluster.advance(1000);
    cluster.freeze(1);
    cluster.advance(10_000);
    cluster.thaw(1);
    cluster.advance(800);
    const told = cluster.nodes[1]?.effects.flatMap((effect) =>
      effect.type === 'send' && effect.message.type === 'ping' ? effect.message.members : [],
    );
    expect(told?.at(-1)).toMatchObject({ run: 'run3', silentMs: 10_990 });
    expect(cluster.nodes[0]?.effects.filter(({ type }) => type === 'alarm')).toEqual([]);
  });

  it('are not seen in a run of which only others told', () => {
    const cluster = ClusterFixture.ready(3);
    const [, restarted, teller] = cluster.ids as [string, string, string];
    const pings = (index: number) =>
      (cluster.nodes[index]?.effects ?? []).flatMap((effect) =>
        effect.type === 'send' && effect.message.type === 'ping' ? [effect.message] : [],
      );
    const told = { node: restarted, state: 'UP', epoch: 9, run: 'earlier', silentMs: 100 } as const;
    const message = { ...(pings(2).at(-1) as PingMessage), members: [told] };
    cluster.step(0, { type: 'peer-message', peer: teller, message });
    cluster.cutOneWay(1, 0);
    cluster.advance(1100);
    expect(pings(0).at(-1)?.members).toMatchObject([
      { node: restarted, run: 'earlier', silentMs: -1 },
      { node: restarted, run: 'run2', silentMs: expect.any(Number) },
      { node: teller },
    ]);
  });

  it('are not seen in a restart', () => {
    const cluster = ClusterFixture.ready(3);
    cluster.restart(0, { epoch: 1 });
    cluster.advance(5000);
    cluster.restart(0, { epoch: 0 });
    cluster.advance(60_000);
    for (const { effects } of cluster.nodes) expect(effects.filter(({ type }) => type === 'alarm')).toEqual([]);
    expect(cluster.nodes[1]?.core.replication?.members()[1]).toMatchObject({ state: 'UP', digests: 'equal' });
  });
});

describe('what is wrong with a peer', () => {
  it('as a copy that is not what its author has is found by the next ping, and taken anew', () => {
    const cluster = ClusterFixture.ready(2);
    cluster.register(0, orders, one);
    cluster.advance(1000);
    const pings = (cluster.nodes[0]?.effects ?? []).flatMap((effect) =>
      effect.type === 'send' && effect.message.type === 'ping' ? effect.message.sets.slice(0, 1) : [],
    );
    const { node, epoch, run, rev } = pings.at(-1) as SetDigest;
    const set = { node, epoch, run };
    const key = ['public', 'DEFAULT_GROUP', 'orders', '10.0.0.1', 8080, 'DEFAULT', 'http'] as const;
    const forged: PeerMessage = { type: 'delta', set, from: rev, to: rev + 1, full: false, changes: [{ key }] };
    cluster.step(1, { type: 'peer-message', peer: '10.9.0.1:8848', message: forged });
    expect(cluster.list(1, orders)).toEqual([]);
    cluster.register(0, orders, two);
    cluster.advance(2500);
    expect(cluster.list(1, orders)).toEqual(['10.0.0.1:8080@0', '10.0.0.2:8080@0']);
    expect(cluster.nodes[1]?.effects.filter(({ type }) => type === 'alarm')).toMatchObject([
      { kind: 'digest-mismatch', stop: false },
    ]);
  });

  it('as more instances than fit here is told, and hurts nothing that is here', () => {
    const cluster = ClusterFixture.ready(2, { limits: { instances: 3 } });
    cluster.isolate(0);
    for (let n = 1; n <= 3; n += 1) {
      cluster.register(0, orders, hostOf(n));
      cluster.register(1, orders, hostOf(10 + n));
    }
    cluster.heal();
    cluster.advance(2000);
    expect(cluster.list(0, orders)).toEqual(['10.0.0.1:8080@0', '10.0.0.2:8080@0', '10.0.0.3:8080@0']);
    expect(cluster.nodes[0]?.effects.filter(({ type }) => type === 'alarm')).toMatchObject([{ kind: 'limit' }]);
  });

  it('as a message of one that is no member is ignored', () => {
    const cluster = ClusterFixture.ready(2);
    const message: PeerMessage = { type: 'leaving', epoch: 1, run: 'run1' };
    cluster.step(1, { type: 'peer-message', peer: '10.9.0.9:8848', message });
    cluster.advance(1000);
    expect(cluster.nodes[1]?.core.replication?.members().map(({ state }) => state)).toEqual(['UP', 'UP']);
  });
});

describe('the take-over of a large set', () => {
  it('is the work of the server, whatever request comes while it goes on', () => {
    const cluster = ClusterFixture.ready(2);
    for (let n = 0; n < 4500; n += 1) cluster.register(0, orders, hostOf(n));
    cluster.register(1, serviceOf('billing'), one);
    cluster.advance(2000);
    cluster.kill(0, { refused: true });
    for (let beat = 0; beat < 100; beat += 1) {
      cluster.clock.advance(20);
      cluster.beat(1, serviceOf('billing'), one);
    }
    const moves = cluster.nodes[1]?.events('lease-moved') ?? [];
    expect(moves).toHaveLength(4500);
    expect(new Set(moves.map(({ actor }) => actor.via))).toEqual(new Set(['server']));
  });
});
