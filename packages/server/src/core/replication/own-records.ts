// The set that this node authors: versions of new contents (R6), short names of leases, and removals and ended leases with
// the time for which they are remembered (R8, R11).

import type { Instant } from '@rollcall/runtime/time';
import { after, type Now } from '@rollcall/runtime/time';
import { COUNT_MAX, type NodeId } from './peer-message.js';
import { type Candidate, type Choice, hides } from './record-choice.js';
import type { RecordKey } from './record-key.js';
import { RecordSet } from './record-set.js';
import type { EndedRecord, LiveRecord, ReplicatedRecord, Version } from './replicated-record.js';
import type { ReplicationSettings } from './replication-settings.js';
import type { SetTable } from './set-table.js';

/** What a lease says; its short name is given here. */
export type Lease = Omit<LiveRecord, 'state' | 'id'>;

/** A version further ahead of the own clock than this is a clock gone wrong. */
const AHEAD_MS_MAX = 24 * 3600 * 1000;

/** A record that is forgotten after its time. */
interface Remembered {
  readonly key: RecordKey;
  readonly record: ReplicatedRecord;
  readonly until: Instant;
}

/** The own set. */
export class OwnRecords {
  readonly #node: NodeId;
  readonly #settings: ReplicationSettings;
  readonly #sets: SetTable;
  readonly #onClockAhead: (cv: number) => void;
  /** Keys of leases by their short names, and by names that they had a moment ago: signs of life for those may be on their way. */
  readonly #leases = new Map<number, RecordKey>();
  /** Names that ended since the last {@link forgetOld}, and before it. */
  #endedNames: number[] = [];
  #oldNames: number[] = [];
  #remembered: Remembered[] = [];
  #sequence = 0;

  constructor(options: {
    readonly node: NodeId;
    readonly settings: ReplicationSettings;
    readonly sets: SetTable;
    /** Called with a version that is more than 24 h ahead of the own clock; it is followed all the same. */
    readonly onClockAhead: (cv: number) => void;
  }) {
    this.#node = options.node;
    this.#settings = options.settings;
    this.#sets = options.sets;
    this.#onClockAhead = options.onClockAhead;
  }

  /** The own record of a key. */
  get(keyText: string): ReplicatedRecord | undefined {
    return this.#sets.own.get(keyText);
  }

  /** The own lease on a key. */
  lease(keyText: string): LiveRecord | undefined {
    const record = this.get(keyText);
    return record?.state === 'live' ? record : undefined;
  }

  /** The key of a lease. @param id - its short name, or one that it had a second ago */
  keyOf(id: number): RecordKey | undefined {
    return this.#leases.get(id);
  }

