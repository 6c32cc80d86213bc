// `/catalog/service`, `/catalog/instances`: what consoles read of one service. Source: Nacos 1.4.8 CatalogController; contract 8.1, 8.2.

import {
  catalogInstancesJson,
  catalogServiceJson,
  type Parameters,
  pageOf,
  RegistryError,
  readServiceKey,
} from '@rollcall/protocol';
import type { ServiceView } from '../../core/service-view.js';
import { PAGE_PARAMETERS, SERVICE_PARAMETERS } from '../http/described-parameters.js';
import { type HttpAnswer, jsonAnswer } from '../http/http-answer.js';
import type { HttpRequest } from '../http/http-request.js';
import type { Route } from '../http/route.js';
import { pageSlice } from '../listings/page-slice.js';
import { CATALOG_INSTANCES_BODY, CATALOG_SERVICE_BODY } from './answer-schemas.js';
import type { HttpV1Context } from './http-v1-context.js';
import { shownClusters } from './shown-cluster.js';

/** The routes. */
export function catalogRoutes(context: HttpV1Context): readonly Route[] {
  return [
    {
      method: 'GET',
      path: '/v1/ns/catalog/service',
      summary: 'Settings of a service and of its clusters',
      produces: CATALOG_SERVICE_BODY,
      parameters: SERVICE_PARAMETERS,
      handle: ({ parameters }) => {
        const view = foundView(context, parameters);
        return jsonAnswer(200, catalogServiceJson({ key: view.key, ...view.definition }, shownClusters(view)));
      },
    },
    {
      method: 'GET',
      path: '/v1/ns/catalog/instances',
      summary: 'All instances of a cluster with their real health, disabled ones too',
      produces: CATALOG_INSTANCES_BODY,
      parameters: [
        ...SERVICE_PARAMETERS,
        { name: 'clusterName', description: 'Cluster', required: true },
        ...PAGE_PARAMETERS,
      ],
      handle: (request) => instances(context, request),
    },
  ];
}

function instances(context: HttpV1Context, { parameters }: HttpRequest): HttpAnswer {
  parameters.boundRequired('serviceName');
  const cluster = parameters.boundRequired('clusterName');
  const pageNo = parameters.boundRequiredInt('pageNo');
  const page = pageOf({ pageNo, pageSize: parameters.boundRequiredInt('pageSize') }, context.rules.limits);
  const view = foundView(context, parameters);
  if (!view.clusters.includes(cluster)) throw new RegistryError('not-found', `cluster ${cluster} is not found!`);
  const hosts = view.hosts.filter((host) => host.cluster === cluster);
  return jsonAnswer(200, catalogInstancesJson(view.key, pageSlice(hosts, page), hosts.length));
}

function foundView({ registry, rules }: HttpV1Context, parameters: Parameters): ServiceView {
  const service = readServiceKey(parameters, 'bound');
  rules.names.checkService(service);
  const view = registry.core.view(service.id);
  if (view !== undefined) return view;
  throw new RegistryError('not-found', `service ${service.grouped} is not found!`, {
    details: { service: service.id },
  });
}
