// The shared store through faults of what is below it: two nodes on one fake, on manual clocks.

import { serviceKey } from '@rollcall/protocol';
import { ManualClock, ManualTimers, RecordingLogger } from '@rollcall/runtime/testing';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { SERVER } from '../../../core/actor.js';
import { addressOf } from '../../../core/instance-address.js';
import type { StoreChange } from '../../../core/store-change.js';
import { FakeKeyValues, type TransactionFault } from '../../../testing/fake-key-values.js';
import { MemoryStore } from '../../../testing/memory-store.js';
import { recordOf } from '../store-record.js';
import { SharedStore } from './shared-store.js';

const ACTOR = { via: 'http-v1', address: '10.0.0.9' } as const;
const ORDERS = serviceKey('public', 'DEFAULT_GROUP', 'orders');

function namespace(id: string, name = id): StoreChange {
  return { type: 'namespace', id, value: { id, name, description: '' } };
}

function removal(change: StoreChange): StoreChange {
  return { ...change, value: undefined };
}

function service(): StoreChange {
  const value = { protectThreshold: 0, metadata: new Map(), selector: { type: 'none' }, clusters: new Map() } as const;
  return { type: 'service', service: ORDERS, value };
}

function instance(ip: string): StoreChange {
  const content = { weight: 1, enabled: true, healthy: true, metadata: new Map(), app: undefined };
  const address = addressOf(ip, 1, 'DEFAULT');
  return { type: 'persistent-instance', service: ORDERS, address, value: { registered: content, base: content } };
}

function edit(ip: string): StoreChange {
  return {
    type: 'edit',
    service: ORDERS,
    kind: 'persistent',
    address: addressOf(ip, 1, 'DEFAULT'),
    value: { weight: 3 },
  };
}

/** A node: its store, the records that its core would hold, and the changes that it was told with who made them. */
class Node {
  readonly clock = new ManualClock();
  readonly timers = new ManualTimers(this.clock);
  readonly logger = new RecordingLogger();
  readonly copyOnDisk: MemoryStore;
  readonly store: SharedStore;
  readonly records = new Map<string, StoreChange>();
  readonly told: string[] = [];
  readonly revisions: number[] = [];

  constructor(run: string, copyOnDisk = new MemoryStore()) {
    this.copyOnDisk = copyOnDisk;
    const { clock, timers, logger } = this;
    this.store = new SharedStore({ keyValues: fake.connect(), copyOnDisk, clock, timers, logger, run });
    this.store.follow((changes, actor) => {
      this.told.push(`${changes.map((change) => recordOf(change).key)} by ${actor.address ?? actor.via}`);
      this.revisions.push(this.store.figures.revision);
      for (const change of changes) this.#take(change);
    });
    for (const change of this.store.load()) this.#take(change);
    nodes.push(this);
  }

  get ids(): readonly string[] {
    return [...this.records.values()].flatMap((change) => (change.type === 'namespace' ? [change.id] : [])).sort();
  }

  #take(change: StoreChange): void {
    if (change.value === undefined) this.records.delete(recordOf(change).key);
    else this.records.set(recordOf(change).key, change);
  }
}

let fake: FakeKeyValues;
let nodes: Node[];
let one: Node;
let other: Node;

beforeEach(async () => {
  fake = new FakeKeyValues();
  nodes = [];
  one = new Node('one');
  other = new Node('other');
  await settle();
});
afterEach(async () => {
  for (const { store } of nodes) await store.close();
});

/** Lets everything happen that needs no time. */
async function settle(): Promise<void> {
  for (let turn = 0; turn < 50; turn++) await Promise.resolve();
}

/** Lets time pass for all nodes. */
async function pass(ms: number): Promise<void> {
  for (let passed = 0; passed < ms; passed += 100) {
    for (const { timers } of nodes) timers.advance(100);
    await settle();
  }
}

