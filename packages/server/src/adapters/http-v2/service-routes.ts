// `/v2/ns/service`. Source: Nacos 2.5.1 ServiceControllerV2; contract 5.4.

import { groupListJson, readGroupListQuery, serviceDetailJson } from '@rollcall/protocol';
import type { HttpAnswer } from '../http/http-answer.js';
import type { HttpRequest } from '../http/http-request.js';
import type { AnswerRoute, RouteParameter } from '../http/route.js';
import { GROUP_LIST_BODY, SERVICE_DETAIL_BODY } from '../http-results/answer-schemas.js';
import type { HttpResultContext } from '../http-results/http-result-context.js';
import { goodResult } from '../http-results/result-answer.js';
import { serviceRoutes } from '../http-results/service-routes.js';
import { pageSlice } from '../listings/page-slice.js';
import type { SortedServices } from '../listings/sorted-services.js';

const PATH = '/v2/ns/service';

const LIST_PARAMETERS: readonly RouteParameter[] = [
  { name: 'namespaceId', description: 'Namespace', defaultValue: 'public' },
  { name: 'groupName', description: 'Group', defaultValue: 'DEFAULT_GROUP' },
  { name: 'pageNo', description: 'Page, 1 is the first', type: 'integer', defaultValue: '1' },
  { name: 'pageSize', description: 'Entries of a page, at most 500', type: 'integer', defaultValue: '20' },
];

/** The routes. */
export function groupServiceRoutes(context: HttpResultContext, sorted: SortedServices): readonly AnswerRoute[] {
  return [
    ...serviceRoutes(context, {
      path: PATH,
      source: 'request',
      detailJson: serviceDetailJson,
      detailBody: SERVICE_DETAIL_BODY,
    }),
    {
      method: 'GET',
      path: `${PATH}/list`,
      summary: 'List the services of a namespace and group, sorted by name',
      produces: GROUP_LIST_BODY,
      parameters: LIST_PARAMETERS,
      handle: (request) => list(context, sorted, request),
    },
  ];
}

function list({ rules }: HttpResultContext, sorted: SortedServices, { parameters }: HttpRequest): HttpAnswer {
  const query = readGroupListQuery(parameters, rules);
  const found = sorted.of(query.namespace).filter(({ key }) => key.group === query.group);
  const names = pageSlice(found, query).map(({ key }) => key.name);
  return goodResult(groupListJson(names, found.length));
}
