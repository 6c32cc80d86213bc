// What a snapshot from before a restart says: shown like the records of a node that is gone, known to no peer, and taken
// up when this node knows what happened meanwhile (R21). It has the versions that it had: a write that is made knowing it goes
// before it, also when a clock was set back meanwhile.

import type { EditOverlay } from '../edit-overlay.js';
import type { Registration } from '../instance-record.js';
import type { ClusterState } from './cluster-state.js';
import type { SetId } from './peer-message.js';
import type { RecordKey } from './record-key.js';
import { RecordSet } from './record-set.js';
import type { LiveRecord, ReplicatedRecord, Version } from './replicated-record.js';
import { HeldSet } from './set-table.js';
import type { Vouching } from './vouching.js';

/** Records of an earlier run. */
export class RestoredRecords {
  readonly #cluster: ClusterState;
  readonly #vouching: Vouching;
  #held: HeldSet | undefined;
  /** Time since the last change of the snapshot; infinite when unknown. */
  #ageMs = Number.POSITIVE_INFINITY;

  constructor(cluster: ClusterState, vouching: Vouching) {
    this.#cluster = cluster;
    this.#vouching = vouching;
  }

  /** Begins. @param ageMs - time since the last change of the snapshot; undefined when unknown */
  begin(ageMs: number | undefined): void {
    this.#ageMs = ageMs ?? Number.POSITIVE_INFINITY;
  }

  /** A claim that is in the table already. */
  put(key: RecordKey, registration: Registration): void {
    const { registered, base, record, healthy } = registration;
    const held = this.#set();
    registration.heldBy = { node: this.#cluster.self, set: held.set.id, id: 0 };
    const version = registration.version ?? this.#oldest();
    registration.version = version;
    const claim = { registered, base, numericId: record.numericId };
    held.set.change(key, { state: 'live', ...version, claim, ten: 0, healthy, id: 0 });
  }

  /** The health of a claim. */
  setHealth(key: RecordKey, healthy: boolean): void {
    const record = this.#held?.set.get(key.text);
    if (record?.state === 'live') this.#change(key, { ...record, healthy } satisfies LiveRecord);
  }

  /** An operator's edit. */
  putEdit(key: RecordKey, edit: EditOverlay, version: Version = this.#oldest()): void {
    this.#set();
    this.#change(key, { state: 'edit', ...version, edit });
  }

  /** A claim that ended before the restart. */
  drop(key: RecordKey): void {
    this.#change(key, undefined);
  }

  /** All is here. */
  end(): void {
    if (this.#held !== undefined) this.#vouching.startRestored(this.#held, this.#cluster.settings.setRetentionMs);
  }

  /**
   * The node is ready. For a peer that was there meanwhile the time of these records began when this node was lost.
   *
   * @param options - `knowsBetter`: whether a full copy came from such a peer
   */
  onReady({ knowsBetter }: { readonly knowsBetter: boolean }): void {
    if (this.#held === undefined || !knowsBetter) return;
    const leftMs = this.#cluster.settings.setRetentionMs - this.#ageMs;
    if (leftMs <= 0) this.#vouching.drop(this.#held, 'over');
    else this.#vouching.startRestored(this.#held, leftMs);
  }

  #change(key: RecordKey, record: ReplicatedRecord | undefined): void {
    this.#held?.set.change(key, record);
  }

  #oldest() {
    return { cv: 0, op: [this.#cluster.self, 0, 0] as const };
  }

  #set(): HeldSet {
    if (this.#held !== undefined) return this.#held;
    const { self, settings, sets } = this.#cluster;
    const id: SetId = { node: self, epoch: 0, run: 'restored' };
    this.#held = new HeldSet(new RecordSet(id, settings), { vouched: false, isRestored: true });
    sets.add(this.#held);
    return this.#held;
  }
}
