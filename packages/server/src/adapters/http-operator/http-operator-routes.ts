// All routes of HTTP v2 and v3 for those who run the server: switches, metrics, health, clusters, members, state, namespaces,
// connections.

import { checkNamespaceParameters, checkNamingParameters, type Parameters } from '@rollcall/protocol';
import type { Route } from '../http/route.js';
import { resultRoute } from '../http-results/result-route.js';
import { catalogRoutes } from './catalog-routes.js';
import { clusterRoutes } from './cluster-routes.js';
import { healthRoutes } from './health-routes.js';
import type { HttpOperatorOptions } from './http-operator-context.js';
import { bareLoaderRoutes, loaderRoutes } from './loader-routes.js';
import { logRoutes } from './log-routes.js';
import { memberRoutes } from './member-routes.js';
import { metricsRoutes } from './metrics-routes.js';
import { namespaceRoutes } from './namespace-routes.js';
import { notOfferedRoutes } from './not-offered-routes.js';
import { stateRoutes } from './state-routes.js';
import { switchRoutes } from './switch-routes.js';

/** The routes, in the order of the API description. */
export function httpOperatorRoutes(options: HttpOperatorOptions): readonly Route[] {
  const { rules } = options;
  const checkNames = (parameters: Parameters): void => checkNamingParameters(parameters, rules.names);
  const checkNamespace = (parameters: Parameters): void => checkNamespaceParameters(parameters, rules);
  const ofNaming = [...healthRoutes(options), ...clusterRoutes(options)];
  const unchecked = [
    ...metricsRoutes(options),
    ...switchRoutes(options),
    ...logRoutes(),
    ...memberRoutes(options),
    ...stateRoutes(options),
    ...loaderRoutes(options),
    ...notOfferedRoutes(),
  ];
  return [
    ...ofNaming.map((route) => resultRoute(route, checkNames)),
    ...unchecked.map((route) => resultRoute(route)),
    ...namespaceRoutes(options).map((route) => resultRoute(route, checkNamespace)),
    ...catalogRoutes(options),
    ...bareLoaderRoutes(options),
  ];
}
