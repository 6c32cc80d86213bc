// `/cluster`: how the persistent instances of one cluster are probed. Source: Nacos 1.4.8 ClusterController; contract 11.

import { readClusterForm } from '@rollcall/protocol';
import { CLUSTER_PARAMETERS } from '../http/described-parameters.js';
import type { HttpAnswer } from '../http/http-answer.js';
import type { HttpRequest } from '../http/http-request.js';
import type { Route } from '../http/route.js';
import { defineCluster } from '../operator/cluster-definition.js';
import { OK_BODY } from './answer-schemas.js';
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
      parameters: CLUSTER_PARAMETERS,
      handle: (request) => update(context, request),
    },
  ];
}

async function update({ registry, rules }: HttpV1Context, request: HttpRequest): Promise<HttpAnswer> {
  const form = readClusterForm(request.parameters, rules);
  await defineCluster(registry, form, {
    actor: actorOf(request),
    unknownService: `service not found:${form.service.grouped}`,
  });
  return okAnswer(request, 'written');
}
