// Services in the order of listings. Sorting a hundred thousand names takes longer than anything else that is asked of this
// server, and gateways list all services every half minute: so the order is kept, and what changed is sorted in.

import type { RegistryCore } from '../../core/registry-core.js';
import type { RegistryEvent } from '../../core/registry-event.js';
import type { Service } from '../../core/service.js';
import type { RegistryAccess } from '../registry-access.js';
import type { RegistryEvents } from '../registry-events.js';

/** Changes that are remembered; with more, everything is sorted anew. */
const CHANGES_MAX = 10_000;

/** The services of each namespace, by group and name. */
export class SortedServices {
  readonly #core: RegistryCore;
  /** Undefined when everything has to be sorted anew. */
  #byNamespace: Map<string, Service[]> | undefined;
  /** Ids of services that came or went since. */
  readonly #changed = new Set<string>();

  constructor(registry: Pick<RegistryAccess, 'core'> & RegistryEvents) {
    this.#core = registry.core;
    registry.onEvent((event) => this.#note(event));
  }

  /** The services of a namespace that exist for readers, sorted by `group@@name`. */
  of(namespace: string): readonly Service[] {
    return this.#present().get(namespace) ?? [];
  }

  /** All services, by namespace and then as above; those of one namespace stay as they are when it is reached. */
  *all(): Generator<Service> {
    for (const namespace of [...this.#present().keys()].sort()) yield* this.of(namespace);
  }

  #present(): ReadonlyMap<string, readonly Service[]> {
    if (this.#byNamespace === undefined) this.#byNamespace = this.#sortAll();
    else if (this.#changed.size > 0) this.#update(this.#byNamespace);
    this.#changed.clear();
    return this.#byNamespace;
  }

  #note({ type, service }: RegistryEvent): void {
    if (this.#byNamespace === undefined || (type !== 'service-appeared' && type !== 'service-vanished')) return;
    this.#changed.add(service.id);
    if (this.#changed.size <= CHANGES_MAX) return;
    // Nobody asks, and what is kept would keep services in memory that are gone.
    this.#byNamespace = undefined;
    this.#changed.clear();
  }

  #sortAll(): Map<string, Service[]> {
    const byNamespace = new Map<string, Service[]>();
    for (const service of this.#core.services()) add(byNamespace, service);
    for (const services of byNamespace.values()) services.sort(byName);
    return byNamespace;
  }

  /** Sorting an array that is nearly sorted takes little more than walking through it. */
  #update(byNamespace: Map<string, Service[]>): void {
    for (const [namespace, services] of byNamespace) {
      const left = services.filter(({ key }) => !this.#changed.has(key.id));
      if (left.length > 0) byNamespace.set(namespace, left);
      else byNamespace.delete(namespace);
    }
    const grown = new Set<Service[]>();
    for (const id of this.#changed) {
      const service = this.#core.service(id);
      if (service !== undefined) grown.add(add(byNamespace, service));
    }
    for (const services of grown) services.sort(byName);
  }
}

/** @returns the services of its namespace, it included */
function add(byNamespace: Map<string, Service[]>, service: Service): Service[] {
  const { namespace } = service.key;
  let services = byNamespace.get(namespace);
  if (services === undefined) {
    services = [];
    byNamespace.set(namespace, services);
  }
  services.push(service);
  return services;
}

function byName({ key: a }: Service, { key: b }: Service): number {
  return a.grouped < b.grouped ? -1 : 1;
}
