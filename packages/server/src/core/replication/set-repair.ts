// Copying a large set, or what differs of it, bucket by bucket while its author goes on changing it (R16). What has come
// stays when the peer is lost half-way; the copy is used only when it is one state that the set really had.

import type { Instant } from '@rollcall/runtime/time';
import type { Change } from './change-log.js';
import type { ClusterState } from './cluster-state.js';
import type { BucketRecordsMessage, BucketsMessage, DeltaMessage, NodeId, SetId } from './peer-message.js';
import { BUCKETS, bucketOf, type RecordKey, recordKeyOf } from './record-key.js';
import { setIdText } from './record-set.js';
import type { ReplicatedRecord } from './replicated-record.js';
import type { SetIntake } from './set-intake.js';
import { recordHash, replicatedRecordOf } from './wire-record.js';

/** Buckets of one question; of a set of 100,000 records that is two messages. */
const ASKED_AT_ONCE = 4;

/** A record with its key. */
interface Entry {
  readonly key: RecordKey;
  readonly record: ReplicatedRecord;
}

/** A copy under construction. */
class Draft {
  readonly id: SetId;
  /** Rev of which the drafted buckets have everything. */
  base = 0;
  /** Highest rev of which some have something. */
  highest = 0;
  readonly buckets: Map<string, Entry>[] = Array.from({ length: BUCKETS }, () => new Map());
  readonly needed = new Set<number>();
  /** Those of the question that is not answered whole. */
  awaited = new Set<number>();
  readonly parts = new Map<number, BucketRecordsMessage[]>();
  touchedAt: Instant;
  /** For how long the sender keeps the set, by its last word on that. */
  graceMs: number | undefined;

  constructor(id: SetId, entries: Iterable<Entry>, now: Instant) {
    this.id = id;
    this.touchedAt = now;
    for (const { key, record } of entries) this.write({ key, record, successor: undefined });
  }

  write({ key, record }: Change): void {
    const bucket = this.buckets[bucketOf(key.text)];
    if (record === undefined) bucket?.delete(key.text);
    else bucket?.set(key.text, { key, record });
  }

  hashOf(index: number): number {
    let hash = 0;
    for (const { key, record } of this.buckets[index]?.values() ?? [])
      hash = (hash + recordHash(key.text, record)) >>> 0;
    return hash;
  }

  *entries(): Generator<Entry> {
    for (const bucket of this.buckets) yield* bucket.values();
  }
}

/** Copies under construction. */
export class SetRepair {
  readonly #cluster: ClusterState;
  readonly #intake: SetIntake;
  readonly #drafts = new Map<string, Draft>();

  constructor(cluster: ClusterState, intake: SetIntake) {
    this.#cluster = cluster;
    this.#intake = intake;
  }

  /** A peer told the hashes of a set. */
  takeHashes(from: NodeId, { set: id, rev, hashes, graceMs }: BucketsMessage): void {
    const { sets, now } = this.#cluster;
    const held = sets.get(id);
    if (held !== undefined && held.set.rev >= rev) return;
    const idText = setIdText(id);
    const draft = this.#drafts.get(idText) ?? new Draft(id, held?.set.entries() ?? [], now.mono);
    this.#drafts.set(idText, draft);
    draft.base = rev;
    draft.highest = rev;
    draft.graceMs = graceMs;
    draft.parts.clear();
    draft.needed.clear();
    for (const [index, hash] of hashes.entries()) if (draft.hashOf(index) !== hash) draft.needed.add(index);
    this.#goOn(from, draft);
  }

  /** A peer sent records of a bucket. */
  takeRecords(from: NodeId, message: BucketRecordsMessage): void {
    const draft = this.#drafts.get(setIdText(message.set));
    const { bucket: index, rev } = message;
    if (draft === undefined || !draft.needed.has(index) || rev < draft.base) return;
    const records = this.#whole(draft, message);
    if (records === undefined) return;
    draft.buckets[index] = new Map(records.map((entry) => [entry.key.text, entry]));
    draft.needed.delete(index);
    draft.highest = Math.max(draft.highest, rev);
    draft.awaited.delete(index);
    if (draft.awaited.size === 0) this.#goOn(from, draft);
  }

  /** A delta came. @returns whether it belongs to a draft, which then takes it */
  takeDelta(from: NodeId, delta: DeltaMessage, changes: () => readonly Change[]): boolean {
    const draft = this.#drafts.get(setIdText(delta.set));
    if (draft === undefined) return false;
    const { from: since, to, full, graceMs } = delta;
    if (full || draft.needed.size > 0 || since > draft.base || to <= draft.base) return false;
    for (const change of changes()) draft.write(change);
    draft.base = to;
    draft.graceMs = graceMs;
    this.#goOn(from, draft);
    return true;
  }

  /** Forgets drafts of sets that came otherwise, or that nobody supplies any more. */
  forgetOld(): void {
    const { sets, now, settings } = this.#cluster;
    for (const [idText, draft] of this.#drafts) {
      const held = sets.get(draft.id);
      const isDone = held !== undefined && held.set.rev >= draft.highest;
      if (isDone || now.mono - draft.touchedAt >= settings.setRetentionMs) this.#drafts.delete(idText);
    }
  }

  #goOn(peer: NodeId, draft: Draft): void {
    const { now } = this.#cluster;
    draft.touchedAt = now.mono;
    this.#intake.prolong(draft.id, peer);
    if (draft.needed.size > 0) {
      const buckets = [...draft.needed].slice(0, ASKED_AT_ONCE);
      draft.awaited = new Set(buckets);
      this.#cluster.send(peer, { type: 'bucket-pull', set: draft.id, buckets });
    } else if (draft.base < draft.highest) {
      this.#cluster.send(peer, { type: 'pull', set: draft.id, rev: draft.base });
    } else {
      this.#drafts.delete(setIdText(draft.id));
      const { id, base: rev, graceMs } = draft;
      this.#intake.takeWhole(peer, { id, entries: [...draft.entries()], rev, graceMs });
    }
  }

  /** The records of a bucket when all its parts, of one rev, are here. */
  #whole({ parts }: Draft, message: BucketRecordsMessage): Entry[] | undefined {
    const { bucket, rev } = message;
    const known = (parts.get(bucket) ?? []).filter((part) => part.rev === rev && part.part !== message.part);
    known.push(message);
    if (known.length < message.parts) {
      parts.set(bucket, known);
      return undefined;
    }
    parts.delete(bucket);
    return known.flatMap(({ records }) =>
      records.map(({ key, record }) => ({ key: recordKeyOf(key), record: replicatedRecordOf(record) })),
    );
  }
}
