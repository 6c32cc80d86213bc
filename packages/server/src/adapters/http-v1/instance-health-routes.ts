// `/health`: health set by hand, where no checker works. Source: Nacos 1.4.8 HealthController; `/health/checkers`: 2.5.1;
// contract 9.

import {
  DEFAULT_CLUSTER,
  isLooselyTrue,
  type Parameters,
  portOf,
  RegistryError,
  readServiceKey,
  type ServiceKey,
} from '@rollcall/protocol';
import { addressOf } from '../../core/instance-address.js';
import type { InstanceRecord } from '../../core/instance-record.js';
import type { RegistryCore } from '../../core/registry-core.js';
import type { ServiceView } from '../../core/service-view.js';
import { jsonBody } from '../http/answer-description.js';
import { preparedAnswer } from '../http/answer-head.js';
import { objectOf, STRING } from '../http/answer-schema.js';
import { INSTANCE_PARAMETERS } from '../http/described-parameters.js';
import { type HttpAnswer, jsonAnswer } from '../http/http-answer.js';
import type { HttpRequest } from '../http/http-request.js';
import type { Route } from '../http/route.js';
import { CHECKERS_JSON, setHealthByHand } from '../operator/health-by-hand.js';
import { serviceCountOf } from '../operator/operator-figures.js';
import { CHECKERS_SCHEMA } from '../operator/operator-schemas.js';
import type { ServerState } from '../operator/server-identity.js';
import { OK_BODY } from './answer-schemas.js';
import { actorOf, type HttpV1Context } from './http-v1-context.js';
import { okAnswer } from './ok-answer.js';
import { shownClusters } from './shown-cluster.js';

const CHECKERS = preparedAnswer(jsonAnswer(200, CHECKERS_JSON));

/** The routes. @param state - asked at each request */
export function instanceHealthRoutes(context: HttpV1Context, state: () => ServerState): readonly Route[] {
  const set = (path: string): Route => ({
    method: 'PUT',
    path,
    summary: 'Set the health of an instance whose cluster is not probed',
    produces: OK_BODY,
    parameters: [
      ...INSTANCE_PARAMETERS,
      { name: 'healthy', description: 'Health; also called valid', type: 'boolean', required: true },
    ],
    handle: (request) => setHealth(context, request),
  });
  return [
    set('/v1/ns/health'),
    set('/v1/ns/health/instance'),
    {
      method: 'GET',
      path: '/v1/ns/health/server',
      summary: 'A sentence that says how many services there are',
      produces: jsonBody(objectOf({ msg: STRING })),
      handle: () => jsonAnswer(200, greeting(context.registry.core, state())),
    },
    {
      method: 'GET',
      path: '/v1/ns/health/checkers',
      summary: 'Checkers and their members',
      produces: jsonBody(CHECKERS_SCHEMA),
      handle: () => CHECKERS,
    },
  ];
}

function greeting(core: RegistryCore, { identity }: ServerState): string {
  return `{"msg":"Hello! I am Nacos-Naming and healthy! total services: raft ${serviceCountOf(core)}, local port:${identity.port}"}`;
}

function setHealth({ registry, rules }: HttpV1Context, request: HttpRequest): HttpAnswer {
  const { parameters } = request;
  const healthy = wantedHealth(parameters);
  const service = readServiceKey(parameters);
  const cluster = parameters.optional('clusterName', DEFAULT_CLUSTER);
  const ip = parameters.required('ip');
  const port = portOf(parameters.required('port'));
  rules.names.checkService(service);
  requireNoChecker(registry.core, service, cluster);
  const record = recordAt(registry.core, service, addressOf(ip, port, cluster).key);
  setHealthByHand(registry, record, { healthy, actor: actorOf(request) });
  return okAnswer(request, 'journalled');
}

function wantedHealth(parameters: Parameters): boolean {
  return isLooselyTrue(parameters.present('healthy') ?? parameters.present('valid') ?? parameters.required('healthy'));
}

function requireNoChecker(core: RegistryCore, service: ServiceKey, cluster: string): void {
  const view: ServiceView | undefined = core.view(service.id);
  if (view === undefined) {
    const message = `service not found: ${service.grouped}`;
    throw new RegistryError('service-not-found', message, { details: { service: service.id } });
  }
  const found = shownClusters(view).find(({ name }) => name === cluster);
  if (found === undefined) {
    const allowed = view.clusters.join(', ') || 'none';
    const message = `Param 'clusterName' is illegal, found "${cluster}", allowed in ${service.grouped} are: ${allowed}`;
    throw new RegistryError('invalid-parameter', message, { details: { parameter: 'clusterName' } });
  }
  if (found.healthChecker.type === 'NONE') return;
  const message = `health check is still working, service: ${service.grouped}, cluster: ${cluster}`;
  throw new RegistryError('health-check-running', message, { details: { service: service.id } });
}

/** A persistent instance comes before an ephemeral one, as in 1.4.8. */
function recordAt(core: RegistryCore, { id }: ServiceKey, key: string): InstanceRecord | undefined {
  return core.instance(id, 'persistent', key) ?? core.instance(id, 'ephemeral', key);
}
