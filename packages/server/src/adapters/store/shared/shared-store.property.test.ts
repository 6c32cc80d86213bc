// Three nodes write through one store while it fails in every way that the fake knows. Whatever happened: what was
// acknowledged was made once, what was refused was not made, and in the end all nodes know what the store has.

import { ManualClock, ManualTimers, RecordingLogger } from '@rollcall/runtime/testing';
import fc from 'fast-check';
import { expect, test } from 'vitest';
import { SERVER } from '../../../core/actor.js';
import { FakeKeyValues, type TransactionFault } from '../../../testing/fake-key-values.js';
import { MemoryStore } from '../../../testing/memory-store.js';
import { SharedStore } from './shared-store.js';

const IDS = ['a', 'b'] as const;

type Move =
  | { readonly type: 'set' | 'remove'; readonly node: number; readonly id: string }
  | { readonly type: 'fault'; readonly fault: TransactionFault }
  | { readonly type: 'compact' | 'break' | 'late' | 'tell' | 'let-through' | 'unreachable' | 'reachable' }
  | { readonly type: 'pass'; readonly ms: number };

const node = fc.nat(2);
const id = fc.constantFrom(...IDS);
const moves: fc.Arbitrary<readonly Move[]> = fc.array(
  fc.oneof(
    { weight: 6, arbitrary: fc.record({ type: fc.constant('set' as const), node, id }) },
    { weight: 3, arbitrary: fc.record({ type: fc.constant('remove' as const), node, id }) },
    {
      weight: 4,
      arbitrary: fc.record({
        type: fc.constant('fault' as const),
        fault: fc.constantFrom(
          'unavailable',
          'unknown-done',
          'unknown-not-done',
          'unknown-late',
          'unknown-held',
          'refused',
        ),
      }) as fc.Arbitrary<Move>,
    },
    {
      weight: 3,
      arbitrary: fc.record({
        type: fc.constantFrom('compact', 'break', 'late', 'tell', 'let-through', 'unreachable', 'reachable'),
      }) as fc.Arbitrary<Move>,
    },
    { weight: 3, arbitrary: fc.record({ type: fc.constant('pass' as const), ms: fc.constantFrom(0, 100, 1500) }) },
  ),
  { maxLength: 40 },
);

/** Three nodes on one fake. */
class World {
  readonly fake = new FakeKeyValues();
  readonly clock = new ManualClock();
  readonly timers = new ManualTimers(this.clock);
  readonly nodes = [0, 1, 2].map((index) => this.#node(String(index)));
  /** Ends of writes by the name that each wrote. */
  readonly ends = new Map<string, string>();
  #writes = 0;

  #node(run: string) {
    const { clock, timers, fake } = this;
    const logger = new RecordingLogger();
    const options = { keyValues: fake.connect(), copyOnDisk: new MemoryStore(), clock, timers, logger, run };
    const store = new SharedStore(options);
    const names = new Map<string, string>();
    const revisions: number[] = [];
    store.follow((changes) => {
      revisions.push(store.figures.revision);
      for (const change of changes) {
        if (change.type !== 'namespace') continue;
        if (change.value === undefined) names.delete(change.id);
        else names.set(change.id, change.value.name);
      }
    });
    expect([...store.load()]).toEqual([]);
    return { store, names, revisions };
  }

  make(move: Move): void {
    switch (move.type) {
      case 'set':
      case 'remove':
        this.#write(move.node, move.id, move.type);
        break;
      case 'fault':
        this.fake.faults.push(move.fault);
        break;
      case 'compact':
        this.fake.compact();
        break;
      case 'break':
        this.fake.breakWatches();
        break;
      case 'late':
        this.fake.late = true;
        break;
      case 'tell':
        this.fake.tell();
        break;
      case 'let-through':
        this.fake.letThrough();
        break;
      case 'unreachable':
      case 'reachable':
        this.fake.reachable = move.type === 'reachable';
        if (!this.fake.reachable) this.fake.breakWatches();
        break;
      case 'pass':
        this.timers.advance(move.ms);
        break;
    }
  }

  #write(index: number, written: string, type: 'set' | 'remove'): void {
    this.#writes += 1;
    const name = `w${this.#writes}`;
    const value = type === 'set' ? { id: written, name, description: '' } : undefined;
    const commit = this.nodes[index]?.store.commit([{ type: 'namespace', id: written, value }], SERVER);
    // A removal leaves no name behind by which it could be found.
    const end = (how: string) => void this.ends.set(name, type === 'set' ? how : `removal: ${how}`);
    commit?.then(end, (error: Error) => end(error.message));
  }

  async settle(): Promise<void> {
    for (let turn = 0; turn < 40; turn++) await Promise.resolve();
  }

  /** Ends all faults and lets everything come to rest. */
  async heal(): Promise<void> {
    this.fake.faults.length = 0;
    this.fake.reachable = true;
    this.fake.tell();
    this.fake.letThrough();
    for (let passed = 0; passed < 20_000; passed += 100) {
      this.timers.advance(100);
      await this.settle();
    }
  }

  /** What the store holds. */
  truth(): Record<string, string> {
    const held = new Map<string, string>();
    for (const { key, value } of this.fake.log.flat()) {
      if (!key.startsWith('ns/')) continue;
      const [namespace] = JSON.parse(key.slice(3)) as [string];
      if (value === undefined) held.delete(namespace);
      else held.set(namespace, (JSON.parse(value) as { value: { name: string } }).value.name);
    }
    return Object.fromEntries([...held].sort());
  }

  /** How often a name was written. */
  timesWritten(name: string): number {
    return this.fake.log.flat().filter(({ value }) => value?.includes(`"name":"${name}"`)).length;
  }
}

test('whatever fails, nothing acknowledged is lost or made twice, nothing refused is made, and all nodes agree', async () => {
  await fc.assert(
    fc.asyncProperty(moves, async (sequence) => {
      const world = new World();
      await world.settle();
      for (const move of sequence) {
        world.make(move);
        await world.settle();
      }
      await world.heal();
      for (const [name, end] of world.ends) {
        const times = world.timesWritten(name);
        if (end === 'written' || end.startsWith('The change was made'))
          expect([name, end, times]).toEqual([name, end, 1]);
        else if (end === 'conflict' || end.startsWith('Change was not made'))
          expect([name, end, times]).toEqual([name, end, 0]);
        else expect([name, end, times]).toEqual([name, end, Math.min(times, 1)]);
      }
      const truth = world.truth();
      for (const { store, names, revisions } of world.nodes) {
        expect(Object.fromEntries([...names].sort())).toEqual(truth);
        expect(store.figures.ready).toBe(true);
        expect(revisions).toEqual([...revisions].sort((a, b) => a - b));
        await store.close();
      }
    }),
    { numRuns: 150 },
  );
});
