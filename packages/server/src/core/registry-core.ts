// The registry: takes inputs and time, keeps the state, hands out effects. Synchronous and pure: no clock, no timer, no
// randomness, no I/O. What is due happens before each input, so every rule in time is exact on whatever clock is given.

import type { InstanceKind, Limits, ServiceKey } from '@rollcall/protocol';
import { after, type Instant, type Now } from '@rollcall/runtime/time';
import { SERVER } from './actor.js';
import { type ConnectionHoldings, Connections } from './connections.js';
import type { CoreSettings } from './core-settings.js';
import { DurableRecords } from './durable-records.js';
import type { EditOverlay } from './edit-overlay.js';
import type { EffectSink } from './effect.js';
import { type BeatCounts, HttpClaims } from './http-claims.js';
import type { Address } from './instance-address.js';
import type { InstanceRecord } from './instance-record.js';
import { InstanceTable } from './instance-table.js';
import type { JournalEntry } from './journal-entry.js';
import { requireKind } from './kind-rule.js';
import { reportProtection } from './protection-report.js';
import type {
  BeatResult,
  HealthInput,
  PausedInput,
  ProbeInput,
  RebaseInput,
  RegistryInput,
  RestoreInput,
  ResultOf,
  SubscribeResult,
  SubscribeStreamInput,
} from './registry-input.js';
import { type CoreDeadline, RegistryState } from './registry-state.js';
import type { ClusterNode } from './replication/cluster-state.js';
import { Replication } from './replication/replication.js';
import { Restart, snapshotOf } from './restart.js';
import type { RememberedEdit, Service } from './service.js';
import type { ServiceView } from './service-view.js';
import type { Namespace } from './store-change.js';
import type { Subscriber } from './subscriber.js';
import { Subscriptions } from './subscriptions.js';
import type { Switches } from './switches.js';

/** An edit that a store has not forgotten is forgotten again after this time; it costs nothing but its place. */
const FORGET_AGAIN_MS = 60_000;

/** How much the registry holds. */
export interface RegistryCounts {
  readonly services: number;
  readonly instances: number;
  readonly ephemeralInstances: number;
  readonly persistentInstances: number;
  readonly subscribers: number;
  readonly connections: number;
  readonly outstandingPushes: number;
}

/** The core. Reads never change anything; every change goes through {@link step}. */
export class RegistryCore {
  readonly #state: RegistryState;
  readonly #instances: InstanceTable;
  readonly #subscriptions: Subscriptions;
  readonly #httpClaims: HttpClaims;
  readonly #connections: Connections;
  readonly #durable: DurableRecords;
  readonly #restart: Restart;
  /** This node as one of several; undefined for a server alone. */
  readonly replication: Replication | undefined;

