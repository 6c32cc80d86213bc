// Which durable changes are written at the same time, and which wait for one another.

import { DEFAULT_LIMITS, NO_METADATA, serviceKey } from '@rollcall/protocol';
import { RecordingLogger } from '@rollcall/runtime/testing';
import type { Now } from '@rollcall/runtime/time';
import { beforeEach, expect, it } from 'vitest';
import type { CommitOutcome, StoreLane } from '../adapters/store/durable-store.js';
import { SERVER } from '../core/actor.js';
import { DEFAULT_CORE_SETTINGS } from '../core/core-settings.js';
import { addressOf } from '../core/instance-address.js';
import { RegistryCore } from '../core/registry-core.js';
import type { StoreChange } from '../core/store-change.js';
import { DurableCommits } from './durable-commits.js';

const CONTENT = { weight: 1, enabled: true, healthy: true, metadata: NO_METADATA, app: undefined };
const ORDERS = serviceKey('public', 'g', 'orders');

let now: Now;
let core: RegistryCore;
let commits: DurableCommits;
/** Writes under way with what ends each, and the changes of all writes so far. */
let written: (readonly StoreChange[])[];
let writing: { readonly what: string; readonly end: (outcome: CommitOutcome) => void }[];

beforeEach(() => {
  setUp(DEFAULT_LIMITS);
});

function setUp(limits: typeof DEFAULT_LIMITS): void {
  now = { mono: 1, wall: 1 } as Now;
  core = new RegistryCore({ sink: () => undefined, settings: DEFAULT_CORE_SETTINGS, limits });
  writing = [];
  written = [];
  const store = {
    laneOf: (): StoreLane => 'local',
    commit: async (changes: readonly StoreChange[]) => {
      const what = changes.map((change) => ('address' in change ? change.address.ip : change.type)).join();
      written.push(changes);
      const outcome = await new Promise<CommitOutcome>((end) => void writing.push({ what, end }));
      if (outcome === 'written') core.step({ type: 'store', changes, actor: SERVER }, now);
      return outcome;
    },
  } as const;
  commits = new DurableCommits({ core, store, logger: new RecordingLogger() });
}

function register(ip: string): Promise<void> {
  const address = addressOf(ip, 1, 'DEFAULT');
  return commits.commit(SERVER, () => {
    core.requireRoom(ORDERS, 'persistent', address);
    return [{ type: 'persistent-instance', service: ORDERS, address, value: { registered: CONTENT, base: CONTENT } }];
  });
}

function define(): Promise<void> {
  const value = {
    protectThreshold: 0,
    metadata: NO_METADATA,
    selector: { type: 'none' },
    clusters: new Map(),
  } as const;
  return commits.commit(SERVER, () => [{ type: 'service', service: ORDERS, value }]);
}

/** Lets time pass, then the store tells of changes. */
function pass(ms: number, ...changes: readonly StoreChange[]): void {
  now = { mono: now.mono + ms, wall: now.wall + ms } as Now;
  core.step({ type: 'store', changes, actor: SERVER }, now);
}

async function settle(): Promise<void> {
  for (let turn = 0; turn < 20; turn++) await Promise.resolve();
}

/** Ends all writes under way and tells what they were. */
async function endWrites(outcome: CommitOutcome = 'written'): Promise<string> {
  await settle();
  const ended = writing.splice(0);
  for (const { end } of ended) end(outcome);
  await settle();
  return ended.map(({ what }) => what).join(' ');
}

it('writes instances at different addresses at the same time', async () => {
  const all = Promise.all([register('a'), register('b'), register('c')]);
  expect(await endWrites()).toBe('a b c');
  await all;
});

it('keeps the order of changes of one instance', async () => {
  const all = Promise.all([register('a'), register('b'), register('a'), register('c')]);
  expect(await endWrites()).toBe('a b');
  expect(await endWrites()).toBe('a c');
  await all;
});

it('writes what may be about anything alone, and in its turn', async () => {
  const all = Promise.all([register('a'), define(), register('b'), register('c')]);
  expect(await endWrites()).toBe('a');
  expect(await endWrites()).toBe('service');
  expect(await endWrites()).toBe('b c');
  await all;
});

it('asks a plan that refuses again after those before it', async () => {
  const first = register('a');
  const second = commits.commit(SERVER, () => {
    if (core.service(ORDERS.id) === undefined) throw new Error('no such service');
    return [];
  });
  expect(await endWrites()).toBe('a');
  await Promise.all([first, second]);
});

it('keeps to limits: near them changes go one by one', async () => {
  setUp({ ...DEFAULT_LIMITS, serviceInstances: 2 });
  const all = Promise.allSettled([register('a'), register('b'), register('c')]);
  expect([await endWrites(), await endWrites(), await endWrites()]).toEqual(['a', 'b', '']);
  expect((await all).map(({ status }) => status)).toEqual(['fulfilled', 'fulfilled', 'rejected']);
});

it('writes an edit of another node as the core has it by then', async () => {
  const address = addressOf('a', 1, 'DEFAULT');
  const edit = (weight: number) =>
    ({ type: 'edit', service: ORDERS, kind: 'ephemeral', address, value: { weight } }) as const;
  core.step({ type: 'store', changes: [edit(3)], actor: SERVER }, now);
  const own = commits.commit(SERVER, () => [edit(1)]);
  commits.keep(edit(2));
  await settle();
  expect(written).toEqual([[edit(1)]]);
  await endWrites();
  expect(written.at(-1)).toEqual([edit(1)]);
  await endWrites();
  await own;
  await commits.settled();
});

it('forgets an edit unless its instance is back, or it is a new one', async () => {
  const place = { service: ORDERS, address: addressOf('a', 1, 'DEFAULT') } as const;
  const edit = { ...place, type: 'edit', kind: 'persistent', value: { weight: 3 } } as const;
  const gone = { ...edit, value: undefined };
  const removed = { ...place, type: 'persistent-instance', value: undefined } as const;
  const memoryMs = DEFAULT_CORE_SETTINGS.editMemoryMs;
  pass(0, edit);
  commits.forget(gone);
  await settle();
  expect(written).toEqual([]);
  pass(memoryMs);
  const back = register('a');
  commits.forget(gone);
  expect(await endWrites()).toBe('a');
  await Promise.all([back, commits.settled()]);
  expect(written).toHaveLength(1);
  pass(0, removed);
  pass(memoryMs);
  commits.forget(gone);
  await endWrites();
  expect(written.at(-1)).toEqual([gone]);
  await commits.settled();
});

it('writes at most 64 at the same time', async () => {
  const all = Promise.all(Array.from({ length: 100 }, (_, index) => register(`i${index}`)));
  expect((await endWrites()).split(' ')).toHaveLength(64);
  expect((await endWrites()).split(' ')).toHaveLength(36);
  await all;
});

it('plans those again that another node came before, ahead of later ones', async () => {
  const all = Promise.all([register('a'), register('b')]);
  await settle();
  const later = register('c');
  expect(await endWrites('conflict')).toBe('a b');
  expect(await endWrites()).toBe('a b c');
  await Promise.all([all, later]);
});
