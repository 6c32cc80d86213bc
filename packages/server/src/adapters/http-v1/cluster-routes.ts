// `/cluster`: how the persistent instances of one cluster are probed. Source: Nacos 1.4.8 ClusterController; contract 11.

import { RegistryError, readClusterForm } from '@rollcall/protocol';
import type { Service } from '../../core/service.js';
import type { ClusterDefinition } from '../../core/service-definition.js';
import type { HttpAnswer } from '../http/http-answer.js';
import type { HttpRequest } from '../http/http-request.js';
import type { Route } from '../http/route.js';
import { OK_BODY } from './answer-schemas.js';
import { SERVICE_PARAMETERS } from './described-parameters.js';
import { actorOf, type HttpV1Context } from './http-v1-context.js';
import { okAnswer } from './ok-answer.js';

/** The route. */
export function clusterRoutes(context: HttpV1Context): readonly Route[] {
  return [
    {
      method: 'PUT',
      path: '/v1/ns/cluster',
      summary: 'Set how the persistent instances of a cluster are probed; an unknown cluster is made',
      produces: OK_BODY,
      parameters: [
        ...SERVICE_PARAMETERS,
        { name: 'clusterName', description: 'Cluster', required: true },
        { name: 'checkPort', description: 'Port that is probed, 0 to 65535', type: 'integer', required: true },
        {
          name: 'useInstancePort4Check',
          description: "Probe each instance's own port instead",
          type: 'boolean',
          required: true,
        },
        {
          name: 'healthChecker',
          description: 'JSON object with type TCP, HTTP, MYSQL or NONE',
          type: 'json',
          required: true,
        },
        { name: 'metadata', description: 'JSON object of scalars, or k=v,k2=v2; cleared when it is not sent' },
      ],
      handle: (request) => update(context, request),
    },
  ];
}

async function update({ registry, rules }: HttpV1Context, request: HttpRequest): Promise<HttpAnswer> {
  const { service, cluster: name, ...settings } = readClusterForm(request.parameters, rules);
  const cluster = { name, ...settings };
  await registry.commit(actorOf(request), (core) => {
    const known = core.service(service.id);
    if (known === undefined) {
      const message = `service not found:${service.grouped}`;
      throw new RegistryError('service-not-found', message, { details: { service: service.id } });
    }
    requireRoom(known, name, core.limits.serviceClusters);
    return [{ type: 'service', service: known.key, value: withCluster(known, cluster) }];
  });
  return okAnswer(request, 'written');
}

function withCluster({ definition }: Service, cluster: ClusterDefinition) {
  return { ...definition, clusters: new Map(definition.clusters).set(cluster.name, cluster) };
}

function requireRoom({ key, clusters }: Service, name: string, allowed: number): void {
  if (clusters.has(name) || clusters.size < allowed) return;
  const found = `found ${clusters.size} clusters in the service, allowed are ${allowed}`;
  throw new RegistryError('limit-exceeded', `Cluster "${name}" cannot be made in "${key.grouped}": ${found}`);
}
