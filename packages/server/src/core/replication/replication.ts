// Replication: this node as one of several (rules: docs/replication-rules.md). Takes what peers say and what time brings,
// and leaves what follows in the table and in messages. Synchronous and deterministic like the rest of the core.

import type { ServiceKey } from '@rollcall/protocol';
import { after } from '@rollcall/runtime/time';
import { SERVER } from '../actor.js';
import type { DurableRecords } from '../durable-records.js';
import type { Address } from '../instance-address.js';
import type { Registration } from '../instance-record.js';
import type { InstanceTable } from '../instance-table.js';
import { HTTP_PUBLISHER } from '../publisher.js';
import type { RegistryState } from '../registry-state.js';
import type { Service } from '../service.js';
import { type ClusterNode, ClusterState } from './cluster-state.js';
import { DeltaFlow } from './delta-flow.js';
import type { SettleDropped } from './dropped-record.js';
import { GuestBeats } from './guest-beats.js';
import { LastResorts } from './last-resorts.js';
import { LocalWrites } from './local-writes.js';
import type { Member } from './member.js';
import { type MemberStatus, memberStatuses } from './member-status.js';
import type { NodeId, PeerMessage, PingMessage } from './peer-message.js';
import { pingOf } from './ping.js';
import { Projection } from './projection.js';
import { type RecordKey, recordKey } from './record-key.js';
import { setIdText } from './record-set.js';
import { type Rejection, remedyOf } from './rejection.js';
import { RelayIntake } from './relay-intake.js';
import { ReplicationTimer } from './replication-timer.js';
import { RestoredRecords } from './restored-records.js';
import { RunIdentity } from './run-identity.js';
import { SetIntake } from './set-intake.js';
import { SetRepair } from './set-repair.js';
import { SetSupply } from './set-supply.js';
import { Settlement } from './settlement.js';
import { StartUp } from './start-up.js';
import { Sweeps } from './sweeps.js';
import { Vouching } from './vouching.js';

/** Time between two looks at silences, answers that are owed, and records that are forgotten. */
const RHYTHM_MS = 200;

/** The cluster as one node keeps it. */
export class Replication {
  readonly #registry: RegistryState;
  readonly #instances: InstanceTable;
  readonly #cluster: ClusterState;
  readonly #sweeps = new Sweeps();
  readonly #vouching: Vouching;
  readonly #guests: GuestBeats;
  readonly #settlement: Settlement;
  readonly #relays: RelayIntake;
  readonly #lastResorts: LastResorts;
  readonly #intake: SetIntake;
  readonly #repair: SetRepair;
  readonly #supply: SetSupply;
  readonly #flow: DeltaFlow;
  readonly #restored: RestoredRecords;
  readonly #writes: LocalWrites;
  readonly #startUp: StartUp;
  readonly #runs: RunIdentity;
  readonly #rhythm = new ReplicationTimer(() => this.#onRhythm());
  readonly #pinging = new ReplicationTimer(() => this.#ping());
  readonly #flushing = new ReplicationTimer(() => undefined);

