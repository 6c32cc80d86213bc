// `/service`: creating, updating, deleting and reading a service. Source: Nacos 1.4.8 ServiceController; contract 7.1 to 7.4,
// 7.8; DELETE refuses a service that has instances, as 2.x does.

import {
  checksumJson,
  readCreateServiceForm,
  readServiceKey,
  readUpdateServiceForm,
  serviceJson,
} from '@rollcall/protocol';
import type { ServiceView } from '../../core/service-view.js';
import { SERVICE_PARAMETERS } from '../http/described-parameters.js';
import { type HttpAnswer, jsonAnswer } from '../http/http-answer.js';
import type { HttpRequest } from '../http/http-request.js';
import type { Route, RouteParameter } from '../http/route.js';
import {
  createService,
  knownView,
  removeService,
  unknownService,
  updateService,
} from '../service-changes/service-change.js';
import { CHECKSUM_BODY, OK_BODY, SERVICE_BODY } from './answer-schemas.js';
import { checksumOf } from './checksum.js';
import { actorOf, type HttpV1Context } from './http-v1-context.js';
import { okAnswer } from './ok-answer.js';
import { shownClusters } from './shown-cluster.js';

/** Share of healthy instances for protection. */
export const THRESHOLD: RouteParameter = {
  name: 'protectThreshold',
  description: 'Share of healthy instances at or below which all are shown as healthy; 0 is off',
  type: 'number',
  defaultValue: '0',
};
/** Settings that creation and update share. */
export const SETTINGS: readonly RouteParameter[] = [
  { name: 'metadata', description: 'JSON object of scalars, or k=v,k2=v2' },
  { name: 'selector', description: 'JSON object with type none or label', type: 'json' },
];

/** The routes. */
export function serviceRoutes(context: HttpV1Context): readonly Route[] {
  return [
    {
      method: 'POST',
      path: '/v1/ns/service',
      summary: 'Create a service',
      produces: OK_BODY,
      parameters: [...SERVICE_PARAMETERS, THRESHOLD, ...SETTINGS],
      handle: (request) => create(context, request),
    },
    {
      method: 'PUT',
      path: '/v1/ns/service',
      summary: 'Set threshold, metadata and selector of a service; what is not sent is cleared',
      produces: OK_BODY,
      parameters: [...SERVICE_PARAMETERS, { ...THRESHOLD, required: true }, ...SETTINGS],
      handle: (request) => update(context, request),
    },
    {
      method: 'DELETE',
      path: '/v1/ns/service',
      summary: 'Delete a service that has no instances',
      produces: OK_BODY,
      parameters: SERVICE_PARAMETERS,
      handle: (request) => remove(context, request),
    },
    {
      method: 'GET',
      path: '/v1/ns/service',
      summary: 'Read the settings of a service',
      produces: SERVICE_BODY,
      parameters: SERVICE_PARAMETERS,
      handle: (request) => read(context, request),
    },
    {
      method: 'PUT',
      path: '/v1/ns/service/checksum',
      summary: 'Checksum over the settings and instances of a service',
      produces: CHECKSUM_BODY,
      parameters: SERVICE_PARAMETERS,
      handle: (request) => checksum(context, request),
    },
  ];
}

async function create({ registry, rules }: HttpV1Context, request: HttpRequest): Promise<HttpAnswer> {
  await createService(registry, actorOf(request), readCreateServiceForm(request.parameters, rules));
  return okAnswer(request, 'written');
}

async function update({ registry, rules }: HttpV1Context, request: HttpRequest): Promise<HttpAnswer> {
  await updateService(registry, actorOf(request), readUpdateServiceForm(request.parameters, rules));
  return okAnswer(request, 'written');
}

async function remove({ registry, rules }: HttpV1Context, request: HttpRequest): Promise<HttpAnswer> {
  const service = readServiceKey(request.parameters, 'bound');
  rules.names.checkService(service);
  await removeService(registry, actorOf(request), service);
  return okAnswer(request, 'written');
}

function read({ registry, rules }: HttpV1Context, { parameters }: HttpRequest): HttpAnswer {
  const service = readServiceKey(parameters, 'bound');
  rules.names.checkService(service);
  const view = knownView(registry.core, service);
  return jsonAnswer(200, serviceJson({ key: view.key, ...view.definition }, shownClusters(view)));
}

function checksum({ registry, rules }: HttpV1Context, { parameters }: HttpRequest): HttpAnswer {
  const service = readServiceKey(parameters);
  rules.names.checkService(service);
  const view: ServiceView | undefined = registry.core.view(service.id);
  if (view === undefined) throw unknownService(service, `serviceName not found: ${service.grouped}`);
  return jsonAnswer(200, checksumJson(checksumOf(view)));
}
