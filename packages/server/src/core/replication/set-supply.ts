// Answers to those who lack something of a set, own or copied (R16): from the change log, as one message, or bucket by
// bucket.

import type { ClusterState } from './cluster-state.js';
import { allDeltas, wholeDelta } from './delta-cutting.js';
import type { BucketPullMessage, BucketRecordsMessage, DeltaMessage, NodeId, PullMessage } from './peer-message.js';
import { wireKeyOf } from './record-key.js';
import type { SetEntry } from './record-set.js';
import type { HeldSet } from './set-table.js';
import { wireRecordOf, wireSizeOf } from './wire-record.js';

/** Buckets that are answered at once; who asks for more asks again. */
const BUCKETS_MAX = 16;

/** Supplies sets. */
export class SetSupply {
  readonly #cluster: ClusterState;

  constructor(cluster: ClusterState) {
    this.#cluster = cluster;
  }

  /** Somebody lacks what is above a rev. Nothing is answered for a set that is not here. */
  answerPull(peer: NodeId, { set: id, rev }: PullMessage): void {
    const held = this.#find(id);
    if (held === undefined || rev > held.set.rev) return;
    const { set } = held;
    const { settings } = this.#cluster;
    const whole = rev < 0 ? wholeDelta(set, settings) : undefined;
    const deltas = whole === undefined ? allDeltas(set, rev, settings) : [whole];
    for (const delta of deltas ?? [wholeDelta(set, settings)])
      if (delta !== undefined) this.#cluster.send(peer, this.#withGrace(held, delta));
      else this.#cluster.send(peer, this.#withGrace(held, this.#buckets(held)));
  }

  /** Somebody wants the records of some buckets. */
  answerBucketPull(peer: NodeId, { set: id, buckets }: BucketPullMessage): void {
    const held = this.#find(id);
    if (held === undefined) return;
    const wanted = new Map<number, SetEntry[]>(buckets.slice(0, BUCKETS_MAX).map((bucket) => [bucket, []]));
    for (const entry of held.set.entries()) wanted.get(entry.bucket)?.push(entry);
    for (const [bucket, entries] of wanted) this.#sendBucket(peer, held, bucket, entries);
  }

  #sendBucket(peer: NodeId, { set }: HeldSet, bucket: number, entries: readonly SetEntry[]): void {
    const parts = this.#partsOf(entries);
    for (const [part, records] of parts.entries()) {
      const message: BucketRecordsMessage = {
        type: 'bucket-records',
        set: set.id,
        rev: set.rev,
        bucket,
        part,
        parts: parts.length,
        records: records.map(({ key, record }) => ({ key: wireKeyOf(key), record: wireRecordOf(record) })),
      };
      this.#cluster.send(peer, message);
    }
  }

  #partsOf(entries: readonly SetEntry[]): SetEntry[][] {
    const { chunkRecords, chunkCharacters } = this.#cluster.settings;
    let part: SetEntry[] = [];
    const parts = [part];
    let characters = 0;
    for (const entry of entries) {
      characters += wireSizeOf(entry.key.text, entry.record);
      if (part.length > 0 && (part.length >= chunkRecords || characters > chunkCharacters)) {
        part = [];
        parts.push(part);
        characters = 0;
      }
      part.push(entry);
    }
    return parts;
  }

  #buckets({ set }: HeldSet) {
    return { type: 'buckets' as const, set: set.id, rev: set.rev, hashes: [...set.bucketHashes] };
  }

  #withGrace<M extends DeltaMessage | { readonly type: 'buckets' }>({ graceEndsAt }: HeldSet, message: M): M {
    if (graceEndsAt === undefined) return message;
    return { ...message, graceMs: Math.max(0, Math.floor(graceEndsAt - this.#cluster.now.mono)) };
  }

  #find(id: PullMessage['set']): HeldSet | undefined {
    const held = this.#cluster.sets.get(id);
    return held?.isRestored ? undefined : held;
  }
}
