// `/v3/admin/ns/service`. Source: Nacos 3.0.3 ServiceControllerV3; contract 7.3.

import {
  adminServiceJson,
  keptServiceKey,
  type Page,
  pageFrame,
  readServicePatternQuery,
  readSubscriberQuery,
  type ShownSubscriber,
  serviceSummaryJson,
  serviceWithHostsJson,
  subscriberInfoJson,
} from '@rollcall/protocol';
import type { Service } from '../../core/service.js';
import type { InstanceView } from '../../core/service-view.js';
import { preparedAnswer } from '../http/answer-head.js';
import { NAMESPACE_PARAMETERS, SERVICE_PARAMETERS } from '../http/described-parameters.js';
import type { HttpAnswer } from '../http/http-answer.js';
import type { HttpRequest } from '../http/http-request.js';
import type { AnswerRoute, RouteParameter } from '../http/route.js';
import {
  ADMIN_SERVICE_BODY,
  SERVICE_PAGE_BODY,
  SUBSCRIBER_PAGE_BODY,
  TEXTS_RESULT_BODY,
} from '../http-results/answer-schemas.js';
import type { HttpResultContext, HttpResultOptions } from '../http-results/http-result-context.js';
import { goodResult, listResult } from '../http-results/result-answer.js';
import { serviceRoutes } from '../http-results/service-routes.js';
import { hostsJson } from '../http-results/shown-hosts.js';
import { joinedSubscribers, type SubscribersElsewhere } from '../listings/cluster-subscribers.js';
import { matchingSubscribers } from '../listings/matching-subscribers.js';
import { pageSlice } from '../listings/page-slice.js';
import { patternOf, searchedServices, serviceSummary } from '../listings/service-search.js';
import type { SortedServices } from '../listings/sorted-services.js';

const PATH = '/v3/admin/ns/service';
const SELECTOR_TYPES = preparedAnswer(goodResult('["none","label"]'));

const PAGE: readonly RouteParameter[] = [
  { name: 'pageNo', description: 'Page, 1 is the first', type: 'integer', defaultValue: '1' },
  { name: 'pageSize', description: 'Entries of a page', type: 'integer', defaultValue: '100' },
];

/** The routes. */
export function adminServiceRoutes(
  context: HttpResultContext,
  { sortedServices: sorted, subscribersElsewhere }: Pick<HttpResultOptions, 'sortedServices' | 'subscribersElsewhere'>,
): readonly AnswerRoute[] {
  return [
    ...serviceRoutes(context, {
      path: PATH,
      source: 'form',
      detailJson: adminServiceJson,
      detailBody: ADMIN_SERVICE_BODY,
    }),
    {
      method: 'GET',
      path: `${PATH}/list`,
      summary: 'Services of a namespace with their counts, or with their instances, sorted by group and name',
      produces: SERVICE_PAGE_BODY,
      parameters: [
        ...NAMESPACE_PARAMETERS,
        { name: 'serviceNameParam', description: 'Pattern that is searched in the name' },
        { name: 'groupNameParam', description: 'Pattern that is searched in the group' },
        { name: 'ignoreEmptyService', description: 'Hide empty ones', type: 'boolean', defaultValue: 'false' },
        { name: 'withInstances', description: 'Show the instances', type: 'boolean', defaultValue: 'false' },
        ...PAGE,
      ],
      handle: (request) => list(context, sorted, request),
    },
    {
      method: 'GET',
      path: `${PATH}/subscribers`,
      summary: 'Subscribers of all services whose name and group contain the given ones',
      produces: SUBSCRIBER_PAGE_BODY,
      parameters: [
        ...SERVICE_PARAMETERS,
        { name: 'aggregation', description: 'Ask all nodes', type: 'boolean', defaultValue: 'true' },
        ...PAGE,
      ],
      handle: (request) => subscribers(context, subscribersElsewhere, request),
    },
    {
      method: 'GET',
      path: `${PATH}/selector/types`,
      summary: 'Selector types that a service may have',
      produces: TEXTS_RESULT_BODY,
      handle: () => SELECTOR_TYPES,
    },
  ];
}

function list(
  { rules }: HttpResultContext,
  sorted: SortedServices,
  { parameters }: HttpRequest,
): HttpAnswer | Promise<HttpAnswer> {
  const query = readServicePatternQuery(parameters, rules);
  const found = searchedServices(sorted.of(query.namespace), {
    name: patternOf(query.namePattern),
    group: patternOf(query.groupPattern),
    instance: '',
    withInstancesOnly: query.ignoreEmpty && !query.withInstances,
  });
  const shown = pageSlice(found, query);
  if (query.withInstances) return listResult(shown, withHosts, pageFrame(query, found.length));
  return goodResult(
    pageJson(
      shown.map((service) => serviceSummaryJson(serviceSummary(service))),
      query,
      found.length,
    ),
  );
}

function subscribers(
  { registry, rules }: HttpResultContext,
  elsewhere: SubscribersElsewhere | undefined,
  { parameters }: HttpRequest,
): HttpAnswer | Promise<HttpAnswer> {
  const query = readSubscriberQuery(parameters, rules);
  const here = matchingSubscribers(registry.core, query.service);
  const answerOf = (all: readonly ShownSubscriber[]): HttpAnswer =>
    goodResult(pageJson(pageSlice(all, query).map(subscriberInfoJson), query, all.length));
  if (elsewhere === undefined || !query.ofAllNodes) return answerOf(here);
  return elsewhere(keptServiceKey(query.service)).then((there) => answerOf(joinedSubscribers([here, there])));
}

function pageJson(items: readonly string[], page: Page, totalCount: number): string {
  const [before, after] = pageFrame(page, totalCount);
  return `${before}[${items.join(',')}]${after}`;
}

function withHosts(service: Service): string {
  const { key, definition, clusters, hosts } = service.view();
  const byCluster = new Map<string, InstanceView[]>(clusters.map((cluster) => [cluster, []]));
  for (const host of hosts) byCluster.get(host.cluster)?.push(host);
  const hostsJsonByCluster = new Map(
    [...byCluster].map(([cluster, inCluster]) => [cluster, hostsJson(key, inCluster)]),
  );
  return serviceWithHostsJson({ key, metadata: definition.metadata, hostsJsonByCluster });
}