  /** Version of a content that comes in now (R6). @param highestCv - highest version known for the key */
  newVersion(highestCv: number, now: Now): Version {
    if (highestCv > now.wall + AHEAD_MS_MAX) this.#onClockAhead(highestCv);
    this.#sequence += 1;
    const cv = Math.min(COUNT_MAX, Math.max(highestCv + 1, Math.floor(now.wall)));
    return { cv, op: [this.#node, this.#sets.own.id.epoch, this.#sequence] };
  }

  /** Puts a lease: a new one, or other words for the one held. Its numbers may be one above the greatest there is. */
  putLease(key: RecordKey, { cv, op, claim, ten, healthy }: Lease): void {
    const held = this.lease(key.text);
    const id = held?.id ?? this.#sets.own.rev + 1;
    this.#leases.set(id, key);
    const counts = { cv: Math.min(COUNT_MAX, cv), ten: Math.min(COUNT_MAX, ten) };
    this.#sets.own.change(key, { state: 'live', ...counts, op, claim, healthy, id });
  }

  /** Takes a lease over with the content that counts, as the latest of all. */
  takeLease(key: RecordKey, choice: Choice, lease: Pick<Lease, 'claim' | 'healthy'>): void {
    if (choice.content === undefined) return;
    const { cv, op } = choice.content.record;
    this.putLease(key, { cv, op, ten: choice.highestTen + 1, ...lease });
  }

  /** Puts the end of a lease that somebody held, or a content without a lease (`ten` 0). */
  putEndedLease(key: RecordKey, ended: Omit<EndedRecord, 'state'>, now: Now): void {
    const { cv, op, claim, ten } = ended;
    this.putEnd(key, { state: 'ended', cv, op, claim, ten }, { now, keptMs: this.#settings.removalKeptMs });
  }

  /** Puts a record that no time limits. */
  putValue(key: RecordKey, record: Extract<ReplicatedRecord, { state: 'edit' | 'health' }>): void {
    this.#sets.own.change(key, record);
  }

  /** Puts a removal, or the end of a lease; it is forgotten after `keptMs`. */
  putEnd(
    key: RecordKey,
    record: Extract<ReplicatedRecord, { state: 'removed' | 'ended' }>,
    { now, keptMs }: { readonly now: Now; readonly keptMs: number },
  ): void {
    this.#forgetLease(key);
    this.#sets.own.change(key, record);
    this.#remembered.push({ key, record, until: after(now.mono, keptMs) });
    if (this.#remembered.length > this.#settings.removalsMax) this.#forgetOldest();
  }

  /**
   * Takes a record out. Where its successor is not known yet, the record still counts (R10 e); one that was removed does not:
   * the removal goes with it, lest it comes back where that was known and is forgotten.
   *
   * @param successor - what made it needless; undefined: nothing
   */
  drop(key: RecordKey, successor?: Candidate): void {
    const own = this.get(key.text);
    if (own === undefined) return;
    this.#forgetLease(key);
    if (successor === undefined) this.#sets.own.change(key, undefined);
    else {
      const { set, record, droppedFor = { ...set.id, rev: set.rev } } = successor;
      const dropped = record.state === 'removed' ? record : own;
      this.#sets.own.change(key, undefined, { successor: droppedFor, dropped });
    }
  }

  /**
   * Forgets removals and ended leases whose time is over, and that hide nothing any more: an old copy may have been kept
   * for longer, when its author was missed later. To be called each second. @returns their keys
   */
  forgetOld(now: Instant): RecordKey[] {
    for (const id of this.#oldNames) this.#leases.delete(id);
    this.#oldNames = this.#endedNames;
    this.#endedNames = [];
    const forgotten: RecordKey[] = [];
    const kept: Remembered[] = [];
    for (const remembered of this.#remembered) {
      if (this.get(remembered.key.text) !== remembered.record) continue;
      if (remembered.until > now || this.#hides(remembered)) kept.push(remembered);
      else {
        this.drop(remembered.key);
        forgotten.push(remembered.key);
      }
    }
    this.#remembered = kept;
    return forgotten;
  }

  /** Goes on under a greater epoch with the same records (R15): leases get new names. */
  moveTo(epoch: number): void {
    const { own } = this.#sets;
    const moved = new RecordSet({ ...own.id, epoch }, { logChanges: this.#settings.logChanges, now: own.now });
    this.#leases.clear();
    this.#endedNames = [];
    this.#oldNames = [];
    const records = [...own.entries()];
    this.#sets.replaceOwn(moved);
    const successors = new Map<ReplicatedRecord, ReplicatedRecord>();
    for (const { key, record } of records) {
      if (record.state === 'live') this.putLease(key, record);
      else moved.change(key, record);
      successors.set(record, moved.get(key.text) as ReplicatedRecord);
    }
    this.#remembered = this.#remembered.map((old) => ({ ...old, record: successors.get(old.record) ?? old.record }));
  }

  #hides({ key, record }: Remembered): boolean {
    return this.#sets.candidates(key).some((candidate) => hides(record, candidate));
  }

  #forgetLease({ text }: RecordKey): void {
    const held = this.lease(text);
    if (held !== undefined) this.#endedNames.push(held.id);
  }

  #forgetOldest(): void {
    const oldest = this.#remembered.shift();
    if (oldest !== undefined && this.get(oldest.key.text) === oldest.record) this.drop(oldest.key);
  }
}