describe('a write', () => {
  test('is told to all nodes with who made it, and acknowledged when this node has it', async () => {
    expect(await one.store.commit([namespace('dev')], ACTOR)).toBe('written');
    expect(one.ids).toEqual(['dev']);
    await settle();
    expect([one.told, other.told]).toEqual([['ns/["dev"] by 10.0.0.9'], ['ns/["dev"] by 10.0.0.9']]);
    await other.store.commit([removal(namespace('dev'))], SERVER);
    await settle();
    expect([one.ids, one.told.at(-1)]).toEqual([[], 'ns/["dev"] by server']);
  });

  test('meets a conflict when another node was first, which has been told by then', async () => {
    const outcomes = await Promise.all([
      one.store.commit([namespace('dev', 'one')], ACTOR),
      other.store.commit([namespace('dev', 'other')], ACTOR).then((outcome) => [outcome, other.ids]),
    ]);
    expect(outcomes).toEqual(['written', ['conflict', ['dev']]]);
    expect(await other.store.commit([namespace('dev', 'other')], ACTOR)).toBe('written');
  });

  test('meets a conflict also when all is as before by the time it hears of it', async () => {
    const raw = fake.connect();
    let answer = () => undefined as unknown;
    fake.late = true;
    fake.answers = new Promise((resolve) => (answer = () => resolve(undefined)));
    const value = '{"op":"x.1","type":"namespace","id":"dev","value":{"id":"dev","name":"x","description":null}}';
    const created = raw.transact({ compares: [], writes: [{ key: 'ns/["dev"]', value }] });
    const write = one.store.commit([namespace('dev')], ACTOR);
    await settle();
    const removed = raw.transact({ compares: [], writes: [{ key: 'ns/["dev"]', value: undefined }] });
    fake.tell();
    await settle();
    answer();
    expect(await Promise.all([created, removed, write])).toMatchObject([{}, {}, 'conflict']);
  });

  test('of removals that are not there reaches no store', async () => {
    const { revision } = fake;
    expect(await one.store.commit([removal(namespace('dev'))], ACTOR)).toBe('written');
    expect(fake.revision).toBe(revision);
  });

  test('that removes a service or a namespace needs them to be empty on all nodes', async () => {
    await one.store.commit([service(), namespace('public')], ACTOR);
    await settle();
    fake.late = true;
    const second = other.store.commit([instance('10.0.0.1')], ACTOR);
    await settle();
    const removals = [
      one.store.commit([removal(service())], ACTOR),
      one.store.commit([removal(namespace('public'))], ACTOR),
    ];
    await settle();
    fake.tell();
    expect(await Promise.all([...removals, second])).toEqual(['conflict', 'conflict', 'written']);
    await one.store.commit([removal(instance('10.0.0.1'))], ACTOR);
    expect(await one.store.commit([removal(service())], ACTOR)).toBe('written');
  });

  test('that forgets an edit needs its instance to be gone, also where this node has not heard that it is back', async () => {
    await one.store.commit([edit('10.0.0.1')], ACTOR);
    await settle();
    fake.late = true;
    const back = other.store.commit([instance('10.0.0.1')], ACTOR);
    await settle();
    const forgetting = one.store.commit([removal(edit('10.0.0.1'))], SERVER);
    await settle();
    fake.tell();
    expect(await Promise.all([back, forgetting])).toEqual(['written', 'conflict']);
    expect(one.records.size).toBe(2);
    expect(await one.store.commit([removal(instance('10.0.0.1'))], ACTOR)).toBe('written');
    expect(await one.store.commit([removal(edit('10.0.0.1'))], SERVER)).toBe('written');
    expect(one.records.size).toBe(0);
  });

  test('that the store refuses fails with its reason', async () => {
    fake.faults.push('refused');
    const failure = one.store.commit([namespace('dev')], ACTOR);
    await expect(failure).rejects.toThrow('the store "fake://store" refuses the change: fault "refused"');
    expect(await one.store.commit([namespace('dev')], ACTOR)).toBe('written');
  });
});

