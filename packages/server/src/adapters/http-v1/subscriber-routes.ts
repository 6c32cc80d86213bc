// `/service/subscribers`: who is told of changes. Source: Nacos 1.4.8 SubscribeManager, PushService; contract 7.7.

import { pageOf, readServiceKey, subscribersJson } from '@rollcall/protocol';
import { SERVICE_PARAMETERS } from '../http/described-parameters.js';
import { type HttpAnswer, jsonAnswer } from '../http/http-answer.js';
import type { HttpRequest } from '../http/http-request.js';
import type { Route } from '../http/route.js';
import { matchingSubscribers } from '../listings/matching-subscribers.js';
import { pageSlice } from '../listings/page-slice.js';
import { SUBSCRIBERS_BODY } from './answer-schemas.js';
import type { HttpV1Context } from './http-v1-context.js';

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
  const subscribers = matchingSubscribers(registry.core, service);
  return jsonAnswer(200, subscribersJson(pageSlice(subscribers, page), subscribers.length));
}
