// What the handlers of our own routes work with.

import { type FormRules, keptServiceKey, type Parameters, readServiceKey, type ServiceKey } from '@rollcall/protocol';
import type { Actor } from '../../core/actor.js';
import type { HttpRequest } from '../http/http-request.js';
import type { RouteParameter } from '../http/route.js';
import type { RegistryAccess } from '../registry-access.js';
import type { RegistryEvents } from '../registry-events.js';
import type { ServerFacts } from './server-facts.js';

/** The registry, the rules that requests are read by, and what the server is. */
export interface HttpOwnContext {
  readonly registry: RegistryAccess & RegistryEvents;
  readonly rules: FormRules;
  /** Called once the server listens. */
  readonly facts: () => ServerFacts;
}

/** Who is behind a request to our own routes: an operator, by console or command line. */
export function operatorOf(request: HttpRequest): Actor {
  return { via: 'operator', address: request.remoteAddress };
}

/** The service that a request names, checked. */
export function namedService(parameters: Parameters, { rules }: HttpOwnContext): ServiceKey {
  const service = keptServiceKey(readServiceKey(parameters));
  rules.names.checkService(service);
  return service;
}

/** Namespace of a listing. */
export const NAMESPACE_PARAMETER: RouteParameter = {
  name: 'namespaceId',
  description: 'Namespace',
  defaultValue: 'public',
};

/** Which service is meant. */
export const SERVICE_PARAMETERS: readonly RouteParameter[] = [
  { name: 'serviceName', description: 'Service, bare or as group@@name', required: true },
  {
    name: 'groupName',
    description: 'Group; does not count when serviceName holds one',
    defaultValue: 'DEFAULT_GROUP',
  },
  NAMESPACE_PARAMETER,
];

/** Which instance is meant. */
export const INSTANCE_PARAMETERS: readonly RouteParameter[] = [
  ...SERVICE_PARAMETERS,
  { name: 'ip', description: 'IP literal or host name', required: true },
  { name: 'port', description: '0 to 65535', type: 'integer', required: true },
  { name: 'clusterName', description: 'Cluster', defaultValue: 'DEFAULT' },
  {
    name: 'ephemeral',
    description: 'Which kind when both are registered; a persistent instance comes first without it',
    type: 'boolean',
  },
];
