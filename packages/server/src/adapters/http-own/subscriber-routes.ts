// `/rollcall/v1/subscribers`: who is told of changes, what each was told last, and whether it answered.

import { pageOf } from '@rollcall/protocol';
import type { Service } from '../../core/service.js';
import type { Subscriber } from '../../core/subscriber.js';
import { type HttpAnswer, jsonAnswer } from '../http/http-answer.js';
import type { HttpRequest } from '../http/http-request.js';
import type { Route } from '../http/route.js';
import { pageSlice } from '../listings/page-slice.js';
import { type HttpOwnContext, NAMESPACE_PARAMETER } from './http-own-context.js';
import { SUBSCRIBERS_BODY } from './own-answer-schemas.js';
import type { SubscriberLine, SubscribersAnswer } from './own-answers.js';

/** The route. */
export function subscriberRoutes(context: HttpOwnContext): readonly Route[] {
  return [
    {
      method: 'GET',
      path: '/rollcall/v1/subscribers',
      summary: 'Subscribers with what they were told last and whether they answered',
      produces: SUBSCRIBERS_BODY,
      parameters: [
        { ...NAMESPACE_PARAMETER, description: 'Namespace; `*` for all' },
        { name: 'groupName', description: 'Group; `*` for all', defaultValue: '*' },
        { name: 'serviceName', description: 'Service without its group; `*` for all', defaultValue: '*' },
        { name: 'pageNo', description: 'Page, 1 is the first', type: 'integer', defaultValue: '1' },
        { name: 'pageSize', description: 'Subscribers of a page', type: 'integer', defaultValue: '1000' },
      ],
      handle: (request) => list(context, request),
    },
  ];
}

function list({ registry, rules }: HttpOwnContext, { parameters }: HttpRequest): HttpAnswer {
  const namespace = parameters.optional('namespaceId', 'public');
  const group = parameters.optional('groupName', '*');
  const name = parameters.optional('serviceName', '*');
  const page = pageOf(
    { pageNo: parameters.int('pageNo', 1), pageSize: parameters.int('pageSize', 1000) },
    rules.limits,
  );
  const found = [...registry.core.subscribedServices()].filter(
    ({ key }) =>
      (namespace === '*' || key.namespace === namespace) &&
      (group === '*' || key.group === group) &&
      (name === '*' || key.name === name),
  );
  const subscribers = found.flatMap((service) => [...service.subscribers.values()].map((each) => ({ service, each })));
  const { mono } = registry.now();
  const shown = pageSlice(subscribers, page).map(({ service, each }) => subscriberLine(service, each, mono));
  const answer: SubscribersAnswer = { count: subscribers.length, subscribers: shown };
  return jsonAnswer(200, JSON.stringify(answer));
}

function subscriberLine({ key, refTime }: Service, subscriber: Subscriber, now: number): SubscriberLine {
  const { transport, ip, port, connection, clusters, agent, app, outstanding, expiresAt } = subscriber;
  const { lastAcknowledgedRefTime, lastQueriedRefTime, pushed, resent, givenUp, failed } = subscriber;
  return {
    namespaceId: key.namespace,
    groupName: key.group,
    serviceName: key.name,
    transport,
    ip,
    ...(transport === 'udp' ? { port } : { connection }),
    clusters,
    agent,
    app,
    version: refTime,
    knownVersion: Math.max(lastAcknowledgedRefTime, lastQueriedRefTime),
    lastQueried: subscriber.lastQueriedAt || null,
    lastPushed: subscriber.lastPushedAt || null,
    lastAcknowledged: subscriber.lastAcknowledgedAt || null,
    outstanding:
      outstanding === undefined
        ? null
        : {
            version: outstanding.view.refTime,
            sends: outstanding.attempts,
            waitsMs: Math.round(now - outstanding.sentAt),
          },
    pushed,
    resent,
    givenUp,
    failed,
    ...(expiresAt !== undefined && { forgottenInMs: Math.max(0, Math.round(expiresAt - now)) }),
  };
}
