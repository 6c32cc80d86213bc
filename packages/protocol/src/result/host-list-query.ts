// The question behind the lists of instances on HTTP v2 and v3. Source: http-v2-v3 contract 5.3, 7.1, 7.2.

import { detached } from '../detached-text.js';
import { keptServiceKey } from '../http/service-parameters.js';
import type { Parameters } from '../parameters.js';
import { DEFAULT_CLUSTER, type ServiceKey } from '../service-key.js';
import { readTypedServiceKey } from './service-form.js';
import { TypedParameters } from './typed-parameters.js';

/** What is asked for. */
export interface HostListQuery {
  readonly service: ServiceKey;
  /** Comma separated; empty asks for all. */
  readonly clusters: string;
  readonly healthyOnly: boolean;
}

/** A list request of v2, which may also ask for pushes over UDP. */
export interface PushedHostListQuery extends HostListQuery {
  /** Where pushes should go; empty for the requester. */
  readonly clientIp: string;
  /** Above 0 asks for pushes. May lie outside the range of ports. */
  readonly udpPort: number;
  /** Shown in subscriber lists. */
  readonly app: string;
}

/** Reads a list request of v2: all clusters when it names none. @throws RegistryError without a name, or for what cannot be bound */
export function readPushedHostListQuery(parameters: Parameters): PushedHostListQuery {
  const typed = new TypedParameters(parameters, 'request');
  return {
    service: keptServiceKey(readTypedServiceKey(typed)),
    clusters: detached(typed.text('clusterName') ?? ''),
    healthyOnly: typed.boolean('healthyOnly') ?? false,
    clientIp: detached(typed.text('ip') ?? ''),
    udpPort: typed.int('port') ?? 0,
    app: detached(typed.text('app') ?? ''),
  };
}

/** Reads a list request of v3: the cluster `DEFAULT` when it names none. @throws RegistryError without a name, or for what cannot be bound */
export function readHostListQuery(parameters: Parameters): HostListQuery {
  const typed = new TypedParameters(parameters, 'form');
  return {
    service: readTypedServiceKey(typed),
    clusters: typed.text('clusterName') ?? DEFAULT_CLUSTER,
    healthyOnly: typed.boolean('healthyOnly') ?? false,
  };
}
