// Adding, changing and removing registrations of instances: the one path that every change of membership, health or
// content takes, whoever caused it.

import {
  ID_GENERATOR_KEY,
  type InstanceContent,
  type InstanceKind,
  RegistryError,
  type ServiceKey,
} from '@rollcall/protocol';
import { after } from '@rollcall/runtime/time';
import { ClaimJournal, isJournalled } from './claim-journal.js';
import type { ClaimObserver } from './claim-observer.js';
import { contentEdits } from './content-edit.js';
import { sameContent } from './content-equality.js';
import type { Address } from './instance-address.js';
import { InstanceRecord, Registration, type RemoteLease, SOURCES_MAX } from './instance-record.js';
import type { LeaseMove } from './lease-move.js';
import { Leases } from './leases.js';
import { HTTP_PUBLISHER, STORE_PUBLISHER } from './publisher.js';
import type { InstanceCause } from './registry-event.js';
import type { RegistryState } from './registry-state.js';
import type { ClaimValue, Version } from './replication/replicated-record.js';
import type { Service } from './service.js';

/** A claim to be put. */
export interface Claim {
  readonly service: Service;
  readonly kind: InstanceKind;
  readonly address: Address;
  readonly publisher: string;
  readonly content: InstanceContent;
  /** Numeric id that the instance had before a restart. */
  readonly numericId?: string;
}

/** A claim as the records of the cluster have it. */
export interface FollowedClaim {
  readonly key: ServiceKey;
  readonly address: Address;
  readonly publisher: string;
  readonly claim: ClaimValue;
  readonly version: Version;
  readonly healthy: boolean;
  /** Undefined: the lease is held here. */
  readonly heldBy: RemoteLease | undefined;
  /** Its connection was at a node that is gone: it stays until somebody claims the instance anew. */
  readonly orphaned: boolean;
  /** Of a lease that was held by another node before. */
  readonly move: LeaseMove | undefined;
}

/** The instances of all services. */
export class InstanceTable {
  /** Their deadlines. */
  readonly leases: Leases;
  readonly #state: RegistryState;
  readonly #journal: ClaimJournal;

  constructor(state: RegistryState) {
    this.#state = state;
    this.leases = new Leases(state, this);
    this.#journal = new ClaimJournal(state);
  }

  /**
   * Puts a claim: new, or the publisher's earlier one with new content. It becomes the newest of its instance and
   * decides content and health. Throws `limit-exceeded`; nothing has changed then.
   */
  put(claim: Claim, cause: InstanceCause): Registration {
    const { service, kind, address, publisher, content } = claim;
    const existing = service.recordsOf(kind).get(address.key);
    const record = existing ?? this.#newRecord(claim);
    const earlier = existing?.registrationOf(publisher);
    const isBack = existing !== undefined && isUnchangedAfterRestart(existing, content);
    const registration = earlier ?? this.#newRegistration(record, publisher, content);
    registration.registered = content;
    registration.base = content;
    registration.healthy = content.healthy;
    registration.heldBy = undefined;
    this.noteBeat(service, registration, undefined);
    if (publisher === HTTP_PUBLISHER) registration.source = this.#state.actor.address;
    this.renew(registration);
    record.putNewest(registration);
    this.#dropOrphans(record, registration);
    if (existing === undefined) this.#add(service, record);
    if (!isBack) this.#state.touch(service);
    this.#state.observer?.claimPut(service, registration);
    this.leases.arm(registration);
    this.#journal.put(service, registration);
    const type = existing === undefined ? 'instance-registered' : 'instance-updated';
    this.#state.report(type, service, registration, cause);
    return registration;
  }

  /**
   * Makes a claim what the records of the cluster say. Throws `limit-exceeded` when it does not fit here; nothing has
   * changed then.
   */
  follow(followed: FollowedClaim): void {
    const { address, publisher, claim } = followed;
    const service = this.#state.serviceFor(followed.key);
    const existing = service.ephemeral.get(address.key);
    const known = existing?.registrationOf(publisher);
    if (existing === undefined || known === undefined) {
      try {
        this.#followNew(service, existing, followed);
      } finally {
        this.#state.settle(service);
      }
      return;
    }
    const before = { healthy: existing.healthy, content: existing.inForce };
    const isNewContent = known.base !== claim.base && !sameContent(known.base, claim.base);
    const { heldBy } = known;
    this.#write(known, followed);
    existing.putInOrder(known);
    this.#moveLease(service, known, heldBy, followed.move);
    if (!known.orphaned) this.#dropOrphans(existing, known);
    const isNewHealth = existing.healthy !== before.healthy;
    if (isNewHealth || !sameContent(existing.inForce, before.content)) this.#state.touch(service);
    if (isNewContent) this.#state.report('instance-updated', service, known, 'replicated');
    if (isNewHealth) {
      const [type, cause] = existing.healthy
        ? (['instance-healthy', 'beat'] as const)
        : (['instance-unhealthy', 'beat-timeout'] as const);
      this.#state.report(type, service, known, cause);
    }
  }

