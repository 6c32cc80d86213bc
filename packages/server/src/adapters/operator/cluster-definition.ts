// How the persistent instances of one cluster are probed: set by an operator, kept in the definition of the service.

import { type ClusterForm, RegistryError } from '@rollcall/protocol';
import type { Actor } from '../../core/actor.js';
import type { Service } from '../../core/service.js';
import type { ClusterDefinition } from '../../core/service-definition.js';
import type { RegistryAccess } from '../registry-access.js';

/** Who sets a cluster, and how an unknown service is refused. */
export interface ClusterChange {
  readonly actor: Actor;
  /** Text of the refusal. */
  readonly unknownService: string;
}

/**
 * Sets a cluster; an unknown one is made.
 *
 * @throws RegistryError `service-not-found`, `limit-exceeded`, `storage-failed`
 */
export async function defineCluster(registry: RegistryAccess, form: ClusterForm, change: ClusterChange): Promise<void> {
  const { service, cluster: name, ...settings } = form;
  await registry.commit(change.actor, (core) => {
    const known = core.service(service.id);
    if (known === undefined) {
      throw new RegistryError('service-not-found', change.unknownService, { details: { service: service.id } });
    }
    requireRoom(known, name, core.limits.serviceClusters);
    return [{ type: 'service', service: known.key, value: withCluster(known, { name, ...settings }) }];
  });
}

function withCluster({ definition }: Service, cluster: ClusterDefinition) {
  return { ...definition, clusters: new Map(definition.clusters).set(cluster.name, cluster) };
}

function requireRoom({ key, clusters }: Service, name: string, allowed: number): void {
  if (clusters.has(name) || clusters.size < allowed) return;
  const found = `found ${clusters.size} clusters in the service, allowed are ${allowed}`;
  throw new RegistryError('limit-exceeded', `Cluster "${name}" cannot be made in "${key.grouped}": ${found}`);
}