describe('a write without an answer', () => {
  test.each([
    ['not sent', ['unavailable']],
    ['made', ['unknown-done']],
    ['not made', ['unknown-not-done']],
    ['made late', ['unknown-late']],
  ] as [string, TransactionFault[]][])('is sent again and happens once (%s)', async (_, faults) => {
    fake.faults.push(...faults);
    const before = fake.revision;
    expect(await one.store.commit([namespace('dev')], ACTOR)).toBe('written');
    await settle();
    expect(fake.revision).toBe(before + 1);
    expect([one.ids, other.told]).toEqual([['dev'], ['ns/["dev"] by 10.0.0.9']]);
  });

  test('is kept out when it comes late, after a conflict was reported', async () => {
    fake.faults.push('unknown-held');
    const write = one.store.commit([namespace('dev', 'one')], ACTOR);
    await other.store.commit([namespace('dev', 'other')], ACTOR);
    expect(await write).toBe('conflict');
    await other.store.commit([removal(namespace('dev'))], ACTOR);
    fake.letThrough();
    await settle();
    expect([one.ids, other.ids]).toEqual([[], []]);
  });

  test('knows its own effect when it came late, but before the conflict was reported', async () => {
    fake.faults.push('unknown-held');
    const write = one.store.commit([namespace('dev', 'one')], ACTOR);
    const first = other.store.commit([namespace('dev', 'other')], ACTOR);
    let answer: () => void = () => undefined;
    fake.answers = new Promise<void>((resolve) => {
      answer = resolve;
    });
    await first;
    const second = other.store.commit([removal(namespace('dev'))], ACTOR);
    await settle();
    fake.late = true;
    fake.letThrough();
    answer();
    await settle();
    fake.tell();
    expect(await Promise.all([second, write])).toEqual(['written', 'written']);
    expect(one.ids).toEqual(['dev']);
  });

  test('is not sent again when the copy has shown it, or long after the first try', async () => {
    let answer: () => void = () => undefined;
    fake.answers = new Promise<void>((resolve) => {
      answer = resolve;
    });
    fake.faults.push('unknown-done', 'unknown-held');
    const shown = one.store.commit([namespace('dev')], ACTOR);
    const held = one.store.commit([namespace('held')], ACTOR).catch((error: Error) => error.message);
    const { revision } = fake;
    one.clock.advance(20_000);
    answer();
    expect(await shown).toBe('written');
    expect(await held).toContain('It is not known whether the change was made');
    expect([fake.revision, one.ids]).toEqual([revision, ['dev']]);
  });

  test('is in doubt when it may come late and cannot be kept out', async () => {
    fake.faults.push('unknown-held');
    const write = one.store.commit([namespace('dev', 'one')], ACTOR);
    const first = other.store.commit([namespace('dev', 'other')], ACTOR);
    fake.faults.push('none', 'unknown-not-done');
    await first;
    await expect(write).rejects.toThrow('It is not known whether the change was made');
  });

  test('knows its own effect also when another node wrote after it', async () => {
    fake.faults.push('unknown-done');
    fake.late = true;
    const write = one.store.commit([namespace('dev', 'one')], ACTOR);
    fake.tell();
    expect(await write).toBe('written');
  });

  test('knows its own effect when the watch was lost and everything had to be listed', async () => {
    fake.faults.push('unknown-done');
    fake.late = true;
    const write = one.store.commit([namespace('dev')], ACTOR);
    await settle();
    fake.compact();
    fake.late = false;
    fake.breakWatches();
    await pass(200);
    expect(await write).toBe('written');
  });

  test('is in doubt after two tries, and says so', async () => {
    fake.late = true;
    fake.faults.push('unavailable', 'unknown-done');
    await expect(one.store.commit([namespace('dev')], ACTOR)).rejects.toThrow(
      'It is not known whether the change was made (lists show it once it was): the store "fake://store" does not answer (tried 2 times: no answer in time)',
    );
    fake.tell();
    await settle();
    expect(one.ids).toEqual(['dev']);
  });
});

test('a write that was made without an answer and is refused when it is sent again is in doubt', async () => {
  fake.late = true;
  fake.faults.push('unknown-done', 'refused');
  await expect(one.store.commit([namespace('dev')], ACTOR)).rejects.toThrow(/^It is not known .* refuses the change/);
  fake.tell();
  await settle();
  expect(one.ids).toEqual(['dev']);
});

describe('a store that is away', () => {
  test('refuses with its name, at once for a second, and takes writes when it is back', async () => {
    fake.reachable = false;
    fake.breakWatches();
    const text = 'Change was not made: the store "fake://store" does not answer';
    await expect(one.store.commit([namespace('a')], ACTOR)).rejects.toMatchObject({ code: 'storage-failed' });
    await expect(one.store.commit([namespace('a')], ACTOR)).rejects.toThrow(`${text} (tried before: no connection)`);
    await pass(1000);
    await expect(one.store.commit([namespace('a')], ACTOR)).rejects.toThrow(`${text} (tried 2 times: no connection)`);
    expect(one.store.figures.ready).toBe(false);
    fake.reachable = true;
    await pass(3000);
    expect(one.store.figures.ready).toBe(true);
    expect(await one.store.commit([namespace('a')], ACTOR)).toBe('written');
  });

  test('leaves a node that starts with what it had on disk, which is put right when it is back', async () => {
    await one.store.commit([namespace('a'), namespace('b')], ACTOR);
    fake.tell();
    await settle();
    fake.reachable = false;
    const again = new Node('again', one.copyOnDisk);
    await settle();
    expect(again.ids).toEqual(['a', 'b']);
    const refused = again.store.commit([namespace('c')], ACTOR);
    await Promise.all([pass(1500), expect(refused).rejects.toThrow('was not read yet: no connection')]);
    fake.reachable = true;
    const write = other.store.commit([removal(namespace('a')), namespace('b', 'new')], ACTOR);
    await pass(5000);
    expect(await write).toBe('written');
    expect(again.ids).toEqual(['b']);
    expect(again.told).toEqual(['ns/["a"],ns/["b"] by server']);
  });

  test('has what was planned before the first listing planned again, and nothing is laid over', async () => {
    await other.store.commit([namespace('a', 'other')], ACTOR);
    fake.reachable = false;
    const late = new Node('late');
    await settle();
    const planned = late.store.commit([namespace('a', 'late')], ACTOR);
    fake.reachable = true;
    await pass(1000);
    expect([await planned, late.ids]).toEqual(['conflict', ['a']]);
    expect(late.told).toEqual(['ns/["a"] by server']);
  });

  test('is logged once, not at each try', async () => {
    fake.reachable = false;
    fake.breakWatches();
    await pass(20_000);
    fake.reachable = true;
    await pass(4000);
    expect(one.logger.events).toEqual(['store-followed', 'store-lost', 'store-followed']);
  });
});