  /** Writes a sign of life. @param ageMs - how long ago it was, default now */
  renew(registration: Registration, ageMs = 0): void {
    const { now } = this.#state;
    registration.lastBeat = ageMs === 0 ? now.mono : after(now.mono, -ageMs);
    registration.lastBeatWall = now.wall - ageMs;
  }

  /** Reports what is not ordinary about a sign of life that is about to be written. @param source - where it came from */
  noteBeat(service: Service, registration: Registration, source: string | undefined): void {
    if (registration.beatMissed) {
      registration.beatMissed = false;
      this.#state.reportBeats('beats-resumed', service, registration);
    }
    if (source === undefined || registration.isSource(source)) return;
    if (registration.source === undefined) registration.source = source;
    else this.#noteSource(service, registration, source);
  }

  /** Sets the health of one claim; the list changes only when the instance's own health does. */
  setHealth(service: Service, registration: Registration, healthy: boolean, cause: InstanceCause): void {
    if (registration.healthy === healthy) return;
    const { record } = registration;
    const before = record.healthy;
    registration.healthy = healthy;
    this.leases.arm(registration);
    this.#observer?.claimHealth(service, registration);
    if (record.healthy === before) {
      this.#journal.health(service, registration);
      return;
    }
    record.refresh();
    this.#state.touch(service);
    this.#journal.health(service, registration);
    this.#state.report(healthy ? 'instance-healthy' : 'instance-unhealthy', service, registration, cause);
  }

  /** Ends one claim; the instance goes with its last one. */
  remove(service: Service, registration: Registration, cause: InstanceCause): void {
    const { record } = registration;
    this.leases.disarm(registration);
    record.drop(registration);
    this.#state.touch(service);
    if (isJournalled(registration.heldBy)) this.#journal.end(service, registration);
    if (record.registrations.length > 0) {
      this.#state.report('instance-updated', service, registration, cause);
      this.#observer?.claimEnded(service, registration, cause);
      return;
    }
    service.remove(record);
    if (record.numericId !== undefined) service.numericIds(record.kind).giveBack(record.numericId);
    this.#count(record.kind, -1);
    this.#rememberEdit(service, record);
    this.#state.settle(service);
    this.#state.report('instance-removed', service, registration, cause);
    this.#observer?.claimEnded(service, registration, cause);
  }

  /** Content or overlay of a record changed in place. @param before - content that was in force */
  changed(service: Service, record: InstanceRecord, cause: InstanceCause, before: InstanceContent): void {
    record.refresh();
    this.#state.touch(service);
    for (const registration of record.registrations) this.leases.arm(registration);
    this.#journal.put(service, record.current);
    this.#state.report('instance-edited', service, record.current, cause, contentEdits(before, record.inForce));
  }

  /** Throws `limit-exceeded` when a new instance does not fit into its service, or into this server. */
  requireRoom(key: ServiceKey, address: Address): void {
    const { serviceInstances, serviceClusters, instances } = this.#state.limits;
    const service = this.#state.services.get(key.id);
    const total = this.#state.ephemeralCount + this.#state.persistentCount;
    const refuse = (found: number, what: string, allowed: number): never => {
      throw new RegistryError(
        'limit-exceeded',
        `Instance ${address.ip}:${address.port} cannot be registered in "${key.grouped}": found ${found} ${what}, allowed are ${allowed}`,
      );
    };
    if (total >= instances) refuse(total, 'instances on this server', instances);
    if (service === undefined) {
      this.#state.requireServiceRoom(key);
      return;
    }
    const { instanceCount, clusters } = service;
    if (instanceCount >= serviceInstances) refuse(instanceCount, 'instances in the service', serviceInstances);
    if (!clusters.has(address.cluster) && clusters.size >= serviceClusters)
      refuse(clusters.size, 'clusters in the service', serviceClusters);
  }

