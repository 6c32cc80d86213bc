// `/cluster` of v3: how the persistent instances of one cluster are probed. Source: Nacos 3.0.3 ClusterControllerV3; http-v2-v3
// contract 7.5. v2 has no such route.

import { RegistryError, readTypedClusterForm } from '@rollcall/protocol';
import { CLUSTER_PARAMETERS } from '../http/described-parameters.js';
import type { HttpAnswer } from '../http/http-answer.js';
import type { HttpRequest } from '../http/http-request.js';
import type { AnswerRoute } from '../http/route.js';
import { OK_RESULT_BODY } from '../http-results/answer-schemas.js';
import { type HttpResultContext, resultActor } from '../http-results/http-result-context.js';
import { okResult, serverErrorResult } from '../http-results/result-answer.js';
import { defineCluster } from '../operator/cluster-definition.js';
import type { HttpOperatorOptions } from './http-operator-context.js';

/** The route. */
export function clusterRoutes(options: HttpOperatorOptions): readonly AnswerRoute[] {
  return [
    {
      method: 'PUT',
      path: '/v3/admin/ns/cluster',
      summary: 'Set how the persistent instances of a cluster are probed; an unknown cluster is made',
      parameters: CLUSTER_PARAMETERS,
      produces: OK_RESULT_BODY,
      handle: (request) => update({ ...options, via: 'http-v3' }, request),
    },
  ];
}

async function update(context: HttpResultContext, request: HttpRequest): Promise<HttpAnswer> {
  const form = readTypedClusterForm(request.parameters, context.rules);
  const { group, name } = form.service;
  const unknownService = `service not found groupName: ${group},serviceName: ${name}`;
  try {
    await defineCluster(context.registry, form, { actor: resultActor(context, request), unknownService });
  } catch (error) {
    // Raised as an older exception there, so without a code of its own.
    if (error instanceof RegistryError && error.code === 'service-not-found')
      return serverErrorResult(400, error.message);
    throw error;
  }
  return okResult('written');
}