  /** @param parts - `node`: what this process says of itself */
  constructor(
    registry: RegistryState,
    parts: { readonly node: ClusterNode; readonly instances: InstanceTable; readonly durable: DurableRecords },
  ) {
    const cluster = new ClusterState(registry, parts.node);
    const settle = (key: RecordKey) => this.#settlement.settle(key);
    const settleDropped: SettleDropped = (key, dropped) => this.#settlement.settleDropped(key, dropped);
    this.#registry = registry;
    registry.self = parts.node.self;
    this.#instances = parts.instances;
    this.#cluster = cluster;
    this.#vouching = new Vouching(cluster, this.#sweeps);
    this.#guests = new GuestBeats(cluster);
    this.#settlement = new Settlement(cluster, { projection: new Projection(cluster, parts), guests: this.#guests });
    this.#relays = new RelayIntake(cluster, { instances: parts.instances, settlement: this.#settlement });
    this.#lastResorts = new LastResorts(cluster, settleDropped);
    this.#intake = new SetIntake(cluster, {
      vouching: this.#vouching,
      sweeps: this.#sweeps,
      lastResorts: this.#lastResorts,
      settle: settleDropped,
      offerToDraft: (from, delta, changes) => this.#repair.takeDelta(from, delta, changes),
    });
    this.#repair = new SetRepair(cluster, this.#intake);
    this.#supply = new SetSupply(cluster);
    this.#flow = new DeltaFlow(cluster);
    this.#restored = new RestoredRecords(cluster, this.#vouching);
    this.#writes = new LocalWrites(cluster, { restored: this.#restored, settle });
    registry.observer = this.#writes;
    this.#startUp = new StartUp(cluster, this.#sweeps);
    this.#runs = new RunIdentity(cluster);
  }

  /** Own address. */
  get self(): NodeId {
    return this.#cluster.self;
  }

  /** Whether reads may be answered; until then the state is STARTING. */
  get ready(): boolean {
    return this.#cluster.ready;
  }

  /** Number of the own run. */
  get epoch(): number {
    return this.#cluster.sets.own.id.epoch;
  }

  /** All members, this one first. */
  members(): MemberStatus[] {
    return memberStatuses(this.#cluster, this.#flow);
  }

  /** Whether this node is the mapped owner of a service: it probes its persistent instances. @param serviceId - `ServiceKey.id` */
  owns(serviceId: string): boolean {
    return this.#cluster.members.ownerOf(serviceId) === this.#cluster.self;
  }

  /** The mapped owner of a service. @param serviceId - `ServiceKey.id` */
  ownerOf(serviceId: string): NodeId {
    return this.#cluster.members.ownerOf(serviceId);
  }

  /** The node that holds an ephemeral instance; undefined when there is none. @param addressKey - `Address.key` */
  holderOf(serviceId: string, addressKey: string): NodeId | undefined {
    const record = this.#registry.services.get(serviceId)?.ephemeral.get(addressKey);
    return record === undefined ? undefined : (record.current.heldBy?.node ?? this.#cluster.self);
  }

  /** Takes a member list; the first one starts the node. */
  setMembers(nodes: readonly NodeId[]): void {
    const { members, now } = this.#cluster;
    for (const { node } of members.replace(nodes, now.mono)) this.#flow.forget(node);
    this.#startUp.begin();
    this.#judge();
    if (this.#rhythm.heapIndex < 0) this.#onRhythm();
    this.#ping();
  }

  /** Takes a message; of who is no member it is ignored. */
  receive(peer: NodeId, message: PeerMessage): void {
    const member = this.#cluster.members.get(peer);
    if (member === undefined || this.#cluster.leaving) return;
    if (!this.#runs.accept(member, message)) return;
    this.#cluster.members.heard(member, this.#cluster.now.mono);
    this.#registry.actor = { via: 'peer', address: peer };
    this.#judge();
    this.#take(member, message);
    this.#judge();
  }

  /** Nobody listens at a member's address. */
  refused(peer: NodeId): void {
    const member = this.#cluster.members.get(peer);
    if (member === undefined) return;
    member.refusals += 1;
    this.#judge();
  }

  /** A member is there, but it and this node refuse each other. */
  rejected(peer: NodeId, reason: Rejection): void {
    const { members, ready, self } = this.#cluster;
    if (ready || members.get(peer) === undefined) return;
    this.#startUp.rejected();
    const found = `${peer} answers, but the two refuse each other (${reason})`;
    this.#cluster.alarm('not-admitted', `No reads here, since ${found}: ${remedyOf(reason, self)}`);
  }

  /** Messages to a member arrive again: it is told at once what it may lack. */
  connected(peer: NodeId): void {
    const member = this.#cluster.members.get(peer);
    if (member === undefined) return;
    this.#flow.retry(peer);
    this.#pingTo([member]);
  }

  /** Says goodbye; nothing is sent after it. */
  leave(): void {
    const { epoch, run } = this.#cluster.sets.own.id;
    for (const { node } of this.#cluster.members.all()) this.#cluster.send(node, { type: 'leaving', epoch, run });
    this.#cluster.leaving = true;
  }

  /** A restart brings records back. @param ageMs - age of what is restored, undefined when unknown */
  beginRestore(ageMs: number | undefined): void {
    this.#restored.begin(ageMs);
  }

  /** All records of before are back. */
  endRestore(): void {
    this.#restored.end();
  }

  /** The process stood still: that is no silence of the others, and no sign of life of anybody (R22). */
  paused(ms: number): void {
    const { mono } = this.#cluster.now;
    this.#cluster.members.shift(ms);
    this.#vouching.shift(ms);
    this.#startUp.paused(ms);
    this.#cluster.resumedAt = after(mono, ms);
    this.#cluster.pausedMs += ms;
    this.#cluster.lateBeats.resumed(this.#cluster.resumedAt, ms);
  }

  /**
   * Whether a full beat for what is not in the view says nothing about now: it may have lain unread while this process stood
   * still, and its client may have left meanwhile (R9, R22). Whoever lives registers when told that it is not known.
   */
  mistrustsBeat(service: ServiceKey, address: Address): boolean {
    const { lateBeats, now } = this.#cluster;
    return lateBeats.mayBeOlder(now.mono, this.#cluster.weigh(recordKey(service, address, HTTP_PUBLISHER)));
  }

  /**
   * A beat for a lease that is held elsewhere: noted for its holder, or taken over when that cannot be relied on, or says
   * that the instance is unhealthy (R9).
   */
  guestBeat(service: Service, registration: Registration): void {
    const { heldBy, healthy, record, publisher } = registration;
    const key = recordKey(service.key, record.address, publisher);
    if (heldBy === undefined) return;
    if (healthy && this.#guests.note(key, heldBy)) this.#instances.leases.renew(registration);
    else this.#settlement.adoptOnBeat(key, this.#cluster.now.mono);
  }

  /** Health set by hand for a lease that is held elsewhere. */
  guestHealth({ heldBy }: Registration, healthy: boolean): void {
    if (heldBy !== undefined) this.#guests.noteHealth(heldBy, healthy);
  }

  /** A removal of what is not in the view. */
  removeUnknown(service: ServiceKey, address: Address): void {
    this.#writes.removeUnknown(service, address);
  }

  /** Other content under the edits of an instance, here or elsewhere: nobody's lease is renewed. */
  rebase(service: Service, registration: Registration): void {
    this.#writes.claimRebased(service, registration);
  }

  /** An edit has outlived its instance. */
  editForgotten(service: Service, address: Address): void {
    this.#writes.editForgotten(service, address);
  }

  /** Sends what may go, and arms for the rest; at the end of each step. */
  finishStep(): void {
    if (this.#cluster.leaving) return;
    // What was due is nobody's doing, least of all that of the client whose request this step happens to be.
    const { actor } = this.#registry;
    this.#registry.actor = SERVER;
    this.#sweeps.run(this.#cluster.now.mono, (key, dropped) => this.#settlement.settleDropped(key, dropped));
    // Signs of life first: a drop that comes before the last beat it hands over would leave a moment without either.
    let next = this.#guests.flush();
    for (const at of [this.#flow.flush(), this.#sweeps.nextAt])
      if (at !== undefined && (next === undefined || at < next)) next = at;
    if (next !== undefined) this.#registry.armNotLater(this.#flushing, next);
    this.#registry.actor = actor;
  }

  #take(member: Member, message: PeerMessage): void {
    const { node } = member;
    switch (message.type) {
      case 'ping':
        this.#takePing(member, message);
        break;
      case 'leaving':
        member.leftRun = message.run;
        break;
      case 'delta':
        this.#intake.take(member, message);
        break;
      case 'pull':
        this.#supply.answerPull(node, message);
        break;
      case 'buckets':
        this.#repair.takeHashes(node, message);
        break;
      case 'bucket-pull':
        this.#supply.answerBucketPull(node, message);
        break;
      case 'bucket-records':
        this.#repair.takeRecords(node, message);
        break;
      case 'ack':
        this.#flow.acknowledged(node, message);
        break;
      case 'relay':
        this.#relays.take(node, message);
        break;
      case 'relay-ack':
        this.#guests.acknowledged(node, message);
        break;
    }
  }

  #takePing(member: Member, ping: PingMessage): void {
    const { now, self, settings } = this.#cluster;
    member.starting = ping.state === 'STARTING';
    member.vector = new Map(ping.sets.map((digest) => [setIdText(digest), digest]));
    // A second entry of a node is of another process under its address.
    member.reports = new Map(ping.members.toReversed().map((report) => [report.node, report]));
    member.reportedAt = now.mono;
    this.#runs.noteOthers(ping);
    if (this.#startUp.startedAt !== undefined) this.#runs.watch(ping, member.node, now.mono - this.#startUp.startedAt);
    if (this.#runs.refute(ping)) this.#ping();
    const silence = member.reportedSilence(self, now.mono);
    if (silence !== undefined && silence < settings.suspiciousMs) this.#guests.heardBack(member.node);
    this.#flow.compare(member.node, ping);
    this.#judge();
    this.#intake.compare(member, ping);
    this.#startUp.heard(member, ping);
  }

  /** Who is there, and what follows. */
  #judge(): void {
    const { members, now } = this.#cluster;
    for (const { member, before } of members.judge(now.mono)) {
      const { node, reach } = member;
      this.#registry.emit({ type: 'member-changed', node, state: reach, before, at: now });
      // The one that went may have been the owner of what others left behind.
      if (reach === 'DOWN' || before === 'DOWN') this.#sweepOrphans();
      if (before === 'DOWN') this.#pingTo([member]);
    }
    this.#vouching.review();
    this.#becomeReady();
  }

  #sweepOrphans(): void {
    for (const { vouched, set } of this.#cluster.sets.all()) if (!vouched) this.#sweeps.add(set);
  }

  #becomeReady(): void {
    if (this.#cluster.ready) return;
    const result = this.#startUp.judge();
    if (result === undefined) return;
    this.#cluster.ready = true;
    const { now, self } = this.#cluster;
    this.#registry.emit({ type: 'member-changed', node: self, state: 'UP', before: 'STARTING', at: now });
    this.#restored.onReady({ knowsBetter: result === 'copied' });
    this.#sweepOrphans();
  }

  #onRhythm(): void {
    const { now } = this.#cluster;
    this.#registry.deadlines.arm(this.#rhythm, after(now.mono, RHYTHM_MS));
    for (const key of this.#guests.giveUp()) {
      const registration = this.#cluster.registrationOf(key);
      if (registration?.heldBy !== undefined) this.#settlement.adoptOnBeat(key, registration.lastBeat);
    }
    this.#lastResorts.release();
    this.#judge();
    // More often than the others: after a cut each moment counts in which leases have two holders.
    this.#pingTo([...this.#cluster.members.all()].filter(({ reach }) => reach === 'DOWN'));
  }

  #ping(): void {
    const { members, now, settings, leaving } = this.#cluster;
    this.#registry.deadlines.arm(this.#pinging, after(now.mono, settings.pingMs));
    if (leaving) return;
    for (const key of this.#cluster.own.forgetOld(now.mono)) this.#settlement.settle(key);
    this.#repair.forgetOld();
    this.#pingTo([...members.all()].filter(({ reach }) => reach !== 'DOWN'));
  }

  #pingTo(members: readonly Member[]): void {
    if (members.length === 0 || this.#cluster.leaving) return;
    const ping = pingOf(this.#cluster);
    for (const { node } of members) this.#cluster.send(node, ping);
  }
}
