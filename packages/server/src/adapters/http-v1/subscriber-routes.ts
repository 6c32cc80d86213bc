// `/service/subscribers`: who is told of changes. Source: Nacos 1.4.8 SubscribeManager, PushService; contract 7.7.

import { keptServiceKey, pageOf, readServiceKey, type ShownSubscriber, subscribersJson } from '@rollcall/protocol';
import { SERVICE_PARAMETERS } from '../http/described-parameters.js';
import { type HttpAnswer, jsonAnswer } from '../http/http-answer.js';
import type { HttpRequest } from '../http/http-request.js';
import type { Route } from '../http/route.js';
import { joinedSubscribers, type SubscribersElsewhere } from '../listings/cluster-subscribers.js';
import { matchingSubscribers } from '../listings/matching-subscribers.js';
import { pageSlice } from '../listings/page-slice.js';
import { SUBSCRIBERS_BODY } from './answer-schemas.js';
import type { HttpV1Context } from './http-v1-context.js';

/** The route. @param elsewhere - undefined for a server alone */
export function subscriberRoutes(
  context: HttpV1Context,
  elsewhere: SubscribersElsewhere | undefined,
): readonly Route[] {
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
        { name: 'aggregation', description: 'Ask all nodes', type: 'boolean', defaultValue: 'true' },
      ],
      handle: (request) => list(context, elsewhere, request),
    },
  ];
}

function list(
  { registry, rules }: HttpV1Context,
  elsewhere: SubscribersElsewhere | undefined,
  { parameters }: HttpRequest,
): HttpAnswer | Promise<HttpAnswer> {
  const service = readServiceKey(parameters);
  rules.names.checkService(service);
  const page = pageOf(
    { pageNo: parameters.lenientInt('pageNo', 1), pageSize: parameters.lenientInt('pageSize', 1000) },
    rules.limits,
  );
  const here = matchingSubscribers(registry.core, service);
  const answerOf = (all: readonly ShownSubscriber[]): HttpAnswer =>
    jsonAnswer(200, subscribersJson(pageSlice(all, page), all.length));
  if (elsewhere === undefined || !parameters.strictBoolean('aggregation', true)) return answerOf(here);
  return elsewhere(keptServiceKey(service)).then((there) => answerOf(joinedSubscribers([here, there])));
}
