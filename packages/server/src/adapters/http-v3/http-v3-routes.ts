// All routes of HTTP v3: those for applications and those for operators, both on the main port.

import { checkNamingParameters, FULL_CLIENT_ANSWERS, type Parameters } from '@rollcall/protocol';
import type { Route } from '../http/route.js';
import { FULL_CLIENT_BODIES } from '../http-results/answer-schemas.js';
import { ClientDirectory } from '../http-results/client-directory.js';
import { clientRoutes } from '../http-results/client-routes.js';
import type { HttpResultOptions } from '../http-results/http-result-context.js';
import { resultRoute } from '../http-results/result-route.js';
import { adminInstanceRoutes } from './admin-instance-routes.js';
import { adminServiceRoutes } from './admin-service-routes.js';
import { clientInstanceRoutes } from './client-instance-routes.js';
import { distroRoutes } from './distro-routes.js';

/** The routes, in the order of the API description. */
export function httpV3Routes(options: HttpResultOptions): readonly Route[] {
  const context = { ...options, via: 'http-v3' } as const;
  const check = (parameters: Parameters): void => checkNamingParameters(parameters, options.rules.names);
  const ofNaming = [
    ...clientInstanceRoutes(context),
    ...adminInstanceRoutes(context),
    ...adminServiceRoutes(context, options),
    ...clientRoutes(new ClientDirectory(options.registry.core, options.connectedClients), {
      path: '/v3/admin/ns/client',
      answers: FULL_CLIENT_ANSWERS,
      bodies: FULL_CLIENT_BODIES,
      filtersByKind: 'all-kinds',
    }),
    ...distroRoutes(options.identity),
  ];
  return ofNaming.map((route) => resultRoute(route, check));
}
