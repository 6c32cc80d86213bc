// Counts that nobody keeps, because they would cost every beat and every list: they are taken by walking through the
// registry, in slices, when somebody asks.

import { selectHosts } from '../../core/host-selection.js';
import { HTTP_PUBLISHER, STORE_PUBLISHER } from '../../core/publisher.js';
import type { RegistryCore } from '../../core/registry-core.js';
import type { Service } from '../../core/service.js';

/** Services that are walked through before others get their turn. */
const SLICE_SERVICES = 500;
/** The same for their instances and subscribers. */
const SLICE_ENTRIES = 20_000;

/** How many there are. */
export class RegistryFigures {
  /** That exist for readers. */
  services = 0;
  /** Of these, without instances. */
  emptyServices = 0;
  /** Of these, so short of healthy instances that lists show all as healthy. */
  protectedServices = 0;
  readonly instances = { ephemeral: { healthy: 0, unhealthy: 0 }, persistent: { healthy: 0, unhealthy: 0 } };
  disabledInstances = 0;
  /** By how they came: over HTTP (or out of the store), or over a connection. */
  readonly published = { http: 0, connection: 0 };
  readonly subscribers = { udp: 0, stream: 0 };

  /** All instances. */
  get instanceCount(): number {
    return this.published.http + this.published.connection;
  }

  /** Walks through the registry. What changes meanwhile is seen before or after, as it comes. @param pause - ends when others had their turn */
  static async take(core: RegistryCore, pause: () => Promise<void>): Promise<RegistryFigures> {
    const figures = new RegistryFigures();
    let services = 0;
    let entries = 0;
    const sliceEnds = (service: Service): boolean => {
      services += 1;
      entries += service.instanceCount + service.subscribers.size;
      if (services < SLICE_SERVICES && entries < SLICE_ENTRIES) return false;
      services = 0;
      entries = 0;
      return true;
    };
    for (const service of core.services()) {
      figures.#addService(service);
      if (sliceEnds(service)) await pause();
    }
    for (const service of core.subscribedServices()) {
      for (const { transport } of service.subscribers.values()) figures.subscribers[transport] += 1;
      if (sliceEnds(service)) await pause();
    }
    return figures;
  }

  #addService(service: Service): void {
    this.services += 1;
    if (service.instanceCount === 0) this.emptyServices += 1;
    for (const { kind, healthy, current, overlay } of service.records) {
      this.instances[kind][healthy ? 'healthy' : 'unhealthy'] += 1;
      if (!(overlay?.enabled ?? current.base.enabled)) this.disabledInstances += 1;
      const { publisher } = current;
      this.published[publisher === HTTP_PUBLISHER || publisher === STORE_PUBLISHER ? 'http' : 'connection'] += 1;
    }
    if (service.definition.protectThreshold > 0 && isProtected(service)) this.protectedServices += 1;
  }
}

function isProtected(service: Service): boolean {
  return selectHosts(service.view(), { clusters: [], healthyOnly: false, dialect: 'v1' }).protecting;
}