  /** Beats from another address than that of the registration: perhaps two processes claim to be one instance. */
  #noteSource(service: Service, registration: Registration, source: string): void {
    const { otherSources } = registration;
    if (otherSources.length >= SOURCES_MAX) return;
    registration.otherSources = [...otherSources, source];
    this.#state.reportBeats('beats-from-elsewhere', service, registration);
  }

  #newRegistration(record: InstanceRecord, publisher: string, content: InstanceContent): Registration {
    const { mono, wall } = this.#state.now;
    return new Registration({
      record,
      publisher,
      content,
      healthy: content.healthy,
      lastBeat: mono,
      lastBeatWall: wall,
    });
  }

  #newRecord(claim: Claim): InstanceRecord {
    const { service, kind, address } = claim;
    // What the store holds had room where it was written.
    if (claim.publisher !== STORE_PUBLISHER) this.requireRoom(service.key, address);
    const record = new InstanceRecord(service.key, kind, address, this.#numericIdFor(claim));
    record.overlay = service.edits.get(`${kind}/${address.key}`)?.overlay;
    return record;
  }

  #add(service: Service, record: InstanceRecord): void {
    this.#state.appear(service);
    service.add(record);
    this.#count(record.kind, 1);
    const edit = service.edits.get(`${record.kind}/${record.address.key}`);
    if (edit !== undefined) {
      this.#state.deadlines.disarm(edit);
      edit.isOver = false;
    }
    this.#state.settle(service);
  }

  #count(kind: InstanceKind, by: number): void {
    if (kind === 'ephemeral') this.#state.ephemeralCount += by;
    else this.#state.persistentCount += by;
  }

  #rememberEdit(service: Service, record: InstanceRecord): void {
    const edit = service.edits.get(`${record.kind}/${record.address.key}`);
    if (edit === undefined) return;
    this.#state.deadlines.arm(edit, after(this.#state.now.mono, this.#state.settings.editMemoryMs));
  }

  /** Claims of connections from before a restart end silently as soon as somebody claims the instance anew. */
  #dropOrphans(record: InstanceRecord, newest: Registration): void {
    if (this.#state.restoring) return;
    for (const other of record.registrations) {
      if (!other.orphaned || other === newest) continue;
      this.leases.disarm(other);
      record.drop(other);
      const service = this.#state.services.get(record.service.id) as Service;
      if (isJournalled(other.heldBy)) this.#journal.end(service, other);
      if (other.heldBy === undefined) this.#state.observer?.claimEnded(service, other, 'grace-ended');
    }
  }

  /** Who is told of a change that is made here. */
  get #observer(): ClaimObserver | undefined {
    return this.#state.following ? undefined : this.#state.observer;
  }

  #followNew(service: Service, existing: InstanceRecord | undefined, followed: FollowedClaim): void {
    const { address, publisher, claim, heldBy } = followed;
    const { numericId, registered: content } = claim;
    const record =
      existing ??
      this.#newRecord({
        service,
        kind: 'ephemeral',
        address,
        publisher,
        content,
        ...(numericId !== undefined && { numericId }),
      });
    const registration = this.#newRegistration(record, publisher, content);
    this.#write(registration, followed);
    record.putInOrder(registration);
    if (!registration.orphaned) this.#dropOrphans(record, registration);
    if (existing === undefined) this.#add(service, record);
    this.#state.touch(service);
    if (heldBy === undefined) {
      this.leases.arm(registration);
      this.#journal.put(service, registration);
    }
    const type = existing === undefined ? 'instance-registered' : 'instance-updated';
    this.#state.report(type, service, registration, 'replicated');
  }

  #write(registration: Registration, { claim, version, healthy, heldBy, orphaned }: FollowedClaim): void {
    registration.registered = claim.registered;
    registration.base = claim.base;
    registration.version = version;
    registration.healthy = healthy;
    registration.heldBy = heldBy;
    if (registration.orphaned && !orphaned) this.leases.disarm(registration);
    registration.orphaned = orphaned || (heldBy === undefined && registration.orphaned);
  }

  /** The lease came here, or left: with it goes the deadline, and the place in the journal. */
  #moveLease(
    service: Service,
    registration: Registration,
    before: RemoteLease | undefined,
    move: LeaseMove | undefined,
  ): void {
    const { heldBy } = registration;
    if (heldBy === undefined) {
      if (before === undefined) return;
      this.renew(registration);
      this.leases.arm(registration);
      this.#journal.put(service, registration);
    } else if (isJournalled(before)) {
      this.leases.disarm(registration);
      registration.beatMissed = false;
      this.#journal.end(service, registration);
    }
    if (move !== undefined) this.#reportLease(service, registration, before, move);
  }

  #reportLease(service: Service, registration: Registration, before: RemoteLease | undefined, move: LeaseMove): void {
    const { self } = this.#state;
    const from = before?.node ?? self;
    const to = registration.heldBy?.node ?? self;
    this.#state.reportLease(service, registration, { ...move, from, to });
  }

  /** Smallest integer that no instance of the service and kind has as id, when the content asks for numeric ids. */
  #numericIdFor({ service, kind, content, numericId }: Claim): string | undefined {
    if (numericId !== undefined) {
      service.numericIds(kind).reserve(numericId);
      return numericId;
    }
    if (content.metadata.get(ID_GENERATOR_KEY)?.toLowerCase() !== 'snowflake') return undefined;
    return service.numericIds(kind).take();
  }
}

/** Who comes back after a restart with what it published before changes no list: thousands come at once, pushing to all each time. */
function isUnchangedAfterRestart({ current, healthy }: InstanceRecord, content: InstanceContent): boolean {
  return current.orphaned && healthy === content.healthy && sameContent(current.base, content);
}
