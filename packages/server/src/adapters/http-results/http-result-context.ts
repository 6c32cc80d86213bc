// What the handlers of HTTP v2 and v3 work with.

import type { FormRules } from '@rollcall/protocol';
import type { Logger } from '@rollcall/runtime';
import type { Actor } from '../../core/actor.js';
import type { HttpRequest } from '../http/http-request.js';
import type { ClaimOrigin } from '../instance-changes/instance-claim.js';
import type { SubscribersElsewhere } from '../listings/cluster-subscribers.js';
import type { SortedServices } from '../listings/sorted-services.js';
import type { ServerIdentity } from '../operator/server-identity.js';
import type { PushTargets } from '../push-targets.js';
import type { RegistryAccess } from '../registry-access.js';
import type { ConnectedClients } from './client-directory.js';

/** The registry, the rules of 2.x that requests are read by, and the version that is spoken. */
export interface HttpResultContext {
  readonly registry: RegistryAccess;
  readonly rules: FormRules;
  readonly logger: Logger;
  readonly via: 'http-v2' | 'http-v3';
}

/** What all routes of v2 and v3 are made from. */
export interface HttpResultOptions extends Omit<HttpResultContext, 'via'> {
  /** Where pushes may go. */
  readonly pushTargets: PushTargets;
  /** Clients that are connected. */
  readonly connectedClients: ConnectedClients;
  /** Called once the server listens. */
  readonly identity: () => ServerIdentity;
  /** Shared with other listings. */
  readonly sortedServices: SortedServices;
  /** Undefined for a server alone. */
  readonly subscribersElsewhere?: SubscribersElsewhere | undefined;
}

/** Who is behind a request. */
export function resultActor({ via }: HttpResultContext, request: HttpRequest): Actor & { readonly address: string } {
  return { via, address: request.remoteAddress };
}

/** Who registers; v2 and v3 do not mix kinds in a service. */
export function resultOrigin(context: HttpResultContext, request: HttpRequest): ClaimOrigin {
  return { actor: resultActor(context, request), kindRule: 'single' };
}
