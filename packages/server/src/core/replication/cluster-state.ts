// What the parts of replication share.

import type { Instant, Now } from '@rollcall/runtime/time';
import type { Registration } from '../instance-record.js';
import type { RegistryState } from '../registry-state.js';
import type { AlarmKind } from './alarm-kind.js';
import { LateBeats } from './late-beats.js';
import { Members } from './members.js';
import { OwnRecords } from './own-records.js';
import type { NodeId, PeerMessage, SetId } from './peer-message.js';
import { type Candidate, type Choice, chooseRecord } from './record-choice.js';
import type { RecordKey } from './record-key.js';
import { RecordSet } from './record-set.js';
import type { ReplicationSettings } from './replication-settings.js';
import { SetTable } from './set-table.js';

/** What a process says of itself when it is one of several. */
export interface ClusterNode {
  /** Its address for clients, as in the member list. */
  readonly self: NodeId;
  /** Random text, another one for each process; not empty. */
  readonly run: string;
  /** Number of this run: one more than the last one that was stored, 1 when none is. */
  readonly epoch: number;
  readonly replication: ReplicationSettings;
}

/** Time between two alarms for the same reason: what is wrong with one record is wrong with many. */
const ALARM_MS = 10_000;

/** What counts for a key, and all from which it was chosen. */
export interface Weighed extends Choice {
  readonly candidates: readonly Candidate[];
}

/** State shared by the parts of replication. */
export class ClusterState {
  readonly registry: RegistryState;
  readonly settings: ReplicationSettings;
  readonly self: NodeId;
  readonly run: string;
  readonly members: Members;
  readonly sets: SetTable;
  readonly own: OwnRecords;
  /** Whether there is a full copy here (R21). */
  ready = false;
  /** Whether the node is about to stop: it says nothing any more. */
  leaving = false;
  /** When this process went on after its last pause. */
  resumedAt = Number.NEGATIVE_INFINITY as Instant;
  /** How long it has stood still so far, ms. */
  pausedMs = 0;
  readonly lateBeats: LateBeats;

  readonly #alarmedAt = new Map<AlarmKind, Instant>();

  constructor(registry: RegistryState, node: ClusterNode) {
    const { self, run, epoch, replication } = node;
    this.registry = registry;
    this.settings = replication;
    this.self = self;
    this.run = run;
    this.members = new Members(self, replication);
    this.lateBeats = new LateBeats(replication);
    this.sets = new SetTable(this.newSet({ node: self, epoch, run }));
    this.own = new OwnRecords({
      node: self,
      settings: replication,
      sets: this.sets,
      onClockAhead: (cv) =>
        this.alarm('clock-ahead', `A version is more than 24 h ahead of the own clock: found ${cv} (epoch ms)`),
    });
  }

  /** Time of the present step. */
  get now(): Now {
    return this.registry.now;
  }

  /** Monotonic clock that stands still while this process does, ms: a pause is no time in which others were silent (R22). */
  get awakeMs(): number {
    return this.now.mono - this.pausedMs;
  }

  /** A set of which nothing is held yet. */
  newSet(id: SetId): RecordSet {
    return new RecordSet({ ...id }, { logChanges: this.settings.logChanges, now: () => this.now.mono });
  }

  /** The claim of an ephemeral instance as it is shown; undefined when it is not. */
  registrationOf({ service, address, publisher }: RecordKey): Registration | undefined {
    return this.registry.services.get(service.id)?.ephemeral.get(address.key)?.registrationOf(publisher);
  }

  /** What counts for a key. */
  weigh(key: RecordKey): Weighed {
    const candidates = this.sets.candidates(key);
    return { ...chooseRecord(key.service.id, candidates), candidates };
  }

  /** Sends a message. */
  send(peer: NodeId, message: PeerMessage): void {
    this.registry.emit({ type: 'send', peer, message });
  }

  /** Calls for attention, for one reason at most every 10 s. @param options - `stop`: this process must end */
  alarm(kind: AlarmKind, text: string, options: { readonly stop: boolean } = { stop: false }): void {
    const { mono } = this.now;
    const last = this.#alarmedAt.get(kind);
    if (last !== undefined && mono - last < ALARM_MS) return;
    this.#alarmedAt.set(kind, mono);
    this.registry.emit({ type: 'alarm', kind, text, stop: options.stop });
  }
}

/** Whether two ids name one run. */
export function sameSet(a: SetId, b: SetId): boolean {
  return a.epoch === b.epoch && a.run === b.run && a.node === b.node;
}