  /** @param options - where effects go, durations, limits, and, for one of several nodes, who it is */
  constructor(options: { sink: EffectSink; settings: CoreSettings; limits: Limits; node?: ClusterNode }) {
    this.#state = new RegistryState(options);
    this.#instances = new InstanceTable(this.#state);
    this.#subscriptions = new Subscriptions(this.#state);
    this.#connections = new Connections(this.#state, this.#instances, this.#subscriptions);
    this.#durable = new DurableRecords(this.#state, this.#instances);
    this.#restart = new Restart(this.#state, {
      instances: this.#instances,
      subscriptions: this.#subscriptions,
      durable: this.#durable,
    });
    const { node } = options;
    if (node !== undefined)
      this.replication = new Replication(this.#state, { node, instances: this.#instances, durable: this.#durable });
    this.#httpClaims = new HttpClaims(this.#state, this.#instances, this.replication);
  }

  /**
   * Lets everything happen that is due, then the input. Effects go to the sink before it returns.
   *
   * @param input - what happened
   * @param now - both clocks; `mono` must not go back
   * @returns the result of a beat or a subscription, else undefined
   * @throws RegistryError when the input is refused; it has changed nothing then
   */
  step<I extends RegistryInput>(input: I, now: Now): ResultOf<I> {
    this.#state.now = now;
    this.#runDue();
    this.#state.actor = 'actor' in input ? input.actor : SERVER;
    try {
      return this.#apply(input) as ResultOf<I>;
    } finally {
      this.replication?.finishStep();
      reportProtection(this.#state);
      // Before there is a full copy, lists are too short: what changed is pushed once there is one.
      if (this.replication?.ready !== false) this.#subscriptions.pushes.pushChanged();
    }
  }

  /** When {@link step} must be called next, if no input comes before. */
  nextDeadline(): Instant | undefined {
    return this.#state.deadlines.first();
  }

  /** What readers see of a service; undefined when there is no such service. @param id - `ServiceKey.id` */
  view(id: string): ServiceView | undefined {
    const service = this.#state.services.get(id);
    return service?.known === true ? service.view() : undefined;
  }

  /** A service with what is behind its view; undefined when there is no such service. @param id - `ServiceKey.id` */
  service(id: string): Service | undefined {
    const service = this.#state.services.get(id);
    return service?.known === true ? service : undefined;
  }

  /** All services, in the order in which they appeared. */
  *services(): Generator<Service> {
    for (const service of this.#state.services.values()) if (service.known) yield service;
  }

  /** Services that have subscribers, also those that do not exist for readers. */
  *subscribedServices(): Generator<Service> {
    for (const service of this.#state.services.values()) if (service.subscribers.size > 0) yield service;
  }

  /** Subscribers of a service, also of one that does not exist for readers. @param id - `ServiceKey.id` */
  subscribersOf(id: string): Iterable<Subscriber> {
    return this.#state.services.get(id)?.subscribers.values() ?? [];
  }

  /** One instance with all that is known of it. @param addressKey - `Address.key` */
  instance(serviceId: string, kind: InstanceKind, addressKey: string): InstanceRecord | undefined {
    return this.#state.services.get(serviceId)?.recordsOf(kind).get(addressKey);
  }

  /** An operator's edit, also one whose instance is gone. @param addressKey - `Address.key` */
  edit(serviceId: string, kind: InstanceKind, addressKey: string): EditOverlay | undefined {
    return this.#state.services.get(serviceId)?.edits.get(`${kind}/${addressKey}`)?.overlay;
  }

  /** Whether nobody needs an edit any more: its instance has been gone for its time, or there is no edit. */
  isEditOver(serviceId: string, kind: InstanceKind, addressKey: string): boolean {
    return this.#state.services.get(serviceId)?.edits.get(`${kind}/${addressKey}`)?.isOver ?? true;
  }

  /** What a connection publishes and subscribes; undefined when that is nothing. */
  heldBy(connection: string): ConnectionHoldings | undefined {
    return this.#connections.heldBy(connection);
  }

  /** Throws `kind-conflict` when a service may not take the kind on protocols that do not mix kinds. */
  requireKind(serviceId: string, kind: InstanceKind): void {
    requireKind(this.#state.services.get(serviceId), kind, 'single');
  }

  /**
   * Throws `limit-exceeded` when a new instance would not fit: for plans of persistent instances, which must be refused
   * before they are written. An instance that exists already always fits.
   */
  requireRoom(service: ServiceKey, kind: InstanceKind, address: Address): void {
    if (this.instance(service.id, kind, address.key) !== undefined) return;
    this.#instances.membership.requireRoom(service, address);
  }

  /** Throws `limit-exceeded` when a new service does not fit; one that exists always does. */
  requireServiceRoom(service: ServiceKey): void {
    this.#state.requireServiceRoom(service);
  }

  /** Namespaces that somebody made. `public` always exists and is not among them. */
  get namespaces(): ReadonlyMap<string, Namespace> {
    return this.#state.namespaces;
  }

  /** Run-time switches in force. */
  get switches(): Switches {
    return this.#state.switches;
  }

  /** Limits in force. */
  get limits(): Limits {
    return this.#state.limits;
  }

  /** Sizes for status and metrics. `services` counts what exists for readers or is subscribed. */
  get counts(): RegistryCounts {
    const { services, ephemeralCount, persistentCount, subscriberCount } = this.#state;
    return {
      services: services.size,
      instances: ephemeralCount + persistentCount,
      ephemeralInstances: ephemeralCount,
      persistentInstances: persistentCount,
      subscribers: subscriberCount,
      connections: this.#connections.count,
      outstandingPushes: this.#subscriptions.pushes.outstandingCount,
    };
  }

  /** Beats for metrics: the most frequent input has no event of its own. */
  get beats(): BeatCounts {
    return this.#httpClaims.beats;
  }

  /** The shortest journal that leads to the present ephemeral state. */
  snapshot(): Iterable<JournalEntry> {
    return snapshotOf(this.#state.services.values(), this.#subscriptions.pushes.numbers.reserved);
  }

  #apply(input: RegistryInput): BeatResult | SubscribeResult | undefined {
    switch (input.type) {
      case 'beat':
        return this.#httpClaims.beat(input);
      case 'register':
        return this.#httpClaims.register(input) as undefined;
      case 'deregister':
        return this.#httpClaims.deregister(input) as undefined;
      case 'publish':
        return this.#connections.publish(input) as undefined;
      case 'connection-closed':
        return this.#connections.close(input) as undefined;
      case 'rebase':
        return this.#rebase(input);
      case 'health':
        return this.#setHealth(input);
      case 'probe':
        return this.#reportProbe(input);
      case 'store':
        for (const change of input.changes) this.#durable.apply(change);
        return undefined;
      case 'restore':
        return this.#restore(input);
      case 'paused':
        return this.#pause(input);
      case 'subscribe-udp':
        return this.#subscriptions.subscribeUdp(input);
      case 'subscribe-stream':
        return this.#subscribeStream(input);
      case 'unsubscribe-stream': {
        const service = this.#state.services.get(input.service.id);
        if (service !== undefined) this.#connections.unsubscribe(input.connection, service);
        return undefined;
      }
      case 'refuse-subscriber':
        return this.#subscriptions.refuse(input) as undefined;
      case 'beat-connection':
        return this.#httpClaims.reportConnection(input) as undefined;
      case 'list-polled':
        return this.#subscriptions.polled(input) as undefined;
      case 'push-ack':
        return this.#subscriptions.pushes.onUdpAck(input) as undefined;
      case 'stream-ack':
        return this.#subscriptions.pushes.onStreamAck(input) as undefined;
      case 'push-failed':
        return this.#subscriptions.pushes.onFailed(input) as undefined;
      case 'await-subscribers':
        return this.#subscriptions.waits.begin(input) as undefined;
      case 'members':
        return this.replication?.setMembers(input.members) as undefined;
      case 'peer-message':
        return this.replication?.receive(input.peer, input.message) as undefined;
      case 'peer-refused':
        return this.replication?.refused(input.peer) as undefined;
      case 'peer-rejected':
        return this.replication?.rejected(input.peer, input.reason) as undefined;
      case 'peer-connected':
        return this.replication?.connected(input.peer) as undefined;
      case 'leaving':
        return this.replication?.leave() as undefined;
      case 'tick':
        return undefined;
    }
  }

  #rebase({ service: key, address, content }: RebaseInput): undefined {
    const service = this.#state.services.get(key.id);
    const record = service?.ephemeral.get(address.key);
    if (service === undefined || record === undefined) return;
    const before = record.inForce;
    record.current.base = content;
    this.replication?.rebase(service, record.current);
    this.#instances.changed(service, record, 'edited', before);
  }

  /** Nothing beats for a persistent instance: its last sign of life is its last good probe. */
  #reportProbe({ service: key, address, result, lastGood }: ProbeInput): undefined {
    const service = this.#state.services.get(key.id);
    const registration = service?.persistent.get(address.key)?.current;
    if (service === undefined || registration === undefined) return;
    if (lastGood !== undefined) registration.lastBeat = lastGood;
    this.#state.reportBeats(`probe-${result}`, service, registration);
  }

  #setHealth({ service: key, kind, address, healthy, cause }: HealthInput): undefined {
    const service = this.#state.services.get(key.id);
    const record = service?.recordsOf(kind).get(address.key);
    if (service === undefined || record === undefined) return;
    const { current } = record;
    if (current.heldBy === undefined) this.#instances.setHealth(service, current, healthy, cause);
    else this.replication?.guestHealth(current, healthy);
  }

  #subscribeStream(input: SubscribeStreamInput): SubscribeResult {
    const result = this.#subscriptions.subscribeStream(input);
    const service = this.#state.services.get(input.service.id);
    if (result.subscribed && service !== undefined) this.#connections.subscribed(input.connection, service);
    return result;
  }

  #pause({ ms }: PausedInput): undefined {
    this.#state.emit({ type: 'server-event', event: { type: 'paused', at: this.#state.now, actor: SERVER, ms } });
    for (const service of this.#state.services.values())
      for (const record of service.ephemeral.values())
        for (const registration of record.registrations) registration.lastBeat = after(registration.lastBeat, ms);
    this.replication?.paused(ms);
  }

  #restore(input: RestoreInput): undefined {
    this.replication?.beginRestore(input.ageMs);
    this.#restart.restore(input);
    this.replication?.endRestore();
  }

  #runDue(): void {
    const { deadlines, now } = this.#state;
    this.#state.actor = SERVER;
    for (let due = deadlines.popDue(now.mono); due !== undefined; due = deadlines.popDue(now.mono)) this.#onDue(due);
  }

  #onDue(due: CoreDeadline): void {
    switch (due.purpose) {
      case 'registration':
        this.#instances.leases.onDue(due);
        break;
      case 'edit':
        this.#endEdit(due);
        break;
      case 'push-window':
        this.#subscriptions.pushes.onWindowEnd(due);
        break;
      case 'service':
        this.#state.vanish(due);
        break;
      case 'subscriber':
        this.#subscriptions.onDue(due);
        break;
      case 'subscriber-wait':
        this.#subscriptions.waits.finish(due);
        break;
      case 'replication':
        due.run();
        break;
    }
  }

  /**
   * An edit of a persistent instance stays until its store has forgotten it: the instance may be back where this node does
   * not hear of it, and then comes with its edit on all nodes.
   */
  #endEdit(edit: RememberedEdit): void {
    const { service, kind, address } = edit;
    edit.isOver = true;
    if (kind === 'persistent') this.#state.deadlines.arm(edit, after(this.#state.now.mono, FORGET_AGAIN_MS));
    else service.edits.delete(`${kind}/${address.key}`);
    this.#state.settle(service);
    this.#state.emit({
      type: 'forget',
      change: { type: 'edit', service: service.key, kind, address, value: undefined },
    });
    if (kind === 'ephemeral') this.replication?.editForgotten(service, address);
  }
}
