// `/catalog/instances` of v2: the envelope for good answers, plain text for refusals as on v1. Source: Nacos 2.5.1
// CatalogControllerV2; http-v2-v3 contract 3.1, 5.6.

import { checkNamingParameters, pageOf, RegistryError, readServiceKey } from '@rollcall/protocol';
import type { InstanceView } from '../../core/service-view.js';
import { arrayOf, INTEGER, objectOf } from '../http/answer-schema.js';
import { PAGE_PARAMETERS, SERVICE_PARAMETERS } from '../http/described-parameters.js';
import type { HttpAnswer } from '../http/http-answer.js';
import type { HttpRequest } from '../http/http-request.js';
import type { AnswerRoute } from '../http/route.js';
import { CLIENT_INSTANCE_SCHEMA, resultBody } from '../http-results/answer-schemas.js';
import { goodResult } from '../http-results/result-answer.js';
import { hostsJson } from '../http-results/shown-hosts.js';
import { pageSlice } from '../listings/page-slice.js';
import type { HttpOperatorOptions } from './http-operator-context.js';

/** The route. */
export function catalogRoutes(options: HttpOperatorOptions): readonly AnswerRoute[] {
  return [
    {
      method: 'GET',
      path: '/v2/ns/catalog/instances',
      summary: 'All instances of a service with their real health, disabled ones too',
      parameters: [
        ...SERVICE_PARAMETERS,
        ...PAGE_PARAMETERS,
        { name: 'healthyOnly', description: 'Only healthy ones; false: only unhealthy ones', type: 'boolean' },
        { name: 'enabledOnly', description: 'Only enabled ones; false: only disabled ones', type: 'boolean' },
      ],
      produces: resultBody(objectOf({ count: INTEGER }, { instances: arrayOf(CLIENT_INSTANCE_SCHEMA) })),
      handle: (request) => instances(options, request),
    },
  ];
}

function instances({ registry, rules }: HttpOperatorOptions, { parameters }: HttpRequest): HttpAnswer {
  checkNamingParameters(parameters, rules.names);
  parameters.boundRequired('serviceName');
  const pageNo = parameters.boundRequiredInt('pageNo');
  const page = pageOf({ pageNo, pageSize: parameters.boundRequiredInt('pageSize') }, rules.limits);
  const wanted = (name: string) => (parameters.bound(name, '') === '' ? undefined : parameters.boundBoolean(name));
  const [healthy, enabled] = [wanted('healthyOnly'), wanted('enabledOnly')];
  const service = readServiceKey(parameters, 'bound');
  const view = registry.core.view(service.id);
  if (view === undefined) {
    throw new RegistryError('not-found', `service ${service.grouped} is not found!`);
  }
  const isWanted = (host: InstanceView): boolean =>
    (healthy === undefined || host.healthy === healthy) && (enabled === undefined || host.enabled === enabled);
  const found = view.hosts.filter(isWanted);
  const shown = pageSlice(found, page);
  // An empty page has no list, as on 2.5.1.
  const list = shown.length === 0 ? '' : `"instances":${hostsJson(view.key, shown)},`;
  return goodResult(`{${list}"count":${found.length}}`);
}
