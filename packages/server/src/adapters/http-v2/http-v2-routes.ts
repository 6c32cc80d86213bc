// All routes of HTTP v2.

import { checkNamingParameters, type Parameters, TERSE_CLIENT_ANSWERS } from '@rollcall/protocol';
import type { Route } from '../http/route.js';
import { TERSE_CLIENT_BODIES } from '../http-results/answer-schemas.js';
import { ClientDirectory } from '../http-results/client-directory.js';
import { clientRoutes } from '../http-results/client-routes.js';
import type { HttpResultOptions } from '../http-results/http-result-context.js';
import { resultRoute } from '../http-results/result-route.js';
import { beatRoutes } from './beat-routes.js';
import { instanceListRoutes } from './instance-list-routes.js';
import { instanceRoutes } from './instance-routes.js';
import { groupServiceRoutes } from './service-routes.js';

/** The routes, in the order of the API description. */
export function httpV2Routes(options: HttpResultOptions): readonly Route[] {
  const context = { ...options, via: 'http-v2' } as const;
  const check = (parameters: Parameters): void => checkNamingParameters(parameters, options.rules.names);
  const ofNaming = [
    ...instanceRoutes(context),
    ...beatRoutes(context),
    ...instanceListRoutes(context, options.pushTargets),
    ...groupServiceRoutes(context, options.sortedServices),
    ...clientRoutes(new ClientDirectory(options.registry.core, options.connectedClients), {
      path: '/v2/ns/client',
      answers: TERSE_CLIENT_ANSWERS,
      bodies: TERSE_CLIENT_BODIES,
      filtersByKind: 'by-kind',
    }),
  ];
  return ofNaming.map((route) => resultRoute(route, check));
}
