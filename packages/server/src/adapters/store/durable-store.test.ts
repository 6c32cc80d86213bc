import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { serviceKey } from '@rollcall/protocol';
import { ManualClock, RecordingLogger } from '@rollcall/runtime/testing';
import fc from 'fast-check';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { addressOf } from '../../core/instance-address.js';
import type { StoreChange } from '../../core/store-change.js';
import { DEFAULT_SWITCHES } from '../../core/switches.js';
import { MemoryStore } from '../../testing/memory-store.js';
import type { DurableStore } from './durable-store.js';
import { LmdbStore } from './lmdb-store.js';
import { recordOf } from './store-record.js';

// What every store must do. `reopen` closes the store and opens what it left.
interface Subject {
  readonly store: DurableStore;
  reopen(): Promise<DurableStore>;
}

let directory: string;
beforeEach(() => {
  directory = mkdtempSync(join(tmpdir(), 'rollcall-store-'));
});
afterEach(async () => {
  for (const store of opened.splice(0)) await store.close();
  rmSync(directory, { recursive: true, force: true });
});
const opened: LmdbStore[] = [];

async function lmdbSubject(): Promise<Subject> {
  const options = { path: join(directory, 'store'), clock: new ManualClock(), logger: new RecordingLogger() };
  let store = await LmdbStore.open(options);
  opened.push(store);
  return {
    get store() {
      return store;
    },
    async reopen() {
      await store.close();
      store = await LmdbStore.open(options);
      opened.splice(0, opened.length, store);
      return store;
    },
  };
}

async function memorySubject(): Promise<Subject> {
  const store = new MemoryStore();
  return { store, reopen: async () => store };
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
])('a store ($name)', ({ subject }) => {
  test('is empty when new', async () => {
    const { store, reopen } = await subject();
    expect([...store.load()]).toEqual([]);
    expect([...(await reopen()).load()]).toEqual([]);
  });

  test('gives every kind of record back as it was set, in the order in which records refer to each other', async () => {
    const { store, reopen } = await subject();
    await store.commit([...ONE_OF_EACH].reverse(), ACTOR);
    expect([...(await reopen()).load()]).toEqual(ONE_OF_EACH);
  });

  test('keeps the order of metadata', async () => {
    const { store, reopen } = await subject();
    await store.commit(ONE_OF_EACH, ACTOR);
    const service = [...(await reopen()).load()].find((change) => change.type === 'service');
    expect([...(service?.value?.metadata.keys() ?? [])]).toEqual(['__proto__', '2', '1']);
  });

  test('forgets what is removed, and nothing else', async () => {
    const { store, reopen } = await subject();
    await store.commit(ONE_OF_EACH, ACTOR);
    for (const [index, change] of ONE_OF_EACH.entries()) {
      await store.commit([removal(change)], ACTOR);
      expect([...store.load()]).toEqual(ONE_OF_EACH.slice(index + 1));
    }
    await store.commit(ONE_OF_EACH.map(removal), ACTOR);
    expect([...(await reopen()).load()]).toEqual([]);
  });

  test('takes many commits at once, each in its order', async () => {
    const { store, reopen } = await subject();
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
    expect([...(await reopen()).load()]).toEqual([of('3')]);
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
        const { store, reopen } = await subject();
        await store.commit([...store.load()].map(removal), ACTOR);
        const last = new Map<string, StoreChange>();
        for (const commit of commits) {
          await store.commit(commit, ACTOR);
          for (const change of commit) last.set(recordOf(change).key, change);
        }
        const expected = [...last.values()].filter((change) => change.value !== undefined);
        const reopened = await reopen();
        const byKey = (a: StoreChange, b: StoreChange) => (recordOf(a).key < recordOf(b).key ? -1 : 1);
        expect([...reopened.load()].sort(byKey)).toEqual(expected.sort(byKey));
      }),
      { numRuns: 10 },
    );
  }, 60_000);
});
