// `/v2/ns/instance`. Source: Nacos 2.5.1 InstanceControllerV2; contract 5.3.

import {
  instanceDetailJson,
  instanceStatusesJson,
  readRequestedInstance,
  readTypedPatchForm,
} from '@rollcall/protocol';
import { INSTANCE_PARAMETERS } from '../http/described-parameters.js';
import { type HttpAnswer, jsonAnswer } from '../http/http-answer.js';
import type { HttpRequest } from '../http/http-request.js';
import type { AnswerRoute } from '../http/route.js';
import { INSTANCE_DETAIL_BODY } from '../http-results/answer-schemas.js';
import type { HttpResultContext } from '../http-results/http-result-context.js';
import {
  deregisterRoute,
  registerRoute,
  TYPED_INSTANCE_PARAMETERS,
  updateRoute,
} from '../http-results/instance-write-routes.js';
import { metadataBatchRoutes } from '../http-results/metadata-batch-routes.js';
import { updatePart } from '../http-results/partial-update.js';
import { goodResult, JOURNALLED_EXTRAS } from '../http-results/result-answer.js';
import { givenInstanceId } from '../http-results/shown-hosts.js';
import { OK_BODY, STATUSES_BODY } from '../http-v1/answer-schemas.js';
import { okAnswer } from '../http-v1/ok-answer.js';
import { serviceKeyOfStatusKey } from '../http-v1/status-key.js';
import { foundInstance } from '../instance-changes/found-instance.js';

const PATH = '/v2/ns/instance';

/** The routes but list and beat. */
export function instanceRoutes(context: HttpResultContext): readonly AnswerRoute[] {
  return [
    registerRoute(context, PATH),
    deregisterRoute(context, PATH),
    updateRoute(context, PATH),
    {
      method: 'PATCH',
      path: PATH,
      summary: 'Set weight, enabled and metadata of an instance that is there; the name is grouped',
      parameters: [...TYPED_INSTANCE_PARAMETERS, { name: 'cluster', description: 'Cluster', defaultValue: 'DEFAULT' }],
      produces: OK_BODY,
      handle: (request) => patch(context, request),
    },
    {
      method: 'GET',
      path: PATH,
      summary: 'Read one instance, with its real health',
      parameters: INSTANCE_PARAMETERS,
      produces: INSTANCE_DETAIL_BODY,
      handle: (request) => read(context, request),
    },
    ...metadataBatchRoutes(context, `${PATH}/metadata/batch`),
    {
      method: 'GET',
      path: `${PATH}/statuses/{key}`,
      summary: 'Real health of the ephemeral instances of a service; the key is group@@name, or namespace##group@@name',
      produces: STATUSES_BODY,
      handle: (request) => statuses(context, request),
    },
  ];
}

/** The only change of v2 that is acknowledged outside the envelope. */
async function patch(context: HttpResultContext, request: HttpRequest): Promise<HttpAnswer> {
  await updatePart(context, request, readTypedPatchForm(request.parameters, context.rules));
  return { ...okAnswer(request, 'journalled'), ...JOURNALLED_EXTRAS };
}

function read({ registry }: HttpResultContext, { parameters }: HttpRequest): HttpAnswer {
  const target = readRequestedInstance(parameters);
  const instance = foundInstance(registry.core, target).view();
  const instanceId = givenInstanceId(target.service, instance) ?? null;
  return goodResult(instanceDetailJson(target.service, instance, instanceId));
}

function statuses({ registry, rules }: HttpResultContext, { path }: HttpRequest): HttpAnswer {
  const service = serviceKeyOfStatusKey(path.slice(path.lastIndexOf('/') + 1));
  rules.names.checkService(service);
  const hosts = registry.core.view(service.id)?.hosts ?? [];
  return jsonAnswer(200, instanceStatusesJson(hosts.filter(({ ephemeral }) => ephemeral)));
}
