// The state that the parts of the core share, and the few operations that all of them need.

import { type Limits, leaseTimesOf, RegistryError, type ServiceKey } from '@rollcall/protocol';
import { DeadlineQueue } from '@rollcall/runtime/deadline-queue';
import { after, type Instant, type Now } from '@rollcall/runtime/time';
import { type Actor, SERVER } from './actor.js';
import type { ClaimObserver } from './claim-observer.js';
import type { ContentEdit } from './content-edit.js';
import type { CoreSettings } from './core-settings.js';
import { withOverlay } from './edit-overlay.js';
import type { EffectSink } from './effect.js';
import type { Registration } from './instance-record.js';
import type { JournalEntry } from './journal-entry.js';
import type { LeaseMove } from './lease-move.js';
import type { ClaimFacts, InstanceCause, RegistryEvent } from './registry-event.js';
import type { NodeId } from './replication/peer-message.js';
import type { ReplicationTimer } from './replication/replication-timer.js';
import { type PushWindow, type RememberedEdit, Service } from './service.js';
import type { Namespace } from './store-change.js';
import type { Subscriber } from './subscriber.js';
import type { SubscriberWait } from './subscriber-wait.js';
import { DEFAULT_SWITCHES, type Switches } from './switches.js';

/** Everything that can be due. */
export type CoreDeadline =
  | Registration
  | RememberedEdit
  | PushWindow
  | Service
  | Subscriber
  | SubscriberWait
  | ReplicationTimer;

/** Kinds of instance events. */
type InstanceEventType = Extract<RegistryEvent, { cause: InstanceCause }>['type'];
/** Kinds of events about beats, and about the probes of instances that do not beat. */
type BeatEventType =
  | 'beat-missed'
  | 'beats-resumed'
  | 'beats-from-elsewhere'
  | 'probe-failed'
  | 'probe-passed'
  | 'beat-connection-ended'
  | 'beat-connection-reset'
  | 'beat-connection-open';

const NO_EDITS: readonly ContentEdit[] = [];

/** Shared state. Parts of the core change it during a step; everybody else only reads. */
export class RegistryState {
  readonly settings: CoreSettings;
  readonly limits: Limits;
  readonly services = new Map<string, Service>();
  readonly namespaces = new Map<string, Namespace>();
  readonly deadlines = new DeadlineQueue<CoreDeadline>();
  /** Services whose list changed in this step; pushed at its end. */
  readonly changed = new Set<Service>();
  switches: Switches = DEFAULT_SWITCHES;
  now: Now = { mono: 0 as Now['mono'], wall: 0 as Now['wall'] };
  /** Who is behind the present input. */
  actor: Actor = SERVER;
  /** During a restore nothing is journalled, reported or pushed: nothing happens, it happened before. */
  restoring = false;
  /** Told of changes made here, when this node is one of several. */
  observer: ClaimObserver | undefined = undefined;
  /** What happens follows from records of other nodes: it is theirs to tell. */
  following = false;
  /** Own address in the cluster; empty outside of one. */
  self: NodeId = '';
  /** Node whose record is behind the present change, when it is another one. */
  origin: NodeId | undefined = undefined;
  /** Ms for which that record had been there before it was known here; undefined when it came without delay. */
  originAgeMs: number | undefined = undefined;
  ephemeralCount = 0;
  persistentCount = 0;
  subscriberCount = 0;
  readonly #sink: EffectSink;

  constructor(options: { sink: EffectSink; settings: CoreSettings; limits: Limits }) {
    this.#sink = options.sink;
    this.settings = options.settings;
    this.limits = options.limits;
  }

  /** Hands an effect out. */
  readonly emit: EffectSink = (effect) => this.#sink(effect);

  /** Hands a journal entry out; what is being restored is journalled already. */
  journal(entry: JournalEntry): void {
    if (!this.restoring) this.#sink({ type: 'journal', entry });
  }

  /** The service, made when it is not there. Throws `limit-exceeded` when there are too many. */
  serviceFor(key: ServiceKey): Service {
    const known = this.services.get(key.id);
    if (known !== undefined) return known;
    this.requireServiceRoom(key);
    return this.storedServiceFor(key);
  }

  /** The same for what the store holds, which is not refused: there was room where it was written. */
  storedServiceFor(key: ServiceKey): Service {
    const known = this.services.get(key.id);
    if (known !== undefined) return known;
    const service = new Service(key);
    this.services.set(key.id, service);
    return service;
  }

