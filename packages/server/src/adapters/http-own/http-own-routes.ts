// All routes of our own: the page for browsers and `/rollcall/v1/…`, for the command line and operators.

import type { Ledger } from '../../core/ledger/ledger.js';
import type { ConnectionDrain } from '../grpc/connection-drain.js';
import type { Route } from '../http/route.js';
import type { ServerState } from '../operator/server-identity.js';
import { drainRoutes } from './drain-routes.js';
import { HistoryFollow } from './history-follow.js';
import type { HttpOwnContext } from './http-own-context.js';
import { instanceRoutes } from './instance-routes.js';
import { ledgerRoutes } from './ledger-routes.js';
import { memberRoutes } from './member-routes.js';
import { ServiceWatches } from './service-watches.js';
import { statusRoutes } from './status-routes.js';
import { subscriberRoutes } from './subscriber-routes.js';
import { welcomeRoute } from './welcome-page.js';

/** The routes, and the end of what they keep open. */
export interface HttpOwnRoutes {
  /** In the order of the API description. */
  readonly routes: readonly Route[];
  /** Ends all watches. */
  close(): void;
}

/** Parts of the server that some of the routes show. */
export interface HttpOwnParts {
  readonly drain: ConnectionDrain;
  /** Undefined when no history is kept. */
  readonly ledger: Ledger | undefined;
  /** Asked at each request. */
  readonly state: () => ServerState;
  /** Undefined for a server alone. */
  readonly clusterName: string | undefined;
}

/** Makes the routes. */
export function httpOwnRoutes(
  context: HttpOwnContext,
  { drain, ledger, state, clusterName }: HttpOwnParts,
): HttpOwnRoutes {
  const watches = new ServiceWatches(context);
  const follow = new HistoryFollow(context, ledger);
  return {
    routes: [
      welcomeRoute(context),
      ...statusRoutes(context, state),
      ...memberRoutes(state, clusterName),
      ...instanceRoutes(context),
      ...subscriberRoutes(context),
      ...ledgerRoutes(context, ledger),
      ...drainRoutes(drain),
      watches.route,
      follow.route,
    ],
    close: () => {
      watches.close();
      follow.close();
    },
  };
}
