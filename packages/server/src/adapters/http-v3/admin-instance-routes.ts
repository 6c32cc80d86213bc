// `/v3/admin/ns/instance`: what operators do with instances. Source: Nacos 3.0.3 InstanceControllerV3; contract 7.2.

import {
  type HostListQuery,
  readHostListQuery,
  readTypedInstanceTarget,
  readTypedPartialForm,
} from '@rollcall/protocol';
import type { ServiceView } from '../../core/service-view.js';
import { INSTANCE_PARAMETERS, SERVICE_PARAMETERS } from '../http/described-parameters.js';
import type { HttpAnswer } from '../http/http-answer.js';
import type { HttpRequest } from '../http/http-request.js';
import type { AnswerRoute } from '../http/route.js';
import { CLIENT_INSTANCE_RESULT_BODY, INSTANCES_RESULT_BODY, OK_RESULT_BODY } from '../http-results/answer-schemas.js';
import type { HttpResultContext } from '../http-results/http-result-context.js';
import {
  deregisterRoute,
  registerRoute,
  TYPED_INSTANCE_PARAMETERS,
  updateRoute,
} from '../http-results/instance-write-routes.js';
import { metadataBatchRoutes } from '../http-results/metadata-batch-routes.js';
import { updatePart } from '../http-results/partial-update.js';
import { goodResult, okResult, serverErrorResult } from '../http-results/result-answer.js';
import { hostJson, hostsJson } from '../http-results/shown-hosts.js';
import { foundInstance } from '../instance-changes/found-instance.js';

const PATH = '/v3/admin/ns/instance';

/** The routes. */
export function adminInstanceRoutes(context: HttpResultContext): readonly AnswerRoute[] {
  return [
    registerRoute(context, PATH),
    deregisterRoute(context, PATH),
    updateRoute(context, PATH),
    {
      method: 'PUT',
      path: `${PATH}/partial`,
      summary: 'Set fields of an instance that is there; weight and enabled become 1 and true when they are not sent',
      parameters: TYPED_INSTANCE_PARAMETERS,
      produces: OK_RESULT_BODY,
      handle: (request) => updatePartial(context, request),
    },
    {
      method: 'GET',
      path: PATH,
      summary: 'Read one instance, with its real health',
      parameters: INSTANCE_PARAMETERS,
      produces: CLIENT_INSTANCE_RESULT_BODY,
      handle: (request) => read(context, request),
    },
    {
      method: 'GET',
      path: `${PATH}/list`,
      summary: 'List the instances of a cluster with their real health, disabled ones too',
      parameters: [
        ...SERVICE_PARAMETERS,
        { name: 'clusterName', description: 'One cluster', defaultValue: 'DEFAULT' },
        { name: 'healthyOnly', description: 'Leave out unhealthy ones', type: 'boolean', defaultValue: 'false' },
      ],
      produces: INSTANCES_RESULT_BODY,
      handle: ({ parameters }) => list(context, readHostListQuery(parameters)),
    },
    ...metadataBatchRoutes(context, `${PATH}/metadata/batch`),
  ];
}

async function updatePartial(context: HttpResultContext, request: HttpRequest): Promise<HttpAnswer> {
  await updatePart(context, request, readTypedPartialForm(request.parameters, context.rules));
  return okResult('journalled');
}

function read({ registry }: HttpResultContext, { parameters }: HttpRequest): HttpAnswer {
  const target = readTypedInstanceTarget(parameters);
  return goodResult(hostJson(target.service, foundInstance(registry.core, target).view()));
}

function list({ registry }: HttpResultContext, { service, clusters, healthyOnly }: HostListQuery): HttpAnswer {
  const view: ServiceView | undefined = registry.core.view(service.id);
  if (view === undefined) return serverErrorResult(404, `service ${service.grouped} is not found!`);
  if (!view.clusters.includes(clusters)) return serverErrorResult(404, `cluster ${clusters} is not found!`);
  const hosts = view.hosts.filter((host) => host.cluster === clusters && (host.healthy || !healthyOnly));
  return goodResult(hostsJson(view.key, hosts));
}
