// Which instances a list answer holds, and whether health protection shows all of them as healthy.
// Source: http-v1.md section 6 (1.4.8 InstanceController), grpc-2x.md 11.6 (2.5.1 ServiceUtil); threshold 0 is off in
// every dialect (product.md rule 5).

import type { InstanceView, ServiceView } from './service-view.js';

/**
 * `v1`: disabled instances count for the threshold, `healthyOnly` filters after protection.
 * `v2`: disabled instances are left out first, `healthyOnly` filters before protection.
 */
export type ListDialect = 'v1' | 'v2';

/** What a list query asks for. */
export interface HostQuery {
  /** Wanted clusters; empty for all. A repeated name repeats its hosts (1.4.8). */
  readonly clusters: readonly string[];
  readonly healthyOnly: boolean;
  readonly dialect: ListDialect;
}

/** The hosts of an answer. With `protecting` all of them are shown as healthy. */
export interface HostSelection {
  readonly hosts: readonly InstanceView[];
  readonly protecting: boolean;
  /** Whether the wanted clusters hold no instance at all, enabled or not. */
  readonly empty: boolean;
}

/** Selects the hosts for a query. */
export function selectHosts(view: ServiceView, query: HostQuery): HostSelection {
  const inClusters = hostsOf(view, query.clusters);
  const { protectThreshold } = view.definition;
  return query.dialect === 'v1'
    ? selectV1(inClusters, query, protectThreshold)
    : selectV2(inClusters, query, protectThreshold);
}

/** Whether so few are healthy that all are shown as healthy; compared as 32-bit floats like the original. */
export function isProtecting(healthy: number, all: number, threshold: number): boolean {
  return threshold > 0 && all > 0 && Math.fround(healthy / all) <= Math.fround(threshold);
}

function hostsOf(view: ServiceView, clusters: readonly string[]): readonly InstanceView[] {
  if (clusters.length === 0) return view.hosts;
  return clusters.flatMap((cluster) => view.hosts.filter((host) => host.cluster === cluster));
}

function selectV1(all: readonly InstanceView[], { healthyOnly }: HostQuery, threshold: number): HostSelection {
  const protecting = isProtecting(countHealthy(all), all.length, threshold);
  const hosts = all.filter((host) => host.enabled && (!healthyOnly || protecting || host.healthy));
  return { hosts, protecting, empty: all.length === 0 };
}

function selectV2(all: readonly InstanceView[], { healthyOnly }: HostQuery, threshold: number): HostSelection {
  const enabled = all.filter((host) => host.enabled);
  const hosts = healthyOnly ? enabled.filter((host) => host.healthy) : enabled;
  const protecting = isProtecting(countHealthy(hosts), hosts.length, threshold);
  return { hosts, protecting, empty: all.length === 0 };
}

function countHealthy(hosts: readonly InstanceView[]): number {
  let count = 0;
  for (const host of hosts) if (host.healthy) count += 1;
  return count;
}
