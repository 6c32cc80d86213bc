import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { serviceKey } from '@rollcall/protocol';
import { nodeTimers, systemClock } from '@rollcall/runtime';
import { ManualClock, RecordingLogger } from '@rollcall/runtime/testing';
import fc from 'fast-check';
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { addressOf } from '../../core/instance-address.js';
import type { StoreChange } from '../../core/store-change.js';
import { DEFAULT_SWITCHES } from '../../core/switches.js';
import { FakeKeyValues } from '../../testing/fake-key-values.js';
import { MemoryStore } from '../../testing/memory-store.js';
import type { DurableStore } from './durable-store.js';
import { EtcdCluster, hasEtcd } from './etcd/etcd-cluster.test-support.js';
import { connectEtcd } from './etcd/open-etcd-store.js';
import { LmdbStore } from './lmdb-store.js';
import type { KeyValueStore } from './shared/key-value-store.js';
import { SharedStore } from './shared/shared-store.js';
import { recordOf } from './store-record.js';

// What every store must do. `records` opens what the store left once more and reads it.
interface Subject {
  readonly store: DurableStore;
  records(): Promise<readonly StoreChange[]>;
}

let directory: string;
let etcd: EtcdCluster | undefined;
let roots = 0;
const opened: DurableStore[] = [];

beforeAll(async () => {
  if (hasEtcd()) etcd = await EtcdCluster.start(1);
});
afterAll(() => etcd?.stop());
beforeEach(() => {
  directory = mkdtempSync(join(tmpdir(), 'rollcall-store-'));
});
afterEach(async () => {
  for (const store of opened.splice(0)) await store.close();
  rmSync(directory, { recursive: true, force: true });
});

async function lmdbSubject(): Promise<Subject> {
  const options = { path: join(directory, 'store'), clock: new ManualClock(), logger: new RecordingLogger() };
  let store = await LmdbStore.open(options);
  opened.push(store);
  return {
    get store() {
      return store;
    },
    async records() {
      await store.close();
      store = await LmdbStore.open(options);
      opened.splice(0, opened.length, store);
      return [...store.load()];
    },
  };
}

async function memorySubject(): Promise<Subject> {
  const store = new MemoryStore();
  return { store, records: async () => [...store.load()] };
}

/** One node writes, and another that comes later reads. */
async function sharedSubject(connect: () => KeyValueStore): Promise<Subject> {
  const { store } = await openNode(connect());
  opened.push(store);
  return {
    store,
    async records() {
      const { store: other, told } = await openNode(connect());
      await other.close();
      return told;
    },
  };
}

async function openNode(keyValues: KeyValueStore) {
  const [clock, timers, logger, run] = [systemClock, nodeTimers, new RecordingLogger(), String(opened.length)];
  const store = new SharedStore({ keyValues, copyOnDisk: new MemoryStore(), clock, timers, logger, run });
  const told: StoreChange[] = [];
  store.follow((changes) => void told.push(...changes));
  expect([...store.load()]).toEqual([]);
  while (!store.figures.ready) await sleep(2);
  return { store, told };
}

function fakeSubject(): Promise<Subject> {
  const fake = new FakeKeyValues();
  return sharedSubject(() => fake.connect());
}

function etcdSubject(): Promise<Subject> {
  roots += 1;
  return sharedSubject(() => connectEtcd(`etcd://${etcd?.endpoints[0]}/test${roots}`));
}

const ACTOR = { via: 'operator', address: '10.0.0.9' } as const;
const orders = serviceKey('public', 'DEFAULT_GROUP', 'orders');
const content = { weight: 1, enabled: true, healthy: true, metadata: new Map(), app: undefined };

const ONE_OF_EACH: readonly StoreChange[] = [
  { type: 'namespace', id: 'dev', value: { id: 'dev', name: '开发', description: '' } },
  {
    type: 'service',
    service: orders,
    value: {
      protectThreshold: 0.8,
      metadata: new Map([
        ['__proto__', 'kept'],
        ['2', 'before'],
        ['1', 'after'],
      ]),
      selector: { type: 'none' },
      clusters: new Map([
        [
          'EAST',
          { name: 'EAST', healthChecker: { type: 'TCP' }, checkPort: 80, useInstancePort: true, metadata: new Map() },
        ],
      ]),
    },
  },
  {
    type: 'persistent-instance',
    service: orders,
    address: addressOf('10.0.0.1', 8080, 'EAST'),
    value: {
      registered: { ...content, app: 'shop' },
      base: { ...content, metadata: new Map([['zone', '杭州\n"a"']]) },
    },
  },
  {
    type: 'edit',
    service: orders,
    kind: 'ephemeral',
    address: addressOf('10.0.0.1', 8080, 'EAST'),
    value: { weight: 0, metadata: new Map([['k', '\ud800']]) },
  },
  { type: 'switches', value: { ...DEFAULT_SWITCHES, limitedUrlMap: { '/nacos': 403 }, masters: ['a'] } },
];

