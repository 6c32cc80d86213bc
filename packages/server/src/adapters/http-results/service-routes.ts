// Creating, updating and deleting a service, and the settings of one: on v2 and v3.
// Source: Nacos 2.5.1 ServiceControllerV2, 3.0.3 ServiceControllerV3; contract 5.4, 7.3.

import {
  type DetailedService,
  type InstanceKind,
  type ParameterSource,
  readNamedService,
  readTypedServiceForm,
  type ShownCluster,
} from '@rollcall/protocol';
import type { Service } from '../../core/service.js';
import type { AnswerDescription } from '../http/answer-description.js';
import { SERVICE_PARAMETERS } from '../http/described-parameters.js';
import type { HttpAnswer } from '../http/http-answer.js';
import type { HttpRequest } from '../http/http-request.js';
import type { AnswerRoute, RouteParameter } from '../http/route.js';
import { SETTINGS, THRESHOLD } from '../http-v1/service-routes.js';
import { shownClusters } from '../http-v1/shown-cluster.js';
import { createService, knownView, removeService, updateService } from '../service-changes/service-change.js';
import { OK_RESULT_BODY } from './answer-schemas.js';
import { type HttpResultContext, resultActor } from './http-result-context.js';
import { goodResult, okResult } from './result-answer.js';

const KIND: RouteParameter = {
  name: 'ephemeral',
  description: 'Kind that is announced; instances of the other one are not refused for it',
  type: 'boolean',
  defaultValue: 'false',
};

/** What v2 and v3 have of their own. */
export interface ServiceRouteForm {
  readonly path: string;
  /** Where DELETE and GET look for the name. */
  readonly source: ParameterSource;
  readonly detailJson: (service: DetailedService, clusters: readonly ShownCluster[]) => string;
  readonly detailBody: AnswerDescription;
}

/** POST, PUT, DELETE and GET. */
export function serviceRoutes(context: HttpResultContext, form: ServiceRouteForm): readonly AnswerRoute[] {
  const { path } = form;
  const settings = [...SERVICE_PARAMETERS, THRESHOLD, ...SETTINGS];
  return [
    {
      method: 'POST',
      path,
      summary: 'Create a service',
      produces: OK_RESULT_BODY,
      parameters: [...settings, KIND],
      handle: (request) => create(context, request),
    },
    {
      method: 'PUT',
      path,
      summary: 'Set threshold, metadata and selector of a service; what is not sent is cleared',
      produces: OK_RESULT_BODY,
      parameters: settings,
      handle: (request) => update(context, request),
    },
    {
      method: 'DELETE',
      path,
      summary: 'Delete a service that has no instances',
      produces: OK_RESULT_BODY,
      parameters: SERVICE_PARAMETERS,
      handle: (request) => remove(context, request, form),
    },
    {
      method: 'GET',
      path,
      summary: 'Read the settings of a service and of its clusters',
      produces: form.detailBody,
      parameters: SERVICE_PARAMETERS,
      handle: (request) => read(context, request, form),
    },
  ];
}

async function create(context: HttpResultContext, request: HttpRequest): Promise<HttpAnswer> {
  const { registry, rules } = context;
  await createService(registry, resultActor(context, request), readTypedServiceForm(request.parameters, rules));
  return okResult('written');
}

async function update(context: HttpResultContext, request: HttpRequest): Promise<HttpAnswer> {
  const { registry, rules } = context;
  await updateService(registry, resultActor(context, request), readTypedServiceForm(request.parameters, rules));
  return okResult('written');
}

async function remove(
  context: HttpResultContext,
  request: HttpRequest,
  { source }: ServiceRouteForm,
): Promise<HttpAnswer> {
  const service = readNamedService(request.parameters, source);
  await removeService(context.registry, resultActor(context, request), service);
  return okResult('written');
}

function read({ registry }: HttpResultContext, { parameters }: HttpRequest, form: ServiceRouteForm): HttpAnswer {
  const service = readNamedService(parameters, form.source);
  const view = knownView(registry.core, service);
  const kind = kindOf(registry.core.service(service.id) as Service);
  return goodResult(form.detailJson({ key: view.key, ...view.definition, kind }, shownClusters(view)));
}

/** The kind of the instances that are there; of none, what was announced; else what the real servers would have made of it. */
function kindOf({ ephemeral, persistent, defined, definition }: Service): InstanceKind {
  if (ephemeral.size > 0) return 'ephemeral';
  if (persistent.size > 0) return 'persistent';
  return definition.kind ?? (defined ? 'persistent' : 'ephemeral');
}
