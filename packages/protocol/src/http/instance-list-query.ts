// The question behind `/instance/list`: which service, which clusters, and whether the asker wants to be told of changes.
// Source: Nacos 1.4.8 InstanceController.list; contract 6.

import { detached } from '../detached-text.js';
import type { Parameters } from '../parameters.js';
import type { ServiceKey } from '../service-key.js';
import type { FormRules } from './instance-form.js';
import { keptServiceKey, readServiceKey } from './service-parameters.js';

/** Parameters of a list request. */
export interface InstanceListQuery {
  readonly service: ServiceKey;
  /** As sent, comma separated; empty asks for all. See {@link clusterNames}. */
  readonly clusters: string;
  readonly healthyOnly: boolean;
  /** Where pushes should go and what selectors look at; empty when not sent. */
  readonly clientIp: string;
  /** Above 0 asks for pushes. May lie outside the range of ports. */
  readonly udpPort: number;
  /** Echoed in the answer. */
  readonly env: string;
  /** Shown in subscriber lists. */
  readonly app: string;
  /** 1.4.8 answers an empty object then. */
  readonly checkOnly: boolean;
}

/** Reads a list request. @throws RegistryError for a missing or malformed name, or a `udpPort` that is no number */
export function readInstanceListQuery(parameters: Parameters, rules: FormRules): InstanceListQuery {
  const service = readServiceKey(parameters);
  rules.names.checkService(service);
  const udpPort = parameters.int('udpPort', 0);
  // A subscriber is kept, so its texts must not point into the request; a plain query needs no copies.
  const text = (name: string): string =>
    udpPort > 0 ? detached(parameters.optional(name, '')) : parameters.optional(name, '');
  return {
    service: udpPort > 0 ? keptServiceKey(service) : service,
    clusters: text('clusters'),
    healthyOnly: parameters.strictBoolean('healthyOnly', false),
    clientIp: text('clientIP'),
    udpPort,
    env: parameters.optional('env', ''),
    app: text('app'),
    checkOnly: parameters.strictBoolean('isCheck', false),
  };
}

/** The clusters that a comma separated text names: not trimmed, empty parts left out, repeated ones kept. Empty for all clusters. */
export function clusterNames(clusters: string): readonly string[] {
  return clusters === '' ? NO_CLUSTERS : clusters.split(',').filter((name) => name !== '');
}

const NO_CLUSTERS: readonly string[] = [];
