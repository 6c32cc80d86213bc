// `/v3/client/ns/instance`: what applications without an SDK use; they poll. Source: Nacos 3.0.3 InstanceOpenApiController; contract 7.1.

import {
  badResultJson,
  clusterNames,
  type HostListQuery,
  readHostListQuery,
  readTypedInstanceForm,
  readTypedInstanceTarget,
  TypedParameters,
} from '@rollcall/protocol';
import { selectHosts } from '../../core/host-selection.js';
import { addressOf } from '../../core/instance-address.js';
import type { ServiceView } from '../../core/service-view.js';
import { preparedAnswer } from '../http/answer-head.js';
import { SERVICE_PARAMETERS } from '../http/described-parameters.js';
import { type HttpAnswer, jsonAnswer } from '../http/http-answer.js';
import type { HttpRequest } from '../http/http-request.js';
import type { AnswerRoute } from '../http/route.js';
import { INSTANCES_RESULT_BODY, REGISTER_OR_BEAT_BODY } from '../http-results/answer-schemas.js';
import { type HttpResultContext, resultActor } from '../http-results/http-result-context.js';
import {
  deregisterRoute,
  registerInstance,
  registerRoute,
  TYPED_INSTANCE_PARAMETERS,
} from '../http-results/instance-write-routes.js';
import { goodResult, okResult } from '../http-results/result-answer.js';
import { hostsJson } from '../http-results/shown-hosts.js';
import { noteReader } from '../list-readers.js';

const PATH = '/v3/client/ns/instance';

/** Answers for longer lists of clusters are not kept: they would fill the memory of a view. */
const PREPARED_CLUSTERS_LENGTH = 128;

/** A beat of an instance that is not known is no HTTP error: the client registers again (contract 1, item 5). */
const UNKNOWN_INSTANCE = preparedAnswer(jsonAnswer(200, badResultJson(21003, 'instance not found', null)));

/** The routes. */
export function clientInstanceRoutes(context: HttpResultContext): readonly AnswerRoute[] {
  return [
    {
      ...registerRoute(context, PATH),
      summary: 'Register an instance, or with heartBeat keep one alive',
      parameters: [
        ...TYPED_INSTANCE_PARAMETERS,
        { name: 'heartBeat', description: 'Only a sign of life', type: 'boolean', defaultValue: 'false' },
      ],
      produces: REGISTER_OR_BEAT_BODY,
      handle: (request) => registerOrBeat(context, request),
    },
    deregisterRoute(context, PATH),
    {
      method: 'GET',
      path: `${PATH}/list`,
      summary: 'List the enabled instances of clusters of a service',
      parameters: [
        ...SERVICE_PARAMETERS,
        { name: 'clusterName', description: 'Comma separated clusters', defaultValue: 'DEFAULT' },
      ],
      produces: INSTANCES_RESULT_BODY,
      handle: ({ parameters, remoteAddress }) => list(context, readHostListQuery(parameters), remoteAddress),
    },
  ];
}

function registerOrBeat(context: HttpResultContext, request: HttpRequest): HttpAnswer | Promise<HttpAnswer> {
  const { parameters } = request;
  if (new TypedParameters(parameters, 'form').boolean('heartBeat') === true) return beat(context, request);
  return registerInstance(context, request, readTypedInstanceForm(parameters, context.rules));
}

function beat(context: HttpResultContext, request: HttpRequest): HttpAnswer {
  const { service, address } = readTypedInstanceTarget(request.parameters);
  const { known } = context.registry.step({
    type: 'beat',
    service,
    address: addressOf(address.ip, address.port, address.cluster),
    content: undefined,
    actor: resultActor(context, request),
  });
  return known ? okResult('journalled') : UNKNOWN_INSTANCE;
}

function list({ registry }: HttpResultContext, { service, clusters }: HostListQuery, address: string): HttpAnswer {
  const view = registry.core.view(service.id);
  if (view === undefined) return goodResult('[]');
  noteReader(registry, view, { clusters, address, via: 'http-v3' });
  return hostsOf(view, clusters);
}

function hostsOf(view: ServiceView, clusters: string): HttpAnswer {
  const make = (): HttpAnswer => {
    const query = { clusters: clusterNames(clusters), healthyOnly: false, dialect: 'v2' } as const;
    const { hosts, protecting } = selectHosts(view, query);
    return goodResult(hostsJson(view.key, hosts, { health: protecting ? 'all-healthy' : 'real' }));
  };
  if (clusters.length > PREPARED_CLUSTERS_LENGTH) return make();
  return view.prepared(`v3-list ${clusters}`, () => preparedAnswer(make()));
}
