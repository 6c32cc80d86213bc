// All routes of HTTP v3: those for applications and those for operators, both on the main port.

import { checkNamingParameters, type Parameters } from '@rollcall/protocol';
import type { Route } from '../http/route.js';
import type { HttpResultOptions } from '../http-results/http-result-context.js';
import { resultRoute } from '../http-results/result-route.js';
import { adminInstanceRoutes } from './admin-instance-routes.js';
import { adminServiceRoutes } from './admin-service-routes.js';
import { clientInstanceRoutes } from './client-instance-routes.js';

/** The routes, in the order of the API description. */
export function httpV3Routes(options: HttpResultOptions): readonly Route[] {
  const context = { ...options, via: 'http-v3' } as const;
  const check = (parameters: Parameters): void => checkNamingParameters(parameters, options.rules.names);
  const ofNaming = [
    ...clientInstanceRoutes(context),
    ...adminInstanceRoutes(context),
    ...adminServiceRoutes(context, options.sortedServices),
  ];
  return ofNaming.map((route) => resultRoute(route, check));
}
