// What the shared store relies on, against a real etcd and against the fake, which must be true to it.

import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { FakeKeyValues } from '../../../testing/fake-key-values.js';
import type { KeyEvent, KeyValueStore, Transaction, WatchEnd } from '../shared/key-value-store.js';
import { EtcdCluster, hasEtcd } from './etcd-cluster.test-support.js';
import { connectEtcd } from './open-etcd-store.js';

let etcd: EtcdCluster | undefined;
let roots = 0;
const open: KeyValueStore[] = [];

beforeAll(async () => {
  if (hasEtcd()) etcd = await EtcdCluster.start(1);
});
afterAll(() => etcd?.stop());
afterEach(() => {
  for (const store of open.splice(0)) store.close();
});

function etcdSubject(): { store: KeyValueStore; compact: (revision: number) => Promise<unknown> } {
  const [endpoint] = etcd?.endpoints ?? [];
  roots += 1;
  const store = connectEtcd(`etcd://${endpoint}/test${roots}`);
  open.push(store);
  const compact = (revision: number) =>
    fetch(`http://${endpoint}/v3/kv/compaction`, { method: 'POST', body: JSON.stringify({ revision }) });
  return { store, compact };
}

function fakeSubject(): ReturnType<typeof etcdSubject> {
  const fake = new FakeKeyValues();
  return { store: fake.connect(), compact: async () => fake.compact() };
}

function set(key: string, value: string | undefined): Transaction {
  return { compares: [], writes: [{ key, value }] };
}

/** Writes and answers the revision. */
async function write(store: KeyValueStore, transaction: Transaction): Promise<number> {
  const outcome = await store.transact(transaction);
  if (outcome.state !== 'written') throw new Error(JSON.stringify(outcome));
  return outcome.revision;
}

/** A watch, and what it has seen. */
function watched(store: KeyValueStore, fromRevision: number) {
  const seen: [number, readonly KeyEvent[]][] = [];
  let tell = () => undefined as unknown;
  const ended = new Promise<WatchEnd>((resolve) => {
    store.watch(fromRevision, {
      onStarted: () => undefined,
      onEvents: (revision, events) => {
        seen.push([revision, events]);
        tell();
      },
      onEnded: resolve,
    });
  });
  const until = async (count: number) => {
    while (seen.length < count) await new Promise((resolve) => (tell = () => resolve(undefined)));
    return seen;
  };
  return { seen, until, ended };
}

describe.each([
  { name: 'etcd', subject: etcdSubject },
  { name: 'fake', subject: fakeSubject },
])('keys and values ($name)', ({ name, subject }) => {
  beforeEach(({ skip }) => skip(name === 'etcd' && !hasEtcd(), 'this machine has no etcd-server'));

  test('are listed with the revision that set each', async () => {
    const { store } = subject();
    const first = await write(store, set('a', '1'));
    const second = await write(store, {
      compares: [],
      writes: [
        { key: 'b', value: '杭州' },
        { key: 'c', value: '' },
      ],
    });
    const { entries, revision } = await store.list();
    expect(revision).toBe(second);
    expect(entries).toEqual([
      { key: 'a', value: '1', modRevision: first },
      { key: 'b', value: '杭州', modRevision: second },
      { key: 'c', value: '', modRevision: second },
    ]);
  });

  test('are written on condition that a key is still as it was', async () => {
    const { store } = subject();
    const onlyAt = (modRevision: number, value: string | undefined): Transaction => ({
      compares: [{ type: 'unchanged', key: 'a', modRevision }],
      writes: [{ key: 'a', value }],
    });
    const created = await write(store, onlyAt(0, '1'));
    expect(await store.transact(onlyAt(0, '2'))).toMatchObject({ state: 'conflict' });
    const changed = await write(store, onlyAt(created, '2'));
    expect(await store.transact(onlyAt(created, '3'))).toMatchObject({ state: 'conflict' });
    await write(store, onlyAt(changed, undefined));
    expect(await store.transact(onlyAt(changed, '4'))).toMatchObject({ state: 'conflict' });
    await write(store, onlyAt(0, '5'));
    expect((await store.list()).entries).toMatchObject([{ value: '5' }]);
  });

  test('are written on condition that there are none below a prefix', async () => {
    const { store } = subject();
    const guarded: Transaction = {
      compares: [{ type: 'none-below', prefix: 'inst/["public","g","orders",' }],
      writes: [{ key: 'done', value: '1' }],
    };
    await write(store, set('inst/["public","g","orders2","10.0.0.1"]', '1'));
    await write(store, guarded);
    await write(store, set('inst/["public","g","orders","10.0.0.1"]', '1'));
    expect(await store.transact(guarded)).toMatchObject({ state: 'conflict' });
    await write(store, set('inst/["public","g","orders","10.0.0.1"]', undefined));
    await write(store, guarded);
  });

  test('of competing creations exactly one succeeds', async () => {
    const { store } = subject();
    const create = { compares: [{ type: 'unchanged', key: 'a', modRevision: 0 }], writes: [{ key: 'a', value: '1' }] };
    const outcomes = await Promise.all(Array.from({ length: 20 }, () => store.transact(create as Transaction)));
    expect(outcomes.filter(({ state }) => state === 'written')).toHaveLength(1);
    expect(outcomes.filter(({ state }) => state === 'conflict')).toHaveLength(19);
  });

  test('that are marked are written once, whatever became of them since', async () => {
    const { store } = subject();
    const marked: Transaction = { ...set('a', '1'), mark: { key: 'op/x.1', value: '{"op":"x.1"}' } };
    await write(store, marked);
    await write(store, set('a', undefined));
    expect(await store.transact(marked)).toMatchObject({ state: 'conflict' });
    expect((await store.list()).entries.map(({ key }) => key)).toEqual(['op/x.1']);
  });

  test('are watched from a revision on, those of one transaction together', async () => {
    const { store } = subject();
    await write(store, set('a', '1'));
    const from = await write(store, {
      compares: [],
      writes: [
        { key: 'a', value: undefined },
        { key: 'b', value: '2' },
      ],
    });
    const { until } = watched(store, from);
    const last = await write(store, set('b', '3'));
    const [first, second] = await until(2);
    expect([first?.[0], new Set(first?.[1])]).toEqual([
      from,
      new Set([
        { key: 'a', value: undefined },
        { key: 'b', value: '2' },
      ]),
    ]);
    expect(second).toEqual([last, [{ key: 'b', value: '3' }]]);
  });

  test('a watch that comes after compaction ends with that word', async () => {
    const { store, compact } = subject();
    const from = await write(store, set('a', '1'));
    await write(store, set('a', '2'));
    const now = await write(store, set('a', '3'));
    await compact(now);
    expect(await watched(store, from).ended).toMatchObject({ type: 'compacted' });
    const { until } = watched(store, now + 1);
    const next = await write(store, set('a', '4'));
    expect(await until(1)).toEqual([[next, [{ key: 'a', value: '4' }]]]);
  });
});

