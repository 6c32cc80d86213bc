// `/service/subscribers`: who is told of changes. Source: Nacos 1.4.8 SubscribeManager, PushService; contract 7.7.

import { pageOf, readServiceKey, type ServiceKey, type ShownSubscriber, subscribersJson } from '@rollcall/protocol';
import type { RegistryCore } from '../../core/registry-core.js';
import { type HttpAnswer, jsonAnswer } from '../http/http-answer.js';
import type { HttpRequest } from '../http/http-request.js';
import type { Route } from '../http/route.js';
import { SUBSCRIBERS_BODY } from './answer-schemas.js';
import { SERVICE_PARAMETERS } from './described-parameters.js';
import type { HttpV1Context } from './http-v1-context.js';
import { pageSlice } from './page-slice.js';

/** The route. */
export function subscriberRoutes(context: HttpV1Context): readonly Route[] {
  return [
    {
      method: 'GET',
      path: '/v1/ns/service/subscribers',
      summary: 'Subscribers of all services whose name and group contain the given ones',
      produces: SUBSCRIBERS_BODY,
      parameters: [
        ...SERVICE_PARAMETERS,
        { name: 'pageNo', description: 'Page, 1 is the first', type: 'integer', defaultValue: '1' },
        { name: 'pageSize', description: 'Entries of a page', type: 'integer', defaultValue: '1000' },
      ],
      handle: (request) => list(context, request),
    },
  ];
}

function list({ registry, rules }: HttpV1Context, { parameters }: HttpRequest): HttpAnswer {
  const service = readServiceKey(parameters);
  rules.names.checkService(service);
  const page = pageOf(
    { pageNo: parameters.lenientInt('pageNo', 1), pageSize: parameters.lenientInt('pageSize', 1000) },
    rules.limits,
  );
  const subscribers = subscribersOf(registry.core, service);
  return jsonAnswer(200, subscribersJson(pageSlice(subscribers, page), subscribers.length));
}

/** Subscribers of all services whose name and group contain the wanted ones. Equal lines are one: a client that asks for several sets of clusters is one subscriber to its operator. */
export function subscribersOf(core: RegistryCore, wanted: ServiceKey): readonly ShownSubscriber[] {
  const lines = new Map<string, ShownSubscriber>();
  for (const { key, subscribers } of core.subscribedServices()) {
    if (key.namespace !== wanted.namespace) continue;
    if (!key.name.includes(wanted.name) || !key.group.includes(wanted.group)) continue;
    for (const { ip, port, agent, app, clusters } of subscribers.values()) {
      lines.set(JSON.stringify([key.id, ip, port, agent, app]), { service: key, ip, port, agent, app, clusters });
    }
  }
  return [...lines.values()];
}
