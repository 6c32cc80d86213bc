// `/rollcall/v1/status`, `/rollcall/v1/services`: what runs and what it holds.

import { pageOf } from '@rollcall/protocol';
import type { Service } from '../../core/service.js';
import { type HttpAnswer, jsonAnswer } from '../http/http-answer.js';
import type { HttpRequest } from '../http/http-request.js';
import type { Route } from '../http/route.js';
import { pageSlice } from '../listings/page-slice.js';
import type { ServerState } from '../operator/server-identity.js';
import { type HttpOwnContext, NAMESPACE_PARAMETER } from './http-own-context.js';
import { SERVICES_BODY, STATUS_BODY } from './own-answer-schemas.js';
import type { ServicesAnswer, StatusAnswer } from './own-answers.js';
import { serviceLine } from './shown-instance.js';

/** The routes. @param state - asked at each request */
export function statusRoutes(context: HttpOwnContext, state: () => ServerState): readonly Route[] {
  return [
    {
      method: 'GET',
      path: '/rollcall/v1/status',
      summary: 'Version, uptime, addresses and counts of the server',
      produces: STATUS_BODY,
      handle: () => status(context, state()),
    },
    {
      method: 'GET',
      path: '/rollcall/v1/services',
      summary: 'Services with their counts, sorted by name',
      produces: SERVICES_BODY,
      parameters: [
        { ...NAMESPACE_PARAMETER, description: 'Namespace; `*` for all' },
        { name: 'groupName', description: 'Group; `*` for all', defaultValue: '*' },
        { name: 'pageNo', description: 'Page, 1 is the first', type: 'integer', defaultValue: '1' },
        { name: 'pageSize', description: 'Services of a page', type: 'integer', defaultValue: '1000' },
      ],
      handle: (request) => services(context, request),
    },
  ];
}

function status({ registry, facts }: HttpOwnContext, state: ServerState): HttpAnswer {
  const { core } = registry;
  const { version, startedAt, urls, contextPath, dataDirectory } = facts();
  const { services: _, ...counts } = core.counts;
  const answer: StatusAnswer = {
    product: 'rollcall',
    version,
    mode: state.mode,
    status: state.status,
    startedAt,
    uptimeMs: Math.max(0, registry.now().wall - startedAt),
    urls,
    contextPath,
    dataDirectory,
    counts: { services: [...core.services()].length, ...counts, namespaces: core.namespaces.size + 1 },
  };
  return jsonAnswer(200, JSON.stringify(answer));
}

function services({ registry, rules }: HttpOwnContext, { parameters }: HttpRequest): HttpAnswer {
  const namespace = parameters.optional('namespaceId', 'public');
  const group = parameters.optional('groupName', '*');
  const page = pageOf(
    { pageNo: parameters.int('pageNo', 1), pageSize: parameters.int('pageSize', 1000) },
    rules.limits,
  );
  const found = [...registry.core.services()].filter(
    ({ key }) => (namespace === '*' || key.namespace === namespace) && (group === '*' || key.group === group),
  );
  const shown = pageSlice(found.sort(byId), page).map(serviceLine);
  const answer: ServicesAnswer = { count: found.length, services: shown };
  return jsonAnswer(200, JSON.stringify(answer));
}

function byId(a: Service, b: Service): number {
  return a.key.id < b.key.id ? -1 : 1;
}