describe('etcd', () => {
  beforeEach(({ skip }) => skip(!hasEtcd(), 'this machine has no etcd-server'));

  test('forgets marks by itself', async () => {
    const { store } = etcdSubject();
    await write(store, { ...set('a', '1'), mark: { key: 'op/x.1', value: '1' } });
    const key = Buffer.from(`/test${roots}/op/x.1`).toString('base64');
    const [endpoint] = etcd?.endpoints ?? [];
    const ask = async (path: string, body: object) =>
      (await fetch(`http://${endpoint}/v3/${path}`, { method: 'POST', body: JSON.stringify(body) })).json();
    const { kvs } = (await ask('kv/range', { key })) as { kvs: { lease: string }[] };
    const { grantedTTL } = (await ask('lease/timetolive', { ID: kvs[0]?.lease })) as { grantedTTL: string };
    expect(Number(grantedTTL)).toBe(240);
  });

  test('gives marks another lease when theirs is gone', async () => {
    const { store } = etcdSubject();
    const marked = (id: string): Transaction => ({ ...set('a', id), mark: { key: `op/${id}`, value: id } });
    await write(store, marked('1'));
    const [endpoint] = etcd?.endpoints ?? [];
    const ask = async (path: string, body: object) =>
      (await fetch(`http://${endpoint}/v3/${path}`, { method: 'POST', body: JSON.stringify(body) })).json();
    const { leases } = (await ask('lease/leases', {})) as { leases: { ID: string }[] };
    for (const { ID } of leases) await ask('lease/revoke', { ID });
    expect(await store.transact(marked('2'))).toMatchObject({ state: 'unavailable' });
    await write(store, marked('2'));
  });

  test('lists more than a page at one revision', async () => {
    const { store } = etcdSubject();
    for (let from = 0; from < 2500; from += 100) {
      const writes = Array.from({ length: 100 }, (_, index) => ({ key: `k${from + index}`, value: 'v' }));
      await write(store, { compares: [], writes });
    }
    const { entries } = await store.list();
    expect(new Set(entries.map(({ key }) => key)).size).toBe(2500);
  });

  test('refuses more operations than it takes in one transaction, and says so', async () => {
    const { store } = etcdSubject();
    const writes = Array.from({ length: 129 }, (_, index) => ({ key: `k${index}`, value: 'v' }));
    expect(await store.transact({ compares: [], writes })).toEqual({
      state: 'refused',
      reason: 'etcdserver: too many operations in txn request',
    });
  });

  test('refuses a value that is too large, and says so', async () => {
    const { store } = etcdSubject();
    const outcome = await store.transact(set('k', 'x'.repeat(1_600_000)));
    expect(outcome).toEqual({ state: 'refused', reason: 'etcdserver: request is too large' });
  });

  test('is looked for at the next address when one refuses connections', async () => {
    const [endpoint] = etcd?.endpoints ?? [];
    const store = connectEtcd(`etcd://127.0.0.1:1,127.0.0.1:2,${endpoint}/elsewhere`);
    open.push(store);
    await write(store, set('a', '1'));
    expect((await store.list()).entries).toHaveLength(1);
  });

  test('that nobody runs is unavailable at once', async () => {
    const store = connectEtcd('etcd://127.0.0.1:1,127.0.0.1:2');
    open.push(store);
    expect(await store.transact(set('a', '1'))).toMatchObject({ state: 'unavailable' });
    await expect(store.list()).rejects.toThrow(/^connect ECONNREFUSED 127\.0\.0\.1:\d$/);
    expect(await watched(store, 1).ended).toMatchObject({ type: 'lost' });
  });
});
