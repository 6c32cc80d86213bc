// Searching services for the overviews of v1 and v3. Source: Nacos 1.4.8 ServiceManager.getPagedService; contract 8.3.

import type { ServiceSummary } from '@rollcall/protocol';
import { isProtecting } from '../../core/host-selection.js';
import type { Service } from '../../core/service.js';
import { NamePattern } from './name-pattern.js';

/** Which services are wanted. */
export interface WantedServices {
  /** Undefined for all. */
  readonly name: NamePattern | undefined;
  readonly group: NamePattern | undefined;
  /** Only services with this `ip` or `ip:port`; empty for all. */
  readonly instance: string;
  readonly withInstancesOnly: boolean;
}

/** The services that are wanted; looks at none when all are. */
export function searchedServices(services: readonly Service[], wanted: WantedServices): readonly Service[] {
  const { name, group, instance, withInstancesOnly } = wanted;
  if (name === undefined && group === undefined && instance === '' && !withInstancesOnly) return services;
  return services.filter((service) => isWanted(service, wanted));
}

function isWanted(service: Service, wanted: WantedServices): boolean {
  const { key, records, instanceCount } = service;
  if (wanted.withInstancesOnly && instanceCount === 0) return false;
  if (wanted.name?.isIn(key.name) === false || wanted.group?.isIn(key.group) === false) return false;
  const { instance } = wanted;
  if (instance === '') return true;
  return records.some(({ address: { ip, port } }) => ip === instance || `${ip}:${port}` === instance);
}

/** The pattern that a text is; undefined, for all, when it is empty. @throws RegistryError `invalid-parameter` */
export function patternOf(source: string): NamePattern | undefined {
  return source === '' ? undefined : new NamePattern(source);
}

/** The line of a service. */
export function serviceSummary({ key, clusters, instanceCount, healthyCount, definition }: Service): ServiceSummary {
  return {
    key,
    clusterCount: clusters.size,
    instanceCount,
    healthyInstanceCount: healthyCount,
    protected: isProtecting(healthyCount, instanceCount, definition.protectThreshold),
  };
}
