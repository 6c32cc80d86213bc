import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { contentOf, hostOf, serviceOf } from '../../testing/core-fixture.js';
import { allDeltas, firstDelta, wholeDelta } from './delta-cutting.js';
import type { DeltaMessage } from './peer-message.js';
import { type RecordKey, recordKey, recordKeyOf } from './record-key.js';
import { RecordSet } from './record-set.js';
import type { ReplicatedRecord } from './replicated-record.js';
import { replicatedRecordOf } from './wire-record.js';

const id = { node: '10.9.0.1:8848', epoch: 1, run: 'r' };
const keys = [1, 2, 3, 4, 5].map((n): RecordKey => recordKey(serviceOf('orders'), hostOf(n), 'http'));

/** A change: which key, and its new tenure; 0 takes it out. */
const changes = fc.array(fc.tuple(fc.nat({ max: 4 }), fc.nat({ max: 3 })), { maxLength: 60 });

function live(ten: number): ReplicatedRecord {
  const claim = { registered: contentOf(), base: contentOf(), numericId: undefined };
  return { state: 'live', cv: ten, op: ['a', 1, 1], claim, ten, healthy: true, id: 1 };
}

function author(list: readonly (readonly [number, number])[], logChanges = 1000): RecordSet {
  const set = new RecordSet(id, { logChanges });
  for (const [index, ten] of list) set.change(keys[index] as RecordKey, ten === 0 ? undefined : live(ten));
  return set;
}

function take(copy: RecordSet, { changes: wire, to, full }: DeltaMessage): void {
  const list = structuredClone(wire).map(({ key, record }) => ({
    key: recordKeyOf(key),
    record: record === undefined ? undefined : replicatedRecordOf(record),
    successor: undefined,
  }));
  if (full)
    copy.replace(
      list.flatMap(({ key, record }) => (record === undefined ? [] : [{ key, record }])),
      to,
    );
  else copy.apply(list, to);
}

describe('a set', () => {
  it('and a copy made of its deltas, from any rev and in pieces of any size, are equal', () => {
    fc.assert(
      fc.property(changes, changes, fc.integer({ min: 1, max: 7 }), (before, after, chunkRecords) => {
        const size = { chunkRecords, chunkCharacters: 100_000 };
        const set = author(before);
        const copy = new RecordSet(id, { logChanges: 5 });
        for (const delta of allDeltas(set, -1, size) ?? []) take(copy, delta);
        expect([copy.rev, copy.hash]).toEqual([set.rev, set.hash]);
        for (const [index, ten] of after) set.change(keys[index] as RecordKey, ten === 0 ? undefined : live(ten));
        for (const delta of allDeltas(set, copy.rev, size) ?? []) take(copy, delta);
        expect([copy.rev, copy.hash, [...copy.bucketHashes]]).toEqual([set.rev, set.hash, [...set.bucketHashes]]);
      }),
    );
  });

  it('has the hash of what it holds, however it came there', () => {
    fc.assert(
      fc.property(changes, (list) => {
        const set = author(list);
        const held = [...set.entries()].map(({ key, record }) => ({ key, record }));
        const copy = new RecordSet(id, { logChanges: 5 });
        copy.replace(held.toReversed(), set.rev);
        expect(copy.hash).toBe(set.hash);
      }),
    );
  });

  it('that changed more than its log holds cannot be told in changes, but as a whole', () => {
    const set = author(
      Array.from({ length: 30 }, (_, index) => [index % 5, 1 + (index % 3)] as const),
      10,
    );
    const size = { chunkRecords: 1000, chunkCharacters: 100_000 };
    expect(allDeltas(set, 19, size)).toBeUndefined();
    expect(firstDelta(set, 20, size)).toMatchObject({ from: 20, to: 30, full: false });
    const whole = wholeDelta(set, size);
    expect(whole?.changes).toHaveLength(5);
    expect(wholeDelta(set, { ...size, chunkRecords: 4 })).toBeUndefined();
    const copy = new RecordSet(id, { logChanges: 5 });
    take(copy, whole as DeltaMessage);
    expect(copy.hash).toBe(set.hash);
  });

  it('tells the changes of a replacement', () => {
    const set = author([
      [0, 1],
      [1, 1],
    ]);
    const gone = set.replace([{ key: keys[1] as RecordKey, record: live(2) }], 7);
    expect(gone.map(({ key, record }) => [key.address.ip, record?.state])).toEqual([
      ['10.0.0.2', 'live'],
      ['10.0.0.1', undefined],
    ]);
  });

  it('goes as a whole with what was dropped for others lately, as far as there is room', () => {
    const [first, second, third] = keys as [RecordKey, RecordKey, RecordKey];
    const set = author([
      [0, 1],
      [1, 1],
      [2, 1],
    ]);
    const successor = { ...id, node: '10.9.0.2:8848', rev: 4 };
    set.change(first, undefined, { successor, dropped: live(1) });
    set.change(second, undefined, { successor, dropped: live(1) });
    set.change(second, live(2));
    const size = { chunkRecords: 10, chunkCharacters: 100_000 };
    const told = (message = wholeDelta(set, size)) =>
      message?.changes.map((change) => [change.key[3], change.successor]);
    expect(told()).toEqual([
      [third.address.ip, undefined],
      [second.address.ip, undefined],
      [first.address.ip, successor],
    ]);
    expect(told(wholeDelta(set, { ...size, chunkRecords: 2 }))).toHaveLength(2);
  });
});
