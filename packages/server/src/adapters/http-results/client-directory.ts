// The clients of this server with what they publish and subscribe: connections, and for HTTP one client per address and kind,
// as 2.x thinks of them. Nothing is kept for it: it is read from the registry when somebody asks.
// Source: Nacos 2.5.1 ClientManagerDelegate, IpPortBasedClient (ids); http-v2-v3 contract 5.5.

import { setImmediate as turn } from 'node:timers/promises';
import {
  RegistryError,
  type ServiceKey,
  type ShownClient,
  type ShownPublication,
  type ShownSubscription,
} from '@rollcall/protocol';
import { addressOf } from '../../core/instance-address.js';
import type { InstanceRecord } from '../../core/instance-record.js';
import { HTTP_PUBLISHER, STORE_PUBLISHER } from '../../core/publisher.js';
import type { RegistryCore } from '../../core/registry-core.js';
import type { Service } from '../../core/service.js';
import type { Subscriber } from '../../core/subscriber.js';
import { clientAddressIn, publicationOf, publisherIdOf, subscriberIdOf, subscriptionOf } from './client-lines.js';

/** A client that is connected. */
export interface ConnectedClient {
  readonly id: string;
  /** Name of its library and version; empty before it has set up. */
  readonly version: string;
  readonly app: string;
  readonly ip: string;
  readonly port: number;
  /** Epoch ms. */
  readonly acceptedAt: number;
}

/** The clients that are connected. */
export interface ConnectedClients {
  all(): Iterable<ConnectedClient>;
  find(id: string): ConnectedClient | undefined;
}

/** A line with the last sign of life behind it. */
interface Found<T> {
  readonly line: T;
  /** Epoch ms. */
  readonly seenAt: number;
}

/** Services that are looked at before others get their turn. */
const SERVICES_PER_TURN = 10_000;

/** Answers who is there. */
export class ClientDirectory {
  readonly #core: RegistryCore;
  readonly #connected: ConnectedClients;

  constructor(core: RegistryCore, connected: ConnectedClients) {
    this.#core = core;
    this.#connected = connected;
  }

  /** Ids of all clients, each once. */
  async ids(): Promise<readonly string[]> {
    const ids = new Set<string>();
    for (const { id } of this.#connected.all()) ids.add(id);
    await this.#eachService((service) => {
      for (const record of service.records)
        for (const { publisher } of record.registrations) ids.add(publisherIdOf(record, publisher));
    });
    for (const { subscribers } of this.#core.subscribedServices())
      for (const subscriber of subscribers.values()) ids.add(subscriberIdOf(subscriber));
    return [...ids];
  }

  /** One client. @throws (rejects with) RegistryError `not-found` */
  async client(id: string): Promise<ShownClient> {
    const connected = this.#connected.find(id);
    const seenAt = await this.#lastSeen(id);
    if (connected !== undefined) {
      const lastUpdated = Math.max(connected.acceptedAt, seenAt ?? 0);
      return { ...connected, type: 'connection', kind: 'ephemeral', lastUpdated };
    }
    const address = clientAddressIn(id);
    if (address === undefined || seenAt === undefined) throw unknownClient(id);
    return { ...address, type: 'ipPort', id, lastUpdated: seenAt, app: '', version: '' };
  }

  /** What a client publishes. @throws (rejects with) RegistryError `not-found` when there is no such client */
  async publications(id: string): Promise<readonly ShownPublication[]> {
    const found = await this.#published(id);
    if (found.length === 0) await this.#requireClient(id);
    return found.map(({ line }) => line);
  }

  /** What a client subscribes. @throws (rejects with) RegistryError `not-found` when there is no such client */
  async subscriptions(id: string): Promise<readonly ShownSubscription[]> {
    const found = this.#subscribed(id);
    if (found.length === 0) await this.#requireClient(id);
    return found.map(({ line }) => line);
  }

  /** Who publishes in a service; nobody when there is none. */
  publishersOf({ id }: ServiceKey): readonly ShownPublication[] {
    return (this.#core.service(id)?.records ?? []).flatMap((record) =>
      record.registrations.map(({ publisher }) => publicationOf(record, publisher)),
    );
  }

  /** Who subscribes a service; nobody when there is none. */
  subscribersOf({ id }: ServiceKey): readonly ShownSubscription[] {
    return [...this.#core.subscribersOf(id)].map(subscriptionOf);
  }

  async #requireClient(id: string): Promise<void> {
    if (this.#connected.find(id) === undefined && (await this.#lastSeen(id)) === undefined) throw unknownClient(id);
  }

  async #lastSeen(id: string): Promise<number | undefined> {
    const found = [...(await this.#published(id)), ...this.#subscribed(id)];
    return found.length === 0 ? undefined : found.reduce((latest, { seenAt }) => Math.max(latest, seenAt), 0);
  }

  async #published(id: string): Promise<readonly Found<ShownPublication>[]> {
    const found: Found<ShownPublication>[] = [];
    const add = (record: InstanceRecord | undefined, publisher: string): void => {
      const registration = record?.registrationOf(publisher);
      if (record === undefined || registration === undefined) return;
      found.push({ line: publicationOf(record, publisher), seenAt: registration.lastBeatWall });
    };
    const address = clientAddressIn(id);
    if (address === undefined) {
      for (const [service, keys] of this.#core.heldBy(id)?.published ?? [])
        for (const key of keys) add(service.ephemeral.get(key), id);
      return found;
    }
    const { ip, port, kind } = address;
    const publisher = kind === 'ephemeral' ? HTTP_PUBLISHER : STORE_PUBLISHER;
    await this.#eachService((service) => {
      for (const cluster of service.clusters)
        add(service.recordsOf(kind).get(addressOf(ip, port, cluster).key), publisher);
    });
    return found;
  }

  #subscribed(id: string): readonly Found<ShownSubscription>[] {
    const found: Found<ShownSubscription>[] = [];
    const add = (subscriber: Subscriber | undefined): void => {
      if (subscriber !== undefined) found.push({ line: subscriptionOf(subscriber), seenAt: subscriber.lastQueriedAt });
    };
    if (clientAddressIn(id) === undefined) {
      for (const service of this.#core.heldBy(id)?.subscribed ?? []) add(service.subscribers.get(id));
      return found;
    }
    for (const { subscribers } of this.#core.subscribedServices())
      for (const subscriber of subscribers.values()) if (subscriberIdOf(subscriber) === id) add(subscriber);
    return found;
  }

  async #eachService(visit: (service: Service) => void): Promise<void> {
    let looked = 0;
    for (const service of this.#core.services()) {
      visit(service);
      looked += 1;
      if (looked % SERVICES_PER_TURN === 0) await turn();
    }
  }
}

function unknownClient(id: string): RegistryError {
  return new RegistryError('not-found', `clientId [ ${id} ] not exist`, { details: { clientId: id.slice(0, 200) } });
}
