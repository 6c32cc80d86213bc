// `/catalog/services`: the overview of all services, with the ways of paging that consoles know of 1.4.8.
// Source: Nacos 1.4.8 CatalogController.listDetail, ServiceManager.getPagedService; contract 8.3.

import {
  catalogServicesJson,
  catalogServicesWithInstancesJson,
  type Page,
  type Parameters,
  pageOf,
  type ServiceWithInstances,
} from '@rollcall/protocol';
import type { Service } from '../../core/service.js';
import type { InstanceView } from '../../core/service-view.js';
import { NAMESPACE_PARAMETERS, PAGE_PARAMETERS } from '../http/described-parameters.js';
import { type HttpAnswer, JSON_TYPE, jsonAnswer } from '../http/http-answer.js';
import type { HttpRequest } from '../http/http-request.js';
import type { Route } from '../http/route.js';
import { slicedJsonArray } from '../http/sliced-json.js';
import { pageSlice } from '../listings/page-slice.js';
import { patternOf, searchedServices, serviceSummary, type WantedServices } from '../listings/service-search.js';
import type { SortedServices } from '../listings/sorted-services.js';
import { CATALOG_SERVICES_BODY } from './answer-schemas.js';
import type { HttpV1Context } from './http-v1-context.js';

/** The route. */
export function catalogServicesRoutes(context: HttpV1Context, sorted: SortedServices): readonly Route[] {
  return [
    {
      method: 'GET',
      path: '/v1/ns/catalog/services',
      summary: 'Services of a namespace with their counts, or with their instances, sorted by name',
      produces: CATALOG_SERVICES_BODY,
      parameters: [
        ...NAMESPACE_PARAMETERS,
        ...PAGE_PARAMETERS,
        { name: 'serviceNameParam', description: 'Pattern that is searched in the name' },
        { name: 'groupNameParam', description: 'Pattern that is searched in the group' },
        { name: 'instance', description: 'Only services with this ip or ip:port' },
        { name: 'hasIpCount', description: 'Hide empty services', type: 'boolean', defaultValue: 'false' },
        {
          name: 'withInstances',
          description: 'Show the instances; pages count from 0 then, instance and hasIpCount do nothing',
          type: 'boolean',
          defaultValue: 'false',
        },
      ],
      handle: (request) => services(context, sorted, request),
    },
  ];
}

function services(
  { rules }: HttpV1Context,
  sorted: SortedServices,
  { parameters }: HttpRequest,
): HttpAnswer | Promise<HttpAnswer> {
  const withInstances = parameters.boundBoolean('withInstances');
  const wanted = wantedBy(parameters, withInstances);
  const pageNo = parameters.boundRequiredInt('pageNo') + (withInstances ? 1 : 0);
  // 1.4.8 gives one entry for a size below 1.
  const pageSize = Math.max(1, parameters.boundRequiredInt('pageSize'));
  const found = searchedServices(sorted.of(parameters.bound('namespaceId', 'public')), wanted);
  const shown = pageOfFound(found, pageOf({ pageNo, pageSize }, rules.limits));
  return withInstances
    ? instancesAnswer(shown)
    : jsonAnswer(200, catalogServicesJson(shown.map(serviceSummary), found.length));
}

async function instancesAnswer(shown: readonly Service[]): Promise<HttpAnswer> {
  const body = await slicedJsonArray(shown, (service) =>
    catalogServicesWithInstancesJson([withHosts(service)]).slice(1, -1),
  );
  return { status: 200, contentType: JSON_TYPE, body };
}

function wantedBy(parameters: Parameters, withInstances: boolean): WantedServices {
  const withInstancesOnly = parameters.boundBoolean('hasIpCount');
  return {
    name: patternOf(parameters.bound('serviceNameParam', '')),
    group: patternOf(parameters.bound('groupNameParam', '')),
    instance: withInstances ? '' : parameters.bound('instance', ''),
    withInstancesOnly: !withInstances && withInstancesOnly,
  };
}

/** What fits on one page is shown whatever its number is. */
function pageOfFound(found: readonly Service[], page: Page): readonly Service[] {
  return page.pageSize >= found.length ? found : pageSlice(found, page);
}

function withHosts(service: Service): ServiceWithInstances {
  const { key, definition, clusters, hosts } = service.view();
  const byCluster = new Map<string, InstanceView[]>(clusters.map((cluster) => [cluster, []]));
  for (const host of hosts) byCluster.get(host.cluster)?.push(host);
  return { key, metadata: definition.metadata, clusters: byCluster };
}
