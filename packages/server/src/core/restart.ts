// State across a restart: the shortest journal that leads to the present state, and its way back in.
// Every lease gets its full time again; what connections published waits for them to come back.

import { isJournalled } from './claim-journal.js';
import type { DurableRecords } from './durable-records.js';
import type { Registration } from './instance-record.js';
import type { InstanceTable } from './instance-table.js';
import type { JournalEntry, ServiceEntry } from './journal-entry.js';
import { HTTP_PUBLISHER } from './publisher.js';
import { registeredEntry } from './registered-entry.js';
import type { RestoreInput } from './registry-input.js';
import type { RegistryState } from './registry-state.js';
import type { Version } from './replication/replicated-record.js';
import type { Service } from './service.js';
import type { Subscriptions } from './subscriptions.js';

/**
 * The entries that lead to the present ephemeral state.
 *
 * @param pushNumbers - numbers of pushes that may have been used, see `PushNumbers.reserved`
 */
export function* snapshotOf(services: Iterable<Service>, pushNumbers: number): Generator<JournalEntry> {
  if (pushNumbers > 0) yield { type: 'push-numbers', upTo: pushNumbers };
  for (const service of services) {
    const { key, refTime } = service;
    if (refTime > 0) yield { type: 'list-version', service: key, refTime };
    for (const record of service.ephemeral.values())
      for (const registration of record.registrations)
        if (isJournalled(registration.heldBy)) yield registeredEntry(service, registration);
    for (const { transport, ip, port, clusters, agent, app } of service.subscribers.values())
      if (transport === 'udp')
        yield { type: 'subscribed', service: key, subscriber: { ip, port, clusters, agent, app } };
  }
}

/** Brings journal entries back in. Entries may come twice (snapshot, then journal): the last word counts. */
export class Restart {
  readonly #state: RegistryState;
  readonly #instances: InstanceTable;
  readonly #subscriptions: Subscriptions;
  readonly #durable: DurableRecords;

  constructor(
    state: RegistryState,
    parts: {
      readonly instances: InstanceTable;
      readonly subscriptions: Subscriptions;
      readonly durable: DurableRecords;
    },
  ) {
    this.#state = state;
    this.#instances = parts.instances;
    this.#subscriptions = parts.subscriptions;
    this.#durable = parts.durable;
  }

  /** Applies everything without journalling, reporting or pushing anything. */
  restore({ changes, entries }: RestoreInput): void {
    this.#state.restoring = true;
    try {
      for (const change of changes) this.#durable.apply(change);
      for (const entry of entries) {
        if (entry.type === 'push-numbers') this.#subscriptions.pushes.numbers.restore(entry.upTo);
        else this.#apply(entry);
      }
    } finally {
      this.#state.restoring = false;
    }
    this.#state.changed.clear();
  }

  #apply(entry: ServiceEntry): void {
    const service = this.#state.serviceFor(entry.service);
    const refTime = 'refTime' in entry ? Math.max(service.refTime, entry.refTime) : service.refTime;
    switch (entry.type) {
      case 'registered':
        this.#register(service, entry);
        break;
      case 'health':
      case 'removed': {
        const registration = service.ephemeral.get(entry.address.key)?.registrationOf(entry.publisher);
        if (registration === undefined) break;
        if (entry.type === 'removed') this.#instances.remove(service, registration, 'deregistered');
        else this.#instances.setHealth(service, registration, entry.healthy, 'beat');
        break;
      }
      case 'subscribed':
        this.#subscriptions.restoreUdp(entry.service, entry.subscriber);
        break;
      case 'unsubscribed': {
        const subscriber = service.subscribers.get(entry.subscriberKey);
        if (subscriber !== undefined) this.#subscriptions.remove(service, subscriber, 'unsubscribed');
        break;
      }
      case 'list-version':
        break;
    }
    service.refTime = refTime;
    service.forgetView();
    this.#state.settle(service);
  }

  #register(service: Service, entry: Extract<JournalEntry, { type: 'registered' }>): void {
    const { address, publisher, registered, base, healthy } = entry;
    const { instanceId: numericId } = entry;
    const registration = this.#instances.put(
      {
        service,
        kind: 'ephemeral',
        address,
        publisher,
        content: registered,
        ...(numericId !== undefined && { numericId }),
      },
      'registered',
    );
    if (base !== undefined) registration.base = base;
    registration.healthy = healthy;
    registration.record.refresh();
    this.#restoreVersion(service, registration, entry.version);
    if (publisher === HTTP_PUBLISHER) return;
    // In a cluster it ends with the other records from before the restart.
    if (registration.heldBy === undefined) this.#instances.leases.orphan(registration);
    else registration.orphaned = true;
  }

  /** Alone there are no versions, whatever the node was before. */
  #restoreVersion(service: Service, registration: Registration, version: Version | undefined): void {
    const { observer } = this.#state;
    if (observer === undefined) return;
    registration.version = version;
    registration.record.putInOrder(registration);
    observer.claimPut(service, registration);
  }
}
