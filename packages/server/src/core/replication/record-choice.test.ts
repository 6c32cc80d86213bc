import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { contentOf } from '../../testing/core-fixture.js';
import { type Candidate, chooseRecord, isPresent } from './record-choice.js';
import { RecordSet } from './record-set.js';
import type { ClaimValue, ReplicatedRecord } from './replicated-record.js';

const claim: ClaimValue = { registered: contentOf(), base: contentOf(), numericId: undefined };

const versions = fc.record({
  cv: fc.integer({ min: 1, max: 4 }),
  op: fc.tuple(fc.constantFrom('a', 'b'), fc.integer({ min: 1, max: 2 }), fc.integer({ min: 1, max: 3 })),
});
const tens = fc.integer({ min: 1, max: 4 });
const records: fc.Arbitrary<ReplicatedRecord> = fc.oneof(
  fc
    .tuple(versions, tens, fc.boolean())
    .map(([version, ten, healthy]): ReplicatedRecord => ({ state: 'live', ...version, claim, ten, healthy, id: 1 })),
  fc.tuple(versions, tens).map(([version, ten]): ReplicatedRecord => ({ state: 'ended', ...version, claim, ten })),
  versions.map((version): ReplicatedRecord => ({ state: 'removed', ...version })),
);

/** One candidate per node, as sets are. */
const candidateLists = fc
  .array(fc.tuple(records, fc.boolean()), { minLength: 1, maxLength: 6 })
  .map((list) => list.map(([record, vouched], index): Candidate => candidate(`node${index}`, record, { vouched })));

function candidate(node: string, record: ReplicatedRecord, { vouched } = { vouched: true }): Candidate {
  const set = new RecordSet({ node, epoch: 1, run: 'r' }, { logChanges: 10 });
  return { set, record, vouched, droppedFor: undefined };
}

function live(ten: number, fields: { cv?: number; healthy?: boolean } = {}): ReplicatedRecord {
  const { cv = 1, healthy = true } = fields;
  return { state: 'live', cv, op: ['a', 1, 1], claim, ten, healthy, id: 1 };
}

describe('the choice for a key', () => {
  it('is the same for every order of sets', () => {
    fc.assert(
      fc.property(candidateLists, fc.integer(), (candidates, turn) => {
        const chosen = chooseRecord('s', candidates);
        const by = Math.abs(turn) % candidates.length;
        for (const order of [candidates.toReversed(), [...candidates.slice(by), ...candidates.slice(0, by)]]) {
          const other = chooseRecord('s', order);
          expect(other.lease).toBe(chosen.lease);
          expect(isPresent(other)).toBe(isPresent(chosen));
          // Of equal versions, which come from one write, any may be named.
          expect([other.content?.record.cv, other.content?.record.op]).toEqual([
            chosen.content?.record.cv,
            chosen.content?.record.op,
          ]);
          expect([other.highestTen, other.highestCv, other.endedTen]).toEqual([
            chosen.highestTen,
            chosen.highestCv,
            chosen.endedTen,
          ]);
        }
      }),
    );
  });

  it('does not change when what lost is taken away', () => {
    fc.assert(
      fc.property(candidateLists, (candidates) => {
        const { lease, content } = chooseRecord('s', candidates);
        const kept = candidates.filter((one) => one === lease || one === content || one.record.state === 'ended');
        const again = chooseRecord('s', kept);
        expect(again.lease).toBe(lease);
        expect(again.content?.record.cv).toBe(content?.record.cv);
      }),
    );
  });

  it('takes the newest content, and a removal before others of the same version', () => {
    const removed: ReplicatedRecord = { state: 'removed', cv: 2, op: ['a', 1, 1] };
    const choice = chooseRecord('s', [candidate('a', live(9, { cv: 2 })), candidate('b', removed)]);
    expect(choice.content?.record).toBe(removed);
    expect(isPresent(choice)).toBe(false);
    expect(isPresent(chooseRecord('s', [candidate('a', live(1, { cv: 3 })), candidate('b', removed)]))).toBe(true);
  });

  it('takes a healthy lease before a later one, and of a lost node only one that has not ended', () => {
    const [healthy, later] = [candidate('a', live(1)), candidate('b', live(2, { healthy: false }))];
    expect(chooseRecord('s', [healthy, later]).lease).toBe(healthy);
    const lost = candidate('a', live(3), { vouched: false });
    const ended = candidate('b', { state: 'ended', cv: 1, op: ['a', 1, 1], claim, ten: 3 });
    expect(chooseRecord('s', [lost]).lease).toBe(lost);
    expect(chooseRecord('s', [lost, ended]).lease).toBeUndefined();
  });

  it('takes what was dropped for something that is not here yet last, but before what is unhealthy', () => {
    const dropped = { ...candidate('a', live(3)), droppedFor: { node: 'b', epoch: 1, run: 'b', rev: 9 } };
    const [healthy, unhealthy] = [candidate('b', live(2)), candidate('c', live(2, { healthy: false }))];
    expect(chooseRecord('s', [dropped, healthy]).lease).toBe(healthy);
    expect(chooseRecord('s', [dropped, unhealthy]).lease).toBe(dropped);
  });

  it('counts no end in a record that only carries content', () => {
    const lost = candidate('a', live(0), { vouched: false });
    const content = candidate('b', { state: 'ended', cv: 5, op: ['b', 1, 1], claim, ten: 0 });
    const choice = chooseRecord('s', [lost, content]);
    expect(choice.lease).toBe(lost);
    expect(choice.content).toBe(content);
  });
});
