// What the operators' routes of HTTP v2 and v3 work with.

import type { RouteMethod } from '../http/route.js';
import type { ConnectedClients } from '../http-results/client-directory.js';
import type { HttpResultContext } from '../http-results/http-result-context.js';
import type { ClusterLoads } from '../operator/cluster-loads.js';
import type { MoveTarget } from '../operator/move-target.js';
import type { ServerState } from '../operator/server-identity.js';
import type { SwitchBoard } from '../operator/switch-board.js';

/** What the routes are made from. */
export interface HttpOperatorOptions extends Omit<HttpResultContext, 'via'> {
  /** Asked at each request. */
  readonly state: () => ServerState;
  /** Shared with HTTP v1. */
  readonly switchBoard: SwitchBoard;
  readonly connectedClients: ConnectedClients;
  /** Asks a connected client to go elsewhere; it may stay. @returns whether it could be asked */
  readonly resetClient: (id: string, target: MoveTarget | undefined) => boolean;
  /** Undefined for a server alone. */
  readonly clusterLoads?: ClusterLoads | undefined;
}

/** The same with the version that is spoken. */
export type HttpOperatorContext = HttpOperatorOptions & HttpResultContext;

/** Where a question is asked on each version. */
export interface VersionedPath {
  readonly via: HttpResultContext['via'];
  readonly path: string;
  /** Default GET. */
  readonly method?: RouteMethod;
}

/** Something that is asked on v2 under one path, and on v3 under another. */
export function onBoth(v2: string, v3: string): readonly VersionedPath[] {
  return [
    { via: 'http-v2', path: v2 },
    { via: 'http-v3', path: v3 },
  ];
}
