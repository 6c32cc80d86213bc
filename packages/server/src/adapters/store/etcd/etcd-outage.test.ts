// Two nodes on a real etcd of three members: members are killed and frozen while nodes write and follow.

import { setTimeout as sleep } from 'node:timers/promises';
import { nodeTimers, systemClock } from '@rollcall/runtime';
import { RecordingLogger } from '@rollcall/runtime/testing';
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { SERVER } from '../../../core/actor.js';
import type { StoreChange } from '../../../core/store-change.js';
import { MemoryStore } from '../../../testing/memory-store.js';
import { SharedStore } from '../shared/shared-store.js';
import { EtcdCluster, hasEtcd } from './etcd-cluster.test-support.js';
import { connectEtcd } from './open-etcd-store.js';

/** What a caller may have to wait at most. */
const REFUSED_MS_MAX = 7500;

let etcd: EtcdCluster | undefined;
const nodes: Node[] = [];

beforeAll(async () => {
  if (hasEtcd()) etcd = await EtcdCluster.start(3);
});
afterAll(async () => {
  for (const { store } of nodes) await store.close();
  await etcd?.stop();
});

/** A node with the names of the namespaces that its core would hold. */
class Node {
  readonly store: SharedStore;
  readonly names = new Map<string, string>();

  constructor(run: string, endpoints: readonly string[]) {
    this.store = new SharedStore({
      keyValues: connectEtcd(`etcd://${endpoints.join(',')}/outage`),
      copyOnDisk: new MemoryStore(),
      clock: systemClock,
      timers: nodeTimers,
      logger: new RecordingLogger(),
      run,
    });
    this.store.follow((changes) => {
      for (const change of changes)
        if (change.type === 'namespace') this.names.set(change.id, change.value?.name ?? '');
    });
    expect([...this.store.load()]).toEqual([]);
    nodes.push(this);
  }

  /** Writes until it succeeds, as a client that tries again; at most a minute. */
  async write(id: string, name: string): Promise<void> {
    for (const endsAt = Date.now() + 60_000; ; await sleep(200)) {
      try {
        if ((await this.store.commit([namespace(id, name)], SERVER)) === 'written') return;
      } catch (error) {
        if (Date.now() > endsAt) throw error;
      }
    }
  }

  async until(isMet: () => boolean): Promise<void> {
    for (const endsAt = Date.now() + 60_000; !isMet(); await sleep(20)) {
      if (Date.now() > endsAt) throw new Error(`Not so after 60 s: ${isMet}, names ${[...this.names]}`);
    }
  }
}

function namespace(id: string, name: string): StoreChange {
  return { type: 'namespace', id, value: { id, name, description: '' } };
}

describe('an etcd of three', () => {
  beforeEach(({ skip }) => skip(!hasEtcd(), 'this machine has no etcd-server'));

  test('serves through the loss of one, refuses in time without a majority, and goes on when it is back', async () => {
    const cluster = etcd as EtcdCluster;
    const one = new Node('one', cluster.endpoints);
    const other = new Node('other', [...cluster.endpoints].reverse());
    await one.write('a', '1');
    await other.until(() => other.names.get('a') === '1');

    // The member that `one` talks to: its calls and its watch move to another.
    await cluster.kill(0);
    await one.write('b', '1');
    await other.until(() => other.names.get('b') === '1');

    await cluster.kill(1);
    const startedAt = performance.now();
    const refusals = await Promise.allSettled(
      [one, one, other].map(({ store }, index) => store.commit([namespace(`lost${index}`, '1')], SERVER)),
    );
    const tookMs = performance.now() - startedAt;
    expect(refusals.map(({ status }) => status)).toEqual(['rejected', 'rejected', 'rejected']);
    for (const refusal of refusals) {
      expect(refusal).toMatchObject({
        reason: { code: 'storage-failed', message: expect.stringContaining('etcd://') },
      });
    }
    expect(tookMs).toBeLessThan(REFUSED_MS_MAX);
    const againAt = performance.now();
    await expect(one.store.commit([namespace('lost', '1')], SERVER)).rejects.toMatchObject({ code: 'storage-failed' });
    expect(performance.now() - againAt).toBeLessThan(REFUSED_MS_MAX);
    await one.until(() => !one.store.figures.ready);
    expect([one.names.get('a'), one.names.get('b'), one.store.figures.records >= 2]).toEqual(['1', '1', true]);

    await cluster.startAll();
    await one.until(() => one.store.figures.ready);
    await other.until(() => other.store.figures.ready);
    await one.write('c', '1');
    await other.write('c', '2');
    await one.until(() => one.names.get('c') === '2');
    // Whatever became of the writes in doubt, both nodes agree on it.
    await other.until(() => [...one.names].every(([id, name]) => other.names.get(id) === name));
    expect(other.names.size).toBe(one.names.size);
  });

  test('serves while a member is frozen, and both nodes agree when it is back', async () => {
    const cluster = etcd as EtcdCluster;
    const one = new Node('frozen-one', cluster.endpoints);
    const other = new Node('frozen-other', [...cluster.endpoints].reverse());
    await one.write('f', '0');
    cluster.signal(0, 'SIGSTOP');
    try {
      for (let round = 1; round <= 5; round++) {
        await one.write('f', `one${round}`);
        await other.write('f', `other${round}`);
      }
    } finally {
      cluster.signal(0, 'SIGCONT');
    }
    await one.until(() => one.names.get('f') === 'other5');
    await other.until(() => other.names.get('f') === 'other5');
  });

  test('settles a race of many writers: each counts once', async () => {
    const cluster = etcd as EtcdCluster;
    const racers = ['r1', 'r2', 'r3'].map((run) => new Node(run, cluster.endpoints));
    await racers[0]?.write('count', '0');
    const add = async (racer: Node) => {
      for (let added = 0; added < 10; ) {
        const next = String(Number(racer.names.get('count') ?? 0) + 1);
        if ((await racer.store.commit([namespace('count', next)], SERVER)) === 'written') added += 1;
      }
    };
    for (const racer of racers) await racer.until(() => racer.names.has('count'));
    await Promise.all(racers.map(add));
    for (const racer of racers) await racer.until(() => racer.names.get('count') === '30');
  });
});
