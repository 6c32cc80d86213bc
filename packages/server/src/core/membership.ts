// Which instances there are: how one comes to be in its service, and goes, with what hangs on that: room, numeric ids, counts,
// edits that wait for it, and claims that it makes needless.

import {
  ID_GENERATOR_KEY,
  type InstanceContent,
  type InstanceKind,
  RegistryError,
  type ServiceKey,
} from '@rollcall/protocol';
import { after } from '@rollcall/runtime/time';
import { type ClaimJournal, isJournalled } from './claim-journal.js';
import type { Address } from './instance-address.js';
import { InstanceRecord, Registration } from './instance-record.js';
import type { Leases } from './leases.js';
import { STORE_PUBLISHER } from './publisher.js';
import type { RegistryState } from './registry-state.js';
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

/** The instances of all services, as far as it goes that they are there. */
export class Membership {
  readonly #state: RegistryState;
  readonly #leases: Leases;
  readonly #journal: ClaimJournal;

  constructor(state: RegistryState, parts: { readonly leases: Leases; readonly journal: ClaimJournal }) {
    this.#state = state;
    this.#leases = parts.leases;
    this.#journal = parts.journal;
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

  /** A record for a claim on an instance that is not there; it is in no service yet. Throws `limit-exceeded`. */
  newRecord(claim: Claim): InstanceRecord {
    const { service, kind, address } = claim;
    // What the store holds had room where it was written.
    if (claim.publisher !== STORE_PUBLISHER) this.requireRoom(service.key, address);
    const record = new InstanceRecord(service.key, kind, address, this.#numericIdFor(claim));
    record.overlay = service.edits.get(`${kind}/${address.key}`)?.overlay;
    return record;
  }

  /** A claim that says nothing but its content yet; it is in no record. */
  newRegistration(record: InstanceRecord, publisher: string, content: InstanceContent): Registration {
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

  /** The instance is there now. */
  add(service: Service, record: InstanceRecord): void {
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

  /** The instance is gone: its last claim ended. */
  remove(service: Service, record: InstanceRecord): void {
    service.remove(record);
    if (record.numericId !== undefined) service.numericIds(record.kind).giveBack(record.numericId);
    this.#count(record.kind, -1);
    this.#rememberEdit(service, record);
    this.#state.settle(service);
  }

  /** Claims of connections from before a restart end silently as soon as somebody claims the instance anew. */
  dropOrphans(record: InstanceRecord, newest: Registration): void {
    if (this.#state.restoring) return;
    for (const other of record.registrations) {
      if (!other.orphaned || other === newest) continue;
      this.#leases.disarm(other);
      record.drop(other);
      const service = this.#state.services.get(record.service.id) as Service;
      if (isJournalled(other.heldBy)) this.#journal.end(service, other);
      if (other.heldBy === undefined) this.#state.observer?.claimEnded(service, other, 'grace-ended');
    }
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