  /** Throws `limit-exceeded` when a service that does not exist would be one too many. */
  requireServiceRoom(key: ServiceKey): void {
    const { services } = this.limits;
    if (this.services.size < services || this.services.has(key.id)) return;
    throw new RegistryError(
      'limit-exceeded',
      `Service "${key.grouped}" cannot be made: this server holds ${this.services.size} services, allowed are ${services}`,
    );
  }

  /** The list of the service changed: new version, and a push at the end of the step. */
  touch(service: Service): void {
    service.touch(this.now.wall);
    if (!this.restoring) this.changed.add(service);
  }

  /** Marks a service as existing for readers, once. */
  appear(service: Service): void {
    if (service.known) return;
    service.known = true;
    service.forgetView();
    if (service.refTime === 0) service.touch(this.now.wall);
    this.reportService('service-appeared', service);
  }

  /** Starts or stops the countdown of an empty service; to be called whenever something in it came or went. */
  settle(service: Service): void {
    const inUse =
      service.defined || service.instanceCount > 0 || service.subscribers.size > 0 || service.edits.size > 0;
    if (inUse) this.deadlines.disarm(service);
    else if (service.heapIndex < 0) this.deadlines.arm(service, after(this.now.mono, this.settings.emptyServiceMs));
  }

  /** A service has been empty for its time. */
  vanish(service: Service): void {
    this.services.delete(service.key.id);
    this.deadlines.disarm(service.pushWindow);
    this.changed.delete(service);
    if (service.known) this.reportService('service-vanished', service);
  }

  /** Arms unless the deadline is already due at that time or earlier: an early one looks again when it fires. */
  armNotLater(deadline: CoreDeadline, dueAt: Instant): void {
    if (deadline.heapIndex < 0 || deadline.dueAt > dueAt) this.deadlines.arm(deadline, dueAt);
  }

  /** Reports that a service came, was set or went. */
  reportService(type: 'service-appeared' | 'service-defined' | 'service-vanished', service: Service): void {
    if (this.restoring) return;
    this.emit({ type: 'event', event: { type, at: this.now, service: service.key, actor: this.actor } });
  }

  /** Reports a change of an instance. @param registration - the claim that caused it */
  report(
    type: InstanceEventType,
    service: Service,
    registration: Registration,
    cause: InstanceCause,
    edits: readonly ContentEdit[] = NO_EDITS,
  ): void {
    if (this.restoring) return;
    this.emit({ type: 'event', event: this.#claimEvent({ type, cause, edits }, service, registration) });
  }

  /** Reports something about beats, which changes nothing in the list. */
  reportBeats(type: BeatEventType, service: Service, registration: Registration): void {
    if (this.restoring) return;
    this.emit({
      type: 'event',
      event: this.#claimEvent({ type, cause: undefined, edits: NO_EDITS }, service, registration),
    });
  }

  /** Reports that more instances are late at once than are reported one by one. */
  reportManyLate(): void {
    this.emit({ type: 'server-event', event: { type: 'many-beats-late', at: this.now, actor: SERVER } });
  }

  /** Reports that the lease on an instance is held by another node now. */
  reportLease(
    service: Service,
    registration: Registration,
    { from, to, why, lastSign }: LeaseMove & { readonly from: NodeId; readonly to: NodeId },
  ): void {
    if (this.restoring) return;
    const node = to === this.self ? from : to;
    const moved = { type: 'lease-moved', cause: undefined, edits: NO_EDITS } as const;
    const event = { ...this.#claimEvent(moved, service, registration), lastBeat: lastSign, node, from, to, why };
    this.emit({ type: 'event', event });
  }

  // One literal for all: putting objects together takes ten times as long, for each registration.
  #claimEvent<const What extends Pick<ClaimFacts, 'cause' | 'edits'> & { readonly type: string }>(
    { type, cause, edits }: What,
    service: Service,
    registration: Registration,
  ) {
    const { record, publisher, lastBeat } = registration;
    const { weight, enabled, metadata } = withOverlay(registration.base, record.overlay);
    return {
      type: type as What['type'],
      cause: cause as What['cause'],
      edits,
      at: this.now,
      service: service.key,
      actor: this.actor,
      kind: record.kind,
      address: record.address,
      publisher,
      lastBeat,
      leaseTimes: leaseTimesOf(metadata),
      refTime: service.refTime,
      healthy: record.registrations.length === 0 ? registration.healthy : record.healthy,
      enabled,
      weight,
      node: this.origin,
      ageMs: this.origin === undefined ? undefined : this.originAgeMs,
    };
  }
}
