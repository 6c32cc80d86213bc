// What has been said on the wire about each set, put together again: the records of each run of each node as its author
// last told them, and when. What is inside the nodes is not looked at.

import type { PeerMessage, SetId, WireChange, WireKey, WireRecord } from '@rollcall/server/internal';

/** A record as its author told it. */
export interface MirroredRecord {
  readonly key: WireKey;
  readonly record: WireRecord;
  /** Virtual time at which it was told first, ms. */
  readonly at: number;
}

/** One set as it was told. */
export class MirroredSet {
  readonly id: SetId;
  rev = -1;
  readonly records = new Map<string, MirroredRecord>();
  /** Highest version of content that the set ever had for a key. */
  readonly highestCv = new Map<string, number>();

  constructor(id: SetId) {
    this.id = id;
  }
}

/** A record that its author took out of its set. */
export interface DroppedRecord {
  readonly set: SetId;
  readonly dropped: MirroredRecord;
  /** Virtual time at which that was told first, ms. */
  readonly at: number;
  readonly change: WireChange;
}

/** All sets. */
export class SetMirror {
  readonly #sets = new Map<string, MirroredSet>();

  /** All sets of which anything was told. */
  all(): Iterable<MirroredSet> {
    return this.#sets.values();
  }

  /** A set; undefined when nothing was told of it. */
  get(id: SetId): MirroredSet | undefined {
    return this.#sets.get(setText(id));
  }

  /** Something was sent. @param onDrop - called for each record that is gone */
  learn(message: PeerMessage, at: number, onDrop: (dropped: DroppedRecord) => void): void {
    if (message.type !== 'delta') return;
    const set = this.#setOf(message.set);
    const isNext = message.full || message.from <= set.rev || (set.rev < 0 && message.from === 0);
    if (!isNext || message.to <= set.rev) return;
    if (message.full) this.#forgetOthers(set, message.changes);
    for (const change of message.changes) this.#apply(set, change, at, onDrop);
    set.rev = message.to;
  }

  #apply(set: MirroredSet, change: WireChange, at: number, onDrop: (dropped: DroppedRecord) => void): void {
    const place = keyText(change.key);
    const { key, record, successor } = change;
    const before = set.records.get(place);
    if (record !== undefined) set.highestCv.set(place, Math.max(record.cv, set.highestCv.get(place) ?? 0));
    // A record that comes with its successor is one that is gone.
    if (record !== undefined && successor === undefined) {
      const isSame = before !== undefined && JSON.stringify(before.record) === JSON.stringify(record);
      set.records.set(place, isSame ? before : { key, record, at });
      return;
    }
    set.records.delete(place);
    const dropped = before ?? (record && { key, record, at });
    if (dropped !== undefined) onDrop({ set: set.id, dropped, change, at });
  }

  #forgetOthers(set: MirroredSet, changes: readonly WireChange[]): void {
    const told = new Set(changes.map(({ key }) => keyText(key)));
    for (const place of set.records.keys()) if (!told.has(place)) set.records.delete(place);
  }

  #setOf(id: SetId): MirroredSet {
    const text = setText(id);
    let set = this.#sets.get(text);
    if (set === undefined) {
      set = new MirroredSet(id);
      this.#sets.set(text, set);
    }
    return set;
  }
}

/** A set id as text. */
export function setText({ node, epoch, run }: SetId): string {
  return `${node} ${epoch} ${run}`;
}

/** A key as text. */
export function keyText(key: WireKey): string {
  return key.join(' ');
}
