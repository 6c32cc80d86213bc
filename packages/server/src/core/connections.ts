// What each connection publishes and subscribes, so that all of it ends with the connection.

import type { InstanceTable } from './instance-table.js';
import { requireKind } from './kind-rule.js';
import type { ConnectionClosedInput, PublishInput } from './registry-input.js';
import type { RegistryState } from './registry-state.js';
import type { Service } from './service.js';
import type { Subscriptions } from './subscriptions.js';

/** What a connection publishes and subscribes. */
export interface ConnectionHoldings {
  /** Address keys by service. */
  readonly published: ReadonlyMap<Service, ReadonlySet<string>>;
  readonly subscribed: ReadonlySet<Service>;
}

/** One connection's traces in the core. */
interface ConnectionTraces {
  /** Address keys that it publishes, by service. */
  readonly published: Map<Service, Set<string>>;
  readonly subscribed: Set<Service>;
}

/** The connections that published or subscribed something. */
export class Connections {
  readonly #state: RegistryState;
  readonly #instances: InstanceTable;
  readonly #subscriptions: Subscriptions;
  readonly #traces = new Map<string, ConnectionTraces>();

  constructor(state: RegistryState, instances: InstanceTable, subscriptions: Subscriptions) {
    this.#state = state;
    this.#instances = instances;
    this.#subscriptions = subscriptions;
  }

  /** Connections that hold something. */
  get count(): number {
    return this.#traces.size;
  }

  /** What a connection publishes and subscribes; undefined when that is nothing. */
  heldBy(connection: string): ConnectionHoldings | undefined {
    return this.#traces.get(connection);
  }

  /** Replaces what a connection publishes in a service. */
  publish(input: PublishInput): void {
    const service = this.#state.serviceFor(input.service);
    if (input.instances.length > 0) requireKind(service, 'ephemeral', 'single');
    else if (input.means === 'list') this.#state.appear(service);
    const traces = this.#tracesOf(input.connection);
    // Grows with each instance, so that those of a request which fails half-way are known to belong to the connection.
    const held = traces.published.get(service) ?? new Set<string>();
    const now = new Set<string>();
    for (const { address, content } of input.instances) {
      this.#instances.put({ service, kind: 'ephemeral', address, publisher: input.connection, content }, 'registered');
      now.add(address.key);
      held.add(address.key);
      traces.published.set(service, held);
    }
    for (const key of held) if (!now.has(key)) this.#deregister(service, key, input.connection);
    if (now.size > 0) traces.published.set(service, now);
    else traces.published.delete(service);
    this.#forgetIfEmpty(input.connection, traces);
    this.#state.settle(service);
  }

  /** Remembers that a connection subscribes to a service. */
  subscribed(connection: string, service: Service): void {
    this.#tracesOf(connection).subscribed.add(service);
  }

  /** A connection no longer wants a service. */
  unsubscribe(connection: string, service: Service): void {
    const subscriber = service.subscribers.get(connection);
    if (subscriber !== undefined) this.#subscriptions.remove(service, subscriber, 'unsubscribed');
    const traces = this.#traces.get(connection);
    if (traces === undefined) return;
    traces.subscribed.delete(service);
    this.#forgetIfEmpty(connection, traces);
  }

  /** A connection is gone. */
  close({ connection, cause, lastSign }: ConnectionClosedInput): void {
    const traces = this.#traces.get(connection);
    if (traces === undefined) return;
    for (const [service, keys] of traces.published)
      for (const key of keys) {
        const registration = service.ephemeral.get(key)?.registrationOf(connection);
        if (registration === undefined) continue;
        if (lastSign !== undefined) registration.lastBeat = lastSign;
        if (cause === 'connection-moved') this.#instances.leases.orphan(registration);
        else this.#instances.remove(service, registration, cause);
      }
    for (const service of traces.subscribed) {
      const subscriber = service.subscribers.get(connection);
      if (subscriber !== undefined) this.#subscriptions.remove(service, subscriber, 'unsubscribed');
    }
    this.#traces.delete(connection);
  }

  #deregister(service: Service, addressKey: string, connection: string): void {
    const registration = service.ephemeral.get(addressKey)?.registrationOf(connection);
    if (registration !== undefined) this.#instances.remove(service, registration, 'deregistered');
  }

  #tracesOf(connection: string): ConnectionTraces {
    let traces = this.#traces.get(connection);
    if (traces === undefined) {
      traces = { published: new Map(), subscribed: new Set() };
      this.#traces.set(connection, traces);
    }
    return traces;
  }

  #forgetIfEmpty(connection: string, { published, subscribed }: ConnectionTraces): void {
    if (published.size === 0 && subscribed.size === 0) this.#traces.delete(connection);
  }
}
