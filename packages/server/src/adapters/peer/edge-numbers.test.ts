// A peer that has the secret and tells numbers at the edge: what the others say after it can be read by everybody, and no
// node is cut off.

import { beforeEach, expect, it } from 'vitest';
import { COUNT_MAX, type PeerMessage, type WireRecord } from '../../core/replication/peer-message.js';
import { recordKey, wireKeyOf } from '../../core/replication/record-key.js';
import { ClusterFixture } from '../../testing/cluster-fixture.js';
import { hostOf, serviceOf } from '../../testing/core-fixture.js';
import { readPeerMessage } from './peer-message-reader.js';

const orders = serviceOf('orders');

let cluster: ClusterFixture;
let told: string[];
beforeEach(() => {
  cluster = ClusterFixture.ready(3);
  told = cluster.ids;
});

/** Node 2 is the liar: the true one is heard no more. */
function lie(messages: (set: { node: string; epoch: number; run: string }) => readonly PeerMessage[]): void {
  cluster.isolate(2);
  const own = cluster.nodes[2]?.core.replication?.members()[0];
  const set = { node: told[2] ?? '', epoch: own?.epoch ?? 0, run: own?.run ?? '' };
  for (const to of [0, 1])
    for (const message of messages(set))
      cluster.step(to, { type: 'peer-message', peer: set.node, message: readPeerMessage(message) });
}

/** All that the honest nodes send, as their receivers read it. */
function readAll(): void {
  for (const index of [0, 1])
    for (const effect of cluster.nodes[index]?.effects ?? [])
      if (effect.type === 'send')
        expect(readPeerMessage(JSON.parse(JSON.stringify(effect.message)))).toEqual(effect.message);
}

const alarmsOf = (index: number) =>
  (cluster.nodes[index]?.effects ?? []).flatMap((effect) => (effect.type === 'alarm' ? [effect.kind] : []));

it.each(['sets', 'members'] as const)('a run number that is made up in %s is not believed', (place) => {
  const fake = (node: string) => ({ node, epoch: COUNT_MAX, run: 'made up' });
  lie(({ epoch, run }) => [
    {
      type: 'ping',
      epoch,
      run,
      state: 'UP',
      sentAt: 1,
      sets: place === 'sets' ? told.map((node) => ({ ...fake(node), rev: 1, hash: '' })) : [],
      members: place === 'members' ? told.map((node) => ({ ...fake(node), state: 'UP', silentMs: 0 })) : [],
    },
  ]);
  cluster.advance(5000);
  cluster.register(0, orders, hostOf(1));
  cluster.advance(1000);
  for (const index of [0, 1]) {
    const [own, ...others] = cluster.nodes[index]?.core.replication?.members() ?? [];
    expect(own?.epoch).toBe(1);
    expect(others.find(({ node }) => node === told[1 - index])).toMatchObject({ state: 'UP', epoch: 1 });
    expect(cluster.list(index, orders)).toHaveLength(1);
    expect(alarmsOf(index)).toContain('epoch-leap');
    expect(cluster.nodes[index]?.effects.some(({ type }) => type === 'persist-epoch')).toBe(false);
  }
  readAll();
});

it('a run number that is a little higher is refuted as ever', () => {
  lie(({ epoch, run }) => [
    {
      type: 'ping',
      epoch,
      run,
      state: 'UP',
      sentAt: 1,
      sets: [],
      members: [{ node: told[0] ?? '', epoch: 1_000_000, run: 'earlier', state: 'UP', silentMs: 0 }],
    },
  ]);
  cluster.advance(1000);
  expect(cluster.nodes[0]?.core.replication?.epoch).toBe(1_000_001);
  expect(cluster.nodes[1]?.core.replication?.members().find(({ node }) => node === told[0])?.epoch).toBe(1_000_001);
});

it.each<'live' | 'ended' | 'removed'>(['live', 'ended', 'removed'])(
  'versions and tenures at the edge (%s) are counted no further',
  (state) => {
    const content = { weight: 1, enabled: true, healthy: true, metadata: [] };
    const claim = { registered: content, base: content };
    lie((set) => {
      const version = { cv: COUNT_MAX, op: [set.node, COUNT_MAX, COUNT_MAX] as const };
      const records: Readonly<Record<typeof state, WireRecord>> = {
        live: { ...version, state: 'live', claim, ten: COUNT_MAX, healthy: true, id: COUNT_MAX },
        ended: { ...version, state: 'ended', claim, ten: COUNT_MAX },
        removed: { ...version, state: 'removed' },
      };
      const key = wireKeyOf(recordKey(orders, hostOf(1), 'http'));
      const change = { key, record: records[state], ageMs: COUNT_MAX };
      return [{ type: 'delta', set, from: 0, to: COUNT_MAX, full: true, changes: [change] }];
    });
    const write = (index: number) => {
      cluster.register(index, orders, hostOf(1));
      cluster.beat(1 - index, orders, hostOf(1));
      cluster.register(index, orders, hostOf(2));
      cluster.advance(700);
    };
    for (let turn = 0; turn < 4; turn += 1) write(turn % 2);
    cluster.deregister(0, orders, hostOf(1));
    // Until the node is DOWN and after its set is dropped.
    for (let passed = 0; passed < 60; passed += 1) write(passed % 2);
    for (const index of [0, 1]) {
      const [, ...others] = cluster.nodes[index]?.core.replication?.members() ?? [];
      expect(others.find(({ node }) => node === told[1 - index])?.state).toBe('UP');
      expect(cluster.list(index, orders).join()).toContain(`${hostOf(2).ip}:`);
    }
    readAll();
  },
);
