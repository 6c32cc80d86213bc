// What clients without a connection do about their instances: register, beat, deregister over HTTP. Each claim is kept by its
// lease alone. What connections publish is in connections.ts.

import type { ServiceKey } from '@rollcall/protocol';
import type { Registration } from './instance-record.js';
import type { InstanceTable } from './instance-table.js';
import { requireKind } from './kind-rule.js';
import { HTTP_PUBLISHER } from './publisher.js';
import type { BeatConnectionInput, BeatInput, BeatResult, DeregisterInput, RegisterInput } from './registry-input.js';
import type { RegistryState } from './registry-state.js';
import type { Replication } from './replication/replication.js';
import type { Service } from './service.js';

/** Beats since the start. `unknown` are those that were asked to register. */
export interface BeatCounts {
  readonly known: number;
  readonly unknown: number;
}

/** The claims of HTTP clients. */
export class HttpClaims {
  readonly #state: RegistryState;
  readonly #instances: InstanceTable;
  readonly #replication: Replication | undefined;
  #knownBeats = 0;
  #unknownBeats = 0;

  /** @param replication - undefined for a server alone */
  constructor(state: RegistryState, instances: InstanceTable, replication: Replication | undefined) {
    this.#state = state;
    this.#instances = instances;
    this.#replication = replication;
  }

  /** Beats for metrics: the most frequent input has no event of its own. */
  get beats(): BeatCounts {
    return { known: this.#knownBeats, unknown: this.#unknownBeats };
  }

  /** A sign of life: renews the lease, or tells its holder; a full one of an unknown instance registers it. */
  beat(input: BeatInput): BeatResult {
    const { place, actor, service: key, address } = input;
    const kept = place?.registration;
    // Most beats of all: two numbers are written, and nothing is looked for.
    if (
      kept?.ended === false &&
      kept.heldBy === undefined &&
      kept.healthy &&
      !kept.beatMissed &&
      kept.isSource(actor.address)
    ) {
      kept.connection = place?.connection;
      this.#instances.leases.renew(kept);
      return this.#known(kept);
    }
    const service = this.#state.services.get(key.id);
    const registration = service?.ephemeral.get(address.key)?.registrationOf(HTTP_PUBLISHER);
    if (service === undefined || registration === undefined) return this.#beatUnclaimed(service, input);
    if (place !== undefined) {
      place.registration = registration;
      registration.connection = place.connection;
    }
    if (registration.heldBy !== undefined) this.#replication?.guestBeat(service, registration);
    else this.#beatHeld(service, registration, actor.address);
    return this.#known(registration);
  }

  /** Registers an instance, or gives it new content. Throws `kind-conflict` and `limit-exceeded`. */
  register({ service: key, address, content, kindRule }: RegisterInput): void {
    requireKind(this.#state.services.get(key.id), 'ephemeral', kindRule);
    this.#claim(key, address, content, 'registered');
  }

  /** Ends the claim; in a cluster also one that is not known here, since another node may have taken it a moment ago. */
  deregister({ service: key, address }: DeregisterInput): void {
    const service = this.#state.services.get(key.id);
    const registration = service?.ephemeral.get(address.key)?.registrationOf(HTTP_PUBLISHER);
    if (service !== undefined && registration !== undefined)
      this.#instances.remove(service, registration, 'deregistered');
    else this.#replication?.removeUnknown(key, address);
  }

  /** What became of the connection over which the last beat came: only reported. */
  reportConnection({ service: key, address, state }: BeatConnectionInput): void {
    const service = this.#state.services.get(key.id);
    const registration = service?.ephemeral.get(address.key)?.registrationOf(HTTP_PUBLISHER);
    if (service === undefined || registration === undefined) return;
    this.#state.reportBeats(`beat-connection-${state}`, service, registration);
  }

  /** The lease is held here. */
  #beatHeld(service: Service, registration: Registration, source: string | undefined): void {
    this.#instances.noteBeat(service, registration, source);
    this.#instances.leases.renew(registration);
    if (!registration.healthy) this.#instances.setHealth(service, registration, true, 'beat');
  }

  /** No HTTP client has claimed the instance: it is persistent, or registered now when the beat says with which content. */
  #beatUnclaimed(service: Service | undefined, { place, service: key, address, content }: BeatInput): BeatResult {
    if (place !== undefined) place.registration = undefined;
    const persistent = service?.persistent.get(address.key);
    if (persistent !== undefined) return this.#known(persistent.current);
    if (content === undefined || this.#replication?.mistrustsBeat(key, address) === true) {
      this.#unknownBeats += 1;
      return { known: false };
    }
    const claimed = this.#claim(key, address, content, 'full-beat');
    this.#knownBeats += 1;
    return { known: true, beatIntervalMs: claimed.leaseTimes.beatIntervalMs, claimed: true };
  }

  #known({ leaseTimes }: Registration): BeatResult {
    this.#knownBeats += 1;
    return { known: true, beatIntervalMs: leaseTimes.beatIntervalMs };
  }

  #claim(
    key: ServiceKey,
    address: RegisterInput['address'],
    content: RegisterInput['content'],
    cause: 'registered' | 'full-beat',
  ): Registration {
    const service = this.#state.serviceFor(key);
    try {
      return this.#instances.put({ service, kind: 'ephemeral', address, publisher: HTTP_PUBLISHER, content }, cause);
    } finally {
      this.#state.settle(service);
    }
  }
}
