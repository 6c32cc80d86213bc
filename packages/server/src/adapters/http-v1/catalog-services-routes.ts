// `/catalog/services`: the overview of all services, with the ways of paging that consoles know of 1.4.8.
// Source: Nacos 1.4.8 CatalogController.listDetail, ServiceManager.getPagedService; contract 8.3.

import {
  catalogServicesJson,
  catalogServicesWithInstancesJson,
  type Page,
  type Parameters,
  pageOf,
  type ServiceSummary,
  type ServiceWithInstances,
} from '@rollcall/protocol';
import { isProtecting } from '../../core/host-selection.js';
import type { Service } from '../../core/service.js';
import type { InstanceView } from '../../core/service-view.js';
import { type HttpAnswer, jsonAnswer } from '../http/http-answer.js';
import type { HttpRequest } from '../http/http-request.js';
import type { Route } from '../http/route.js';
import { NAMESPACE_PARAMETERS, PAGE_PARAMETERS } from './described-parameters.js';
import type { HttpV1Context } from './http-v1-context.js';
import { NamePattern } from './name-pattern.js';
import { pageSlice } from './page-slice.js';

/** Which services are wanted. */
interface Wanted {
  readonly namespace: string;
  readonly name: NamePattern;
  readonly group: NamePattern;
  /** Only services with this `ip` or `ip:port`; empty for all. */
  readonly instance: string;
  readonly withInstancesOnly: boolean;
}

/** The route. */
export function catalogServicesRoutes(context: HttpV1Context): readonly Route[] {
  return [
    {
      method: 'GET',
      path: '/v1/ns/catalog/services',
      summary: 'Services of a namespace with their counts, or with their instances, sorted by name',
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
      handle: (request) => services(context, request),
    },
  ];
}

function services({ registry, rules }: HttpV1Context, { parameters }: HttpRequest): HttpAnswer {
  const withInstances = parameters.boundBoolean('withInstances');
  const wanted = wantedBy(parameters, withInstances);
  const pageNo = parameters.boundRequiredInt('pageNo') + (withInstances ? 1 : 0);
  // 1.4.8 gives one entry for a size below 1.
  const pageSize = Math.max(1, parameters.boundRequiredInt('pageSize'));
  const found: Service[] = [];
  for (const service of registry.core.services()) if (isWanted(service, wanted)) found.push(service);
  found.sort(byName);
  const shown = pageOfFound(found, pageOf({ pageNo, pageSize }, rules.limits));
  return jsonAnswer(
    200,
    withInstances
      ? catalogServicesWithInstancesJson(shown.map(withHosts))
      : catalogServicesJson(shown.map(summary), found.length),
  );
}

function wantedBy(parameters: Parameters, withInstances: boolean): Wanted {
  const withInstancesOnly = parameters.boundBoolean('hasIpCount');
  return {
    namespace: parameters.bound('namespaceId', 'public'),
    name: new NamePattern(parameters.bound('serviceNameParam', '')),
    group: new NamePattern(parameters.bound('groupNameParam', '')),
    instance: withInstances ? '' : parameters.bound('instance', ''),
    withInstancesOnly: !withInstances && withInstancesOnly,
  };
}

function isWanted(service: Service, wanted: Wanted): boolean {
  const { key, records, instanceCount } = service;
  if (key.namespace !== wanted.namespace || (wanted.withInstancesOnly && instanceCount === 0)) return false;
  if (!wanted.name.isIn(key.name) || !wanted.group.isIn(key.group)) return false;
  const { instance } = wanted;
  if (instance === '') return true;
  return records.some(({ address: { ip, port } }) => ip === instance || `${ip}:${port}` === instance);
}

/** What fits on one page is shown whatever its number is. */
function pageOfFound(found: readonly Service[], page: Page): readonly Service[] {
  return page.pageSize >= found.length ? found : pageSlice(found, page);
}

function summary({ key, clusters, instanceCount, healthyCount, definition }: Service): ServiceSummary {
  return {
    key,
    clusterCount: clusters.size,
    instanceCount,
    healthyInstanceCount: healthyCount,
    protected: isProtecting(healthyCount, instanceCount, definition.protectThreshold),
  };
}

function withHosts(service: Service): ServiceWithInstances {
  const { key, definition, clusters, hosts } = service.view();
  const byCluster = new Map<string, InstanceView[]>(clusters.map((cluster) => [cluster, []]));
  for (const host of hosts) byCluster.get(host.cluster)?.push(host);
  return { key, metadata: definition.metadata, clusters: byCluster };
}

function byName({ key: a }: Service, { key: b }: Service): number {
  return a.grouped < b.grouped ? -1 : 1;
}