function removal(change: StoreChange): StoreChange {
  return { ...change, value: undefined };
}

/** Few names, so that changes meet. */
const changes: fc.Arbitrary<StoreChange> = fc.oneof(
  fc.record({
    type: fc.constant('namespace' as const),
    id: fc.constantFrom('a', 'b', 'x'.repeat(5000), 'x'.repeat(5001)),
    value: fc.option(fc.constant({ id: 'a', name: 'n', description: 'd' }), { nil: undefined }),
  }),
  fc
    .record({ name: fc.constantFrom('a', 'b/a', 'b'), ip: fc.constantFrom('a', '/a'), weight: fc.nat(3) })
    .map(({ name, ip, weight }) => ({
      type: 'edit' as const,
      service: serviceKey('public', 'g', name),
      kind: 'persistent' as const,
      address: addressOf(ip, 1, 'DEFAULT'),
      value: weight === 0 ? undefined : { weight },
    })),
);

describe.each([
  { name: 'LMDB', subject: lmdbSubject },
  { name: 'memory', subject: memorySubject },
  { name: 'shared, fake', subject: fakeSubject },
  { name: 'shared, etcd', subject: etcdSubject },
])('a store ($name)', ({ name, subject }) => {
  beforeEach(({ skip }) => skip(name === 'shared, etcd' && !hasEtcd(), 'this machine has no etcd-server'));

  test('is empty when new', async () => {
    const { records } = await subject();
    expect(await records()).toEqual([]);
  });

  test('gives every kind of record back as it was set, in the order in which records refer to each other', async () => {
    const { store, records } = await subject();
    await store.commit([...ONE_OF_EACH].reverse(), ACTOR);
    expect(await records()).toEqual(ONE_OF_EACH);
  });

  test('keeps the order of metadata', async () => {
    const { store, records } = await subject();
    await store.commit(ONE_OF_EACH, ACTOR);
    const service = (await records()).find((change) => change.type === 'service');
    expect([...(service?.value?.metadata.keys() ?? [])]).toEqual(['__proto__', '2', '1']);
  });

  test('forgets what is removed, and nothing else', async () => {
    const subjectNow = await subject();
    await subjectNow.store.commit(ONE_OF_EACH, ACTOR);
    // Back to front: a service with instances is not removed.
    for (const [index, change] of [...ONE_OF_EACH.entries()].reverse()) {
      await subjectNow.store.commit([removal(change)], ACTOR);
      expect(await subjectNow.records()).toEqual(ONE_OF_EACH.slice(0, index));
    }
    await subjectNow.store.commit(ONE_OF_EACH.map(removal), ACTOR);
    expect(await subjectNow.records()).toEqual([]);
  });

  test('tells who follows of each change before its commit ends, with who made it', async () => {
    const { store } = await subject();
    const told: string[] = [];
    store.follow((changes, actor) => void told.push(`${changes.map(({ type }) => type)} ${actor.address}`));
    const outcome = store.commit(ONE_OF_EACH.slice(0, 2), ACTOR).then((ended) => void told.push(ended));
    await outcome;
    expect(told).toEqual(['namespace,service 10.0.0.9', 'written']);
  });

  test('holds what a map of the last values holds, whatever the changes', async () => {
    await fc.assert(
      fc.asyncProperty(fc.array(fc.array(changes, { maxLength: 4 }), { maxLength: 8 }), async (commits) => {
        const subjectNow = await subject();
        const before = await subjectNow.records();
        await subjectNow.store.commit(before.map(removal), ACTOR);
        const last = new Map<string, StoreChange>();
        for (const commit of commits) {
          expect(await subjectNow.store.commit(commit, ACTOR)).toBe('written');
          for (const change of commit) last.set(recordOf(change).key, change);
        }
        const expected = [...last.values()].filter((change) => change.value !== undefined);
        const byKey = (a: StoreChange, b: StoreChange) => (recordOf(a).key < recordOf(b).key ? -1 : 1);
        expect([...(await subjectNow.records())].sort(byKey)).toEqual(expected.sort(byKey));
      }),
      { numRuns: 10 },
    );
  }, 60_000);
});

describe.each([
  { name: 'LMDB', subject: lmdbSubject },
  { name: 'memory', subject: memorySubject },
])('a store of one server ($name)', ({ subject }) => {
  test('takes many commits at once, each in its order', async () => {
    const { store, records } = await subject();
    const of = (name: string): StoreChange => ({
      type: 'namespace',
      id: 'a',
      value: { id: 'a', name, description: '' },
    });
    await Promise.all([
      store.commit([of('1'), of('2')], ACTOR),
      store.commit([], ACTOR),
      store.commit([of('3')], ACTOR),
    ]);
    expect(await records()).toEqual([of('3')]);
  });
});
