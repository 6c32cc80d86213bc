// All routes of HTTP v1.

import type { Route } from '../http/route.js';
import type { SubscribersElsewhere } from '../listings/cluster-subscribers.js';
import { SortedServices } from '../listings/sorted-services.js';
import type { ClusterView } from '../operator/cluster-view.js';
import { type ServerIdentity, type ServerState, serverStateOf } from '../operator/server-identity.js';
import { SwitchBoard } from '../operator/switch-board.js';
import type { ProbeTimesOf } from '../probes/probe-times.js';
import { PushStatistics } from '../push-statistics.js';
import { PushTargets } from '../push-targets.js';
import type { RegistryAccess } from '../registry-access.js';
import type { RegistryEvents } from '../registry-events.js';
import { beatRoutes } from './beat-routes.js';
import { catalogProbeRoutes } from './catalog-probe-routes.js';
import { catalogRoutes } from './catalog-routes.js';
import { catalogServicesRoutes } from './catalog-services-routes.js';
import { clusterRoutes } from './cluster-routes.js';
import { healthRoutes } from './health-routes.js';
import type { HttpV1Context } from './http-v1-context.js';
import { instanceEditRoutes } from './instance-edit-routes.js';
import { instanceHealthRoutes } from './instance-health-routes.js';
import { instanceListRoutes } from './instance-list-routes.js';
import { instanceRoutes } from './instance-routes.js';
import { legacyApiRoutes } from './legacy-api-routes.js';
import { loginRoutes } from './login-routes.js';
import { metadataBatchRoutes } from './metadata-batch-routes.js';
import { namespaceRoutes } from './namespace-routes.js';
import { operatorClusterRoutes } from './operator-cluster-routes.js';
import { operatorLogRoutes } from './operator-log-routes.js';
import { operatorRoutes } from './operator-routes.js';
import { pushStateRoutes } from './push-state-routes.js';
import { serverStateRoutes } from './server-state-routes.js';
import { serviceListRoutes } from './service-list-routes.js';
import { serviceRoutes } from './service-routes.js';
import { subscriberRoutes } from './subscriber-routes.js';
import { switchRoutes } from './switch-routes.js';

/** What the routes are made from. */
export interface HttpV1Options extends HttpV1Context {
  readonly registry: RegistryAccess & RegistryEvents;
  /** Called once the server listens. */
  readonly identity: () => ServerIdentity;
  /** Undefined for a server alone. */
  readonly cluster?: ClusterView | undefined;
  /** Undefined for a server alone. */
  readonly subscribersElsewhere?: SubscribersElsewhere | undefined;
  /** Where pushes may go; without it only to the requester itself and within private networks. */
  readonly pushTargets?: PushTargets;
  /** Shared with metrics; without it counted from the events of the registry. */
  readonly pushStatistics?: PushStatistics;
  /** Shared with other listings; without it kept for these routes alone. */
  readonly sortedServices?: SortedServices;
  /** Shared with the other versions, so that a change in memory is known to all; without it for these routes alone. */
  readonly switchBoard?: SwitchBoard;
  /** How the probes of a cluster fare; without it as if none had been made. */
  readonly probeTimesOf?: ProbeTimesOf;
}

const OWN_TARGETS = new PushTargets({ sameHost: (ip) => [ip] });

/** The routes, in the order of the API description. */
export function httpV1Routes(options: HttpV1Options): readonly Route[] {
  const { registry, identity, pushTargets = OWN_TARGETS } = options;
  const { pushStatistics = new PushStatistics(registry), probeTimesOf = () => undefined } = options;
  const { sortedServices: sorted = new SortedServices(registry) } = options;
  const { switchBoard = new SwitchBoard(registry) } = options;
  const context: HttpV1Context = options;
  const state = (): ServerState => serverStateOf(identity(), registry.core, options.cluster);
  const ofInstances = [
    ...instanceRoutes(context),
    ...instanceEditRoutes(context),
    ...metadataBatchRoutes(context),
    ...beatRoutes(context),
    ...instanceListRoutes(context, pushTargets),
  ];
  return [
    ...ofInstances,
    ...legacyApiRoutes(context, ofInstances),
    ...serviceRoutes(context),
    ...serviceListRoutes(context, sorted),
    ...subscriberRoutes(context, options.subscribersElsewhere),
    ...clusterRoutes(context),
    ...catalogRoutes(context),
    ...catalogServicesRoutes(context, sorted),
    ...catalogProbeRoutes(context, probeTimesOf),
    ...instanceHealthRoutes(context, state),
    ...namespaceRoutes(context),
    ...switchRoutes(context, switchBoard),
    ...operatorRoutes(registry, state),
    ...operatorClusterRoutes(context, state, options.cluster),
    ...operatorLogRoutes(),
    ...pushStateRoutes(registry, pushStatistics),
    ...serverStateRoutes(registry, state),
    ...healthRoutes(state),
    ...loginRoutes(),
  ];
}
