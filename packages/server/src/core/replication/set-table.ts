// All sets that this node holds: its own, and copies of everybody else's, also of runs that are over (R13). High-water
// marks outlive the copies, so that nothing old comes back by way of a node that still had it (R2).

import type { Instant } from '@rollcall/runtime/time';
import type { NodeId, SetId, Successor } from './peer-message.js';
import type { Candidate } from './record-choice.js';
import { isConnectionKey, type RecordKey } from './record-key.js';
import { type RecordSet, setIdText } from './record-set.js';
import type { ReplicatedRecord } from './replicated-record.js';

/** Runs of nodes whose high-water marks are remembered. Copies of older ones live for seconds only. */
const HIGH_WATER_MAX = 256;

/** A record that its author dropped for another which is not here yet (R10 e). */
export interface LastResort {
  readonly key: RecordKey;
  readonly record: ReplicatedRecord;
  readonly successor: Successor;
  /** When it is given up in any case. */
  readonly endsAt: Instant;
}

/** A set with what this node thinks of it. */
export class HeldSet {
  readonly set: RecordSet;
  /** Whether its author is there in that run. */
  vouched: boolean;
  /** When it is dropped; undefined while it is vouched. */
  graceEndsAt: Instant | undefined;
  /** When the records of its connections stop to count; undefined while it is vouched, or when they have. */
  connectionsEndAt: Instant | undefined;
  /** Whether the records of its connections count. */
  connectionsCount = true;
  /** Own records from before a restart, which no peer knows under this name. */
  readonly isRestored: boolean;
  /**
   * Its author came back and may still hold leases that others took over and saw end: it is vouched for again once it
   * knows what was known here then (revs by set), and this node knows what it made of that.
   */
  catchUp: { readonly since: Instant; readonly revs: ReadonlyMap<string, number> } | undefined;
  readonly lastResorts = new Map<string, LastResort>();

  constructor(set: RecordSet, options: { readonly vouched: boolean; readonly isRestored?: boolean }) {
    this.set = set;
    this.vouched = options.vouched;
    this.isRestored = options.isRestored ?? false;
  }
}

/** The sets by run. */
export class SetTable {
  #own: HeldSet;
  readonly #held = new Map<string, HeldSet>();
  readonly #highWater = new Map<string, number>();

  constructor(own: RecordSet) {
    this.#own = new HeldSet(own, { vouched: true });
    this.#held.set(own.idText, this.#own);
  }

  /** The set of this run of this node. */
  get own(): RecordSet {
    return this.#own.set;
  }

  /** Puts another set in the place of the own one (R15: an epoch that was refuted). */
  replaceOwn(own: RecordSet): void {
    this.#held.delete(this.#own.set.idText);
    this.#own = new HeldSet(own, { vouched: true });
    this.#held.set(own.idText, this.#own);
  }

  /** All sets, the own one among them. */
  all(): Iterable<HeldSet> {
    return this.#held.values();
  }

  /** A set; undefined when it is not held. */
  get(id: SetId): HeldSet | undefined {
    return this.#held.get(setIdText(id));
  }

  /** Sets of a node. */
  *of(node: NodeId): Generator<HeldSet> {
    for (const held of this.#held.values()) if (held.set.id.node === node) yield held;
  }

  /** Holds one more. */
  add(held: HeldSet): void {
    this.#held.set(held.set.idText, held);
  }

  /** Drops a copy; its mark stays. */
  drop({ set }: HeldSet): void {
    if (!this.#held.delete(set.idText)) return;
    this.#highWater.delete(set.idText);
    this.#highWater.set(set.idText, set.rev);
    for (const oldest of this.#highWater.keys()) {
      if (this.#highWater.size <= HIGH_WATER_MAX) break;
      this.#highWater.delete(oldest);
    }
  }

  /** Highest rev that was ever held of a set that is not held now; -1 for one that never was. */
  highWaterOf(id: SetId): number {
    return this.#highWater.get(setIdText(id)) ?? -1;
  }

  /** Whether a record that was dropped in favour of another is replaced by now. */
  hasReached({ node, epoch, run, rev }: Successor): boolean {
    const idText = setIdText({ node, epoch, run });
    const held = this.#held.get(idText);
    return held === undefined ? (this.#highWater.get(idText) ?? -1) >= rev : held.set.rev >= rev;
  }

  /** Revs of the sets that are vouched for, without those of one node. */
  vouchedRevs(without: NodeId): Map<string, number> {
    const revs = new Map<string, number>();
    for (const { set, vouched } of this.#held.values())
      if (vouched && set.id.node !== without) revs.set(set.idText, set.rev);
    return revs;
  }

  /** What the sets say of a key. */
  candidates(key: RecordKey): Candidate[] {
    const candidates: Candidate[] = [];
    const fromConnection = isConnectionKey(key);
    for (const held of this.#held.values()) {
      const { set, vouched, lastResorts } = held;
      if (fromConnection && !vouched && !held.connectionsCount) continue;
      const record = set.get(key.text);
      if (record !== undefined) {
        candidates.push({ set, record, vouched, droppedFor: undefined });
        continue;
      }
      const resort = lastResorts.size === 0 ? undefined : lastResorts.get(key.text);
      if (resort !== undefined) candidates.push({ set, record: resort.record, vouched, droppedFor: resort.successor });
    }
    return candidates;
  }
}
