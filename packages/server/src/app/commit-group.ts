// Durable changes that are written at the same time: each was planned on the same core, so none may be what the plan of
// another one read. Registrations of different persistent instances are such, and edits of different instances.

import type { RegistryCore } from '../core/registry-core.js';
import type { StoreChange } from '../core/store-change.js';

/** Commits of a group. */
const GROUP_MAX = 64;

/** Decides which changes go together. */
export class CommitGroup {
  readonly #core: RegistryCore;
  readonly #places = new Set<string>();
  #size = 0;
  #alone = false;

  constructor(core: RegistryCore) {
    this.#core = core;
  }

  get size(): number {
    return this.#size;
  }

  /** Takes changes in. @returns false when they must wait for those that are in */
  admit(changes: readonly StoreChange[]): boolean {
    const places = changes.map((change) => this.#placeOf(change));
    const alone = places.includes(undefined);
    if (this.#size > 0) {
      if (alone || this.#alone || this.#size >= GROUP_MAX) return false;
      if (places.some((place) => this.#places.has(place as string))) return false;
    }
    this.#size += 1;
    this.#alone = alone;
    for (const place of places) if (place !== undefined) this.#places.add(place);
    return true;
  }

  /** What of the core a change is about; undefined when it may be about anything, or when a limit is near. */
  #placeOf(change: StoreChange): string | undefined {
    if (change.type !== 'persistent-instance' && change.type !== 'edit') return undefined;
    const { service, address, value } = change;
    if (change.type === 'persistent-instance' && value !== undefined && !this.#hasRoom(service.id)) return undefined;
    return `${service.id}/${address.key}`;
  }

  /** Whether a whole group of new instances fits, each in a service of its own or all in this one. */
  #hasRoom(serviceId: string): boolean {
    const { counts, limits } = this.#core;
    const inService = this.#core.service(serviceId)?.instanceCount ?? 0;
    return (
      counts.instances + GROUP_MAX <= limits.instances &&
      counts.services + GROUP_MAX <= limits.services &&
      inService + GROUP_MAX <= limits.serviceInstances
    );
  }
}