describe('the copy', () => {
  test('goes on after a watch that broke, without a second telling', async () => {
    await one.store.commit([namespace('a')], ACTOR);
    fake.breakWatches();
    const write = other.store.commit([namespace('b')], ACTOR);
    await pass(500);
    expect(await write).toBe('written');
    expect(one.told).toEqual(['ns/["a"] by 10.0.0.9', 'ns/["b"] by 10.0.0.9']);
  });

  test('is told the difference after compaction', async () => {
    await one.store.commit([namespace('a'), namespace('b'), namespace('c')], ACTOR);
    await settle();
    one.told.length = 0;
    fake.late = true;
    const writes = other.store.commit([removal(namespace('a')), namespace('b', 'new')], ACTOR);
    await settle();
    fake.compact();
    fake.late = false;
    fake.breakWatches();
    await pass(500);
    await writes;
    expect(one.told).toEqual(['ns/["a"],ns/["b"] by server']);
    expect(one.ids).toEqual(['b', 'c']);
  });

  test('is told an edit anew that has no instance after compaction: it may have had one meanwhile', async () => {
    await one.store.commit([edit('10.0.0.1'), edit('10.0.0.2'), instance('10.0.0.2')], ACTOR);
    await settle();
    one.told.length = 0;
    fake.late = true;
    for (const change of [instance('10.0.0.1'), removal(instance('10.0.0.1'))]) {
      const { key, json: value } = recordOf(change);
      await fake.connect().transact({ compares: [], writes: [{ key, value }] });
    }
    fake.compact();
    fake.late = false;
    fake.breakWatches();
    await pass(500);
    expect(one.told).toEqual([`${recordOf(edit('10.0.0.1')).key} by server`]);
  });

  test('never goes back, whatever it is shown', async () => {
    await one.store.commit([namespace('a')], ACTOR);
    await settle();
    fake.reset();
    fake.breakWatches();
    await pass(10_000);
    expect([one.ids, one.store.figures.ready]).toEqual([['a'], false]);
    expect(one.logger.lines.at(-1)?.fields?.reason).toBe('found revision 1, but 2 was seen before');
    expect(one.store.figures.revision).toBe(2);
    expect(one.revisions).toEqual([...one.revisions].sort((a, b) => a - b));
  });

  test('is not exchanged for another store', async () => {
    await one.store.commit([namespace('a')], ACTOR);
    await settle();
    fake.store = '2';
    fake.compact();
    fake.breakWatches();
    await pass(5000);
    expect([one.ids, one.store.figures.ready]).toEqual([['a'], false]);
    const found = 'found another store (id 2) than before (id 1)';
    expect(one.logger.lines.at(-1)?.fields?.reason).toBe(found);
    await expect(one.store.commit([namespace('b')], ACTOR)).rejects.toThrow(`${found}; a restart takes it as it is`);
  });

  test('that is not told of a write fails it, says that it was made, and asks anew', async () => {
    fake.late = true;
    const write = one.store.commit([namespace('a')], ACTOR);
    await Promise.all([
      pass(1300),
      expect(write).rejects.toThrow('The change was made, but this node has not heard of it'),
    ]);
    expect(one.store.figures.ready).toBe(false);
    fake.tell();
    await pass(500);
    expect([one.ids, one.store.figures.ready]).toEqual([['a'], true]);
  });

  test('passes over what it cannot read', async () => {
    const raw = fake.connect();
    const junk = ['op/', 'ns/["a"]', 'inst/x', 'elsewhere', 'ns/', 'quota/["a"]'];
    await raw.transact({ compares: [], writes: junk.map((key) => ({ key, value: '{"op' })) });
    await raw.transact({ compares: [], writes: junk.map((key) => ({ key, value: '{"type":"quota"}' })) });
    await raw.transact({ compares: [], writes: junk.map((key) => ({ key, value: undefined })) });
    await settle();
    expect(await one.store.commit([namespace('a')], ACTOR)).toBe('written');
    expect(one.ids).toEqual(['a']);
  });
});
