// Claims as the records of the cluster have them, put into the table: a lease that is held here is a claim with a deadline, one
// that is held elsewhere a claim without. Replication is not told of these changes: they follow from what it knows.

import type { ServiceKey } from '@rollcall/protocol';
import { type ClaimJournal, isJournalled } from './claim-journal.js';
import { sameContent } from './content-equality.js';
import type { Address } from './instance-address.js';
import type { InstanceRecord, Registration, RemoteLease } from './instance-record.js';
import type { LeaseMove } from './lease-move.js';
import type { Leases } from './leases.js';
import type { Membership } from './membership.js';
import type { RegistryState } from './registry-state.js';
import type { ClaimValue, Version } from './replication/replicated-record.js';
import type { Service } from './service.js';

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

/** Follows the records of the cluster. */
export class FollowedClaims {
  readonly #state: RegistryState;
  readonly #membership: Membership;
  readonly #leases: Leases;
  readonly #journal: ClaimJournal;

  constructor(
    state: RegistryState,
    parts: { readonly membership: Membership; readonly leases: Leases; readonly journal: ClaimJournal },
  ) {
    this.#state = state;
    this.#membership = parts.membership;
    this.#leases = parts.leases;
    this.#journal = parts.journal;
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
    if (!known.orphaned) this.#membership.dropOrphans(existing, known);
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

  #followNew(service: Service, existing: InstanceRecord | undefined, followed: FollowedClaim): void {
    const { address, publisher, claim, heldBy } = followed;
    const { numericId, registered: content } = claim;
    const record =
      existing ??
      this.#membership.newRecord({
        service,
        kind: 'ephemeral',
        address,
        publisher,
        content,
        ...(numericId !== undefined && { numericId }),
      });
    const registration = this.#membership.newRegistration(record, publisher, content);
    this.#write(registration, followed);
    record.putInOrder(registration);
    if (!registration.orphaned) this.#membership.dropOrphans(record, registration);
    if (existing === undefined) this.#membership.add(service, record);
    this.#state.touch(service);
    if (heldBy === undefined) {
      this.#leases.arm(registration);
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
    if (registration.orphaned && !orphaned) this.#leases.disarm(registration);
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
      this.#leases.renew(registration);
      this.#leases.arm(registration);
      this.#journal.put(service, registration);
    } else if (isJournalled(before)) {
      this.#leases.disarm(registration);
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
}
