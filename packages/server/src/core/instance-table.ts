// Adding, changing and removing registrations of instances: the one path that every change of membership, health or content
// takes, whoever caused it; but what other nodes' records say of a claim that stays or comes is in followed-claims.ts.

import type { InstanceContent } from '@rollcall/protocol';
import { ClaimJournal, isJournalled } from './claim-journal.js';
import type { ClaimObserver } from './claim-observer.js';
import { contentEdits } from './content-edit.js';
import { sameContent } from './content-equality.js';
import { FollowedClaims } from './followed-claims.js';
import { type InstanceRecord, type Registration, SOURCES_MAX } from './instance-record.js';
import { Leases } from './leases.js';
import { type Claim, Membership } from './membership.js';
import { HTTP_PUBLISHER } from './publisher.js';
import type { InstanceCause } from './registry-event.js';
import type { RegistryState } from './registry-state.js';
import type { Service } from './service.js';

/** The instances of all services. */
export class InstanceTable {
  /** Their deadlines. */
  readonly leases: Leases;
  /** Which instances there are. */
  readonly membership: Membership;
  /** Claims as other nodes tell of them. */
  readonly followed: FollowedClaims;
  readonly #state: RegistryState;
  readonly #journal: ClaimJournal;

  constructor(state: RegistryState) {
    this.#state = state;
    this.leases = new Leases(state, this);
    this.#journal = new ClaimJournal(state);
    this.membership = new Membership(state, { leases: this.leases, journal: this.#journal });
    this.followed = new FollowedClaims(state, {
      membership: this.membership,
      leases: this.leases,
      journal: this.#journal,
    });
  }

  /**
   * Puts a claim: new, or the publisher's earlier one with new content. It becomes the newest of its instance and
   * decides content and health. Throws `limit-exceeded`; nothing has changed then.
   */
  put(claim: Claim, cause: InstanceCause): Registration {
    const { service, kind, address, publisher, content } = claim;
    const existing = service.recordsOf(kind).get(address.key);
    const record = existing ?? this.membership.newRecord(claim);
    const earlier = existing?.registrationOf(publisher);
    const isBack = existing !== undefined && isUnchangedAfterRestart(existing, content);
    const registration = earlier ?? this.membership.newRegistration(record, publisher, content);
    registration.registered = content;
    registration.base = content;
    registration.healthy = content.healthy;
    registration.heldBy = undefined;
    this.noteBeat(service, registration, undefined);
    if (publisher === HTTP_PUBLISHER) registration.source = this.#state.actor.address;
    this.leases.renew(registration);
    record.putNewest(registration);
    this.membership.dropOrphans(record, registration);
    if (existing === undefined) this.membership.add(service, record);
    if (!isBack) this.#state.touch(service);
    this.#state.observer?.claimPut(service, registration);
    this.leases.arm(registration);
    this.#journal.put(service, registration);
    const type = existing === undefined ? 'instance-registered' : 'instance-updated';
    this.#state.report(type, service, registration, cause);
    return registration;
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
    this.membership.remove(service, record);
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

  /** Beats from another address than that of the registration: perhaps two processes claim to be one instance. */
  #noteSource(service: Service, registration: Registration, source: string): void {
    const { otherSources } = registration;
    if (otherSources.length >= SOURCES_MAX) return;
    registration.otherSources = [...otherSources, source];
    this.#state.reportBeats('beats-from-elsewhere', service, registration);
  }

  /** Who is told of a change that is made here. */
  get #observer(): ClaimObserver | undefined {
    return this.#state.following ? undefined : this.#state.observer;
  }
}

/** Who comes back after a restart with what it published before changes no list: thousands come at once, pushing to all each time. */
function isUnchangedAfterRestart({ current, healthy }: InstanceRecord, content: InstanceContent): boolean {
  return current.orphaned && healthy === content.healthy && sameContent(current.base, content);
}
