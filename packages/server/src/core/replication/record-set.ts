// The records of one run of one node. Its author changes it record by record; everybody else holds a copy that moves from
// rev to rev by deltas, or by replacement of whole buckets (R1, R2, R16). Nobody edits another's set.

import type { Instant } from '@rollcall/runtime/time';
import { type Change, ChangeLog } from './change-log.js';
import type { SetId, Successor } from './peer-message.js';
import { BUCKETS, bucketOf, type RecordKey } from './record-key.js';
import type { ReplicatedRecord } from './replicated-record.js';
import { textHash } from './text-hash.js';
import { recordHash } from './wire-record.js';

/** A record in its place. */
export interface SetEntry {
  readonly key: RecordKey;
  readonly record: ReplicatedRecord;
  readonly hash: number;
  readonly bucket: number;
}

/** Text of a set id, for look-ups. */
export function setIdText({ node, epoch, run }: SetId): string {
  return `${node} ${epoch} ${run}`;
}

/** A set, own or a copy. */
export class RecordSet {
  readonly id: SetId;
  readonly idText: string;
  /** The present step's time. */
  readonly now: (() => Instant) | undefined;
  readonly #logChanges: number;
  #rev: number;
  #log: ChangeLog;
  #entries = new Map<string, SetEntry>();
  #bucketHashes = new Uint32Array(BUCKETS);
  #hash: string | undefined;

  /**
   * @param options - `logChanges`: changes that are kept for those who missed them; `rev`: 0 unless it is a copy; `now`:
   * without it nobody is told how old a change is
   */
  constructor(
    id: SetId,
    options: { readonly logChanges: number; readonly rev?: number; readonly now?: (() => Instant) | undefined },
  ) {
    const { logChanges, rev = 0, now } = options;
    this.now = now;
    this.id = id;
    this.idText = setIdText(id);
    this.#logChanges = logChanges;
    this.#rev = rev;
    this.#log = new ChangeLog({ capacity: logChanges, rev });
  }

  /** Changes so far. */
  get rev(): number {
    return this.#rev;
  }

  /** Records held. */
  get size(): number {
    return this.#entries.size;
  }

  /** Latest changes. */
  get log(): ChangeLog {
    return this.#log;
  }

  /** Hash per bucket, 256 numbers. */
  get bucketHashes(): Uint32Array {
    return this.#bucketHashes;
  }

  /** Hash over everything, 8 hex digits. */
  get hash(): string {
    this.#hash ??= textHash(this.#bucketHashes.join(' ')).toString(16).padStart(8, '0');
    return this.#hash;
  }

  /** Everything in the order in which keys came. */
  entries(): IterableIterator<SetEntry> {
    return this.#entries.values();
  }

  /** The record of a key. @param keyText - `RecordKey.text` */
  get(keyText: string): ReplicatedRecord | undefined {
    return this.#entries.get(keyText)?.record;
  }

  /** The author's change of one record: raises the rev by one. @param gone - of a record that has a successor. @returns the new rev */
  change(
    key: RecordKey,
    record: ReplicatedRecord | undefined,
    gone?: { readonly successor: Successor; readonly dropped: ReplicatedRecord },
  ): number {
    this.#write(key, record);
    this.#rev += 1;
    const change = { key, record, successor: gone?.successor, dropped: gone?.dropped };
    this.#log.add(this.#rev - 1, this.#rev, [change], this.now?.());
    return this.#rev;
  }

  /** A copy takes over what its author changed up to `to`. */
  apply(changes: readonly Change[], to: number): void {
    for (const { key, record } of changes) this.#write(key, record);
    this.#log.add(this.#rev, to, changes, this.now?.());
    this.#rev = to;
  }

  /** A copy takes over everything at once. Returns the changes from what it held. */
  replace(entries: Iterable<{ readonly key: RecordKey; readonly record: ReplicatedRecord }>, to: number): Change[] {
    const before = this.#entries;
    this.#entries = new Map();
    this.#bucketHashes = new Uint32Array(BUCKETS);
    const changes: Change[] = [];
    for (const { key, record } of entries) {
      this.#write(key, record);
      const known = before.get(key.text);
      if (known === undefined || known.hash !== this.#entries.get(key.text)?.hash)
        changes.push({ key, record, successor: undefined });
      before.delete(key.text);
    }
    for (const { key, record: dropped } of before.values())
      changes.push({ key, record: undefined, successor: undefined, dropped });
    this.#rev = to;
    this.#log = new ChangeLog({ capacity: this.#logChanges, rev: to });
    this.#hash = undefined;
    return changes;
  }

  #write(key: RecordKey, record: ReplicatedRecord | undefined): void {
    const known = this.#entries.get(key.text);
    const bucket = known?.bucket ?? bucketOf(key.text);
    const hash = record === undefined ? 0 : recordHash(key.text, record);
    // Sums modulo 2^32: a record goes in and out without the others being looked at.
    this.#bucketHashes[bucket] = (this.#bucketHashes[bucket] as number) - (known?.hash ?? 0) + hash;
    this.#hash = undefined;
    if (record === undefined) this.#entries.delete(key.text);
    else this.#entries.set(key.text, { key: known?.key ?? key, record, hash, bucket });
  }
}
