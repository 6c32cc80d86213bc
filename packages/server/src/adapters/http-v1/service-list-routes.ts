// `/service/list`, `/service/names`, `/service/selector/types`: which services there are.
// Source: Nacos 1.4.8 ServiceController.list and searchService; contract 7.5, 7.6; selector types: 2.5.1.

import {
  readServiceListQuery,
  type ServiceListSelector,
  serviceListJson,
  serviceNamesJson,
  shownServiceName,
} from '@rollcall/protocol';
import type { RegistryCore } from '../../core/registry-core.js';
import type { Service } from '../../core/service.js';
import { preparedAnswer } from '../http/answer-head.js';
import { NAMESPACE_PARAMETERS, PAGE_PARAMETERS } from '../http/described-parameters.js';
import { type HttpAnswer, jsonAnswer } from '../http/http-answer.js';
import type { HttpRequest } from '../http/http-request.js';
import type { Route } from '../http/route.js';
import { NamePattern } from '../listings/name-pattern.js';
import { pageSlice } from '../listings/page-slice.js';
import type { SortedServices } from '../listings/sorted-services.js';
import { SERVICE_LIST_BODY, SERVICE_NAMES_BODY, TEXTS_BODY } from './answer-schemas.js';
import type { HttpV1Context } from './http-v1-context.js';
import { serviceNames } from './service-names.js';

const ALL_GROUPS = '*';
const SELECTOR_TYPES = preparedAnswer(jsonAnswer(200, '{"code":200,"message":null,"data":["none","label"]}'));

/** The routes. */
export function serviceListRoutes(context: HttpV1Context, sorted: SortedServices): readonly Route[] {
  return [
    {
      method: 'GET',
      path: '/v1/ns/service/list',
      summary: 'List the services of a namespace and group, sorted by name',
      produces: SERVICE_LIST_BODY,
      parameters: [
        ...PAGE_PARAMETERS,
        ...NAMESPACE_PARAMETERS,
        { name: 'groupName', description: 'Group, or * for all', defaultValue: 'DEFAULT_GROUP' },
        { name: 'selector', description: 'Only services with a metadata entry', type: 'json' },
      ],
      handle: (request) => list(context, sorted, request),
    },
    {
      method: 'GET',
      path: '/v1/ns/service/names',
      summary: 'Names of all services by namespace',
      produces: SERVICE_NAMES_BODY,
      parameters: [
        { name: 'namespaceId', description: 'Namespace; all when empty' },
        { name: 'expr', description: 'Pattern that is searched in group@@name' },
      ],
      handle: ({ parameters }) => {
        parameters.boundBoolean('responsibleOnly'); // One node is responsible for everything.
        const pattern = new NamePattern(parameters.bound('expr', ''));
        return jsonAnswer(
          200,
          serviceNamesJson(names(context.registry.core, parameters.bound('namespaceId', ''), pattern)),
        );
      },
    },
    {
      method: 'GET',
      path: '/v1/ns/service/selector/types',
      summary: 'Selector types that a service may have',
      produces: TEXTS_BODY,
      handle: () => SELECTOR_TYPES,
    },
  ];
}

function list({ rules }: HttpV1Context, sorted: SortedServices, { parameters }: HttpRequest): HttpAnswer {
  const query = readServiceListQuery(parameters, rules);
  const all = sorted.of(query.namespace);
  const found = all.filter(
    (service) =>
      (query.group === ALL_GROUPS || service.key.group === query.group) && isSelected(service, query.selector),
  );
  const shown = pageSlice(found, query).map(({ key }) =>
    query.group === ALL_GROUPS ? key.grouped : shownServiceName(key.name),
  );
  return jsonAnswer(200, serviceListJson(shown, found.length));
}

function isSelected(service: Service, selector: ServiceListSelector): boolean {
  if (selector.type === 'none') return true;
  const { key, value } = selector;
  if (selector.of === 'service') return service.definition.metadata.get(key) === value;
  return service.records.some((record) => record.inForce.metadata.get(key) === value);
}

/** A namespace that is asked for is there, even without services. */
function names(core: RegistryCore, namespace: string, pattern: NamePattern): ReadonlyMap<string, readonly string[]> {
  // 1.4.8 searches the printed form of a map entry whose value is empty.
  const found = serviceNames(
    core,
    ({ key }) => (namespace === '' || key.namespace === namespace) && pattern.isIn(`${key.grouped}:[]`),
  );
  if (namespace !== '' && !found.has(namespace)) found.set(namespace, new Set());
  return new Map([...found].map(([id, bare]) => [id, [...bare]]));
}
