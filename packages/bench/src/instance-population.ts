// The instances that scenarios register and beat: many services of ten instances each, with addresses in order. The
// requests are those of a Java 1.4 client, encoded ahead for one server.
import { type ClientRequest, encodeClientRequest } from './client-request.js';
import type { Endpoint } from './endpoint.js';

/** How many instances, and the prefix of their services' names. */
export interface Population {
  readonly prefix: string;
  /** Instances in all. */
  readonly instances: number;
  /** Instances of each service; 10 when left out. */
  readonly perService?: number;
}

/** Instances of each service, when a population does not say otherwise. */
export const INSTANCES_PER_SERVICE = 10;

/** Number of services that a population fills. */
const serviceCount = ({ instances, perService = INSTANCES_PER_SERVICE }: Population): number =>
  Math.ceil(instances / perService);

/** Registrations, one per instance; `variant` goes into the metadata, so that two variants differ in content. */
export function encodeRegistrations(endpoint: Endpoint, population: Population, variant?: string): readonly Buffer[] {
  const metadata = variant === undefined ? {} : { version: variant };
  return encodeEach(endpoint, population, (address) => registration(address, metadata));
}

/** One registration. */
export function encodeRegistration(
  endpoint: Endpoint,
  address: InstanceAddress,
  metadata: Readonly<Record<string, string>>,
): Buffer {
  return encodeClientRequest(endpoint, registration(address, metadata));
}

/** Light beats, one per instance: an address and no body. */
export function encodeLightBeats(endpoint: Endpoint, population: Population): readonly Buffer[] {
  return encodeEach(endpoint, population, (address) => ({
    method: 'PUT',
    path: '/v1/ns/instance/beat',
    query: beatQuery(address),
  }));
}

/** One light beat. */
export function encodeLightBeat(endpoint: Endpoint, address: InstanceAddress): Buffer {
  return encodeClientRequest(endpoint, { method: 'PUT', path: '/v1/ns/instance/beat', query: beatQuery(address) });
}

/** Full beats, one per instance: the whole instance as JSON in a form body. */
export function encodeFullBeats(endpoint: Endpoint, population: Population): readonly Buffer[] {
  return encodeEach(endpoint, population, (address) => ({
    method: 'PUT',
    path: '/v1/ns/instance/beat',
    query: beatQuery(address),
    form: {
      beat: JSON.stringify({
        port: 8080,
        ip: address.ip,
        weight: 1,
        serviceName: address.serviceName,
        cluster: 'DEFAULT',
        metadata: {},
        scheduled: false,
        period: 5000,
        stopped: false,
      }),
    },
  }));
}

/** List queries, one per service, without a subscription. */
export function encodeLists(endpoint: Endpoint, population: Population): readonly Buffer[] {
  return Array.from({ length: serviceCount(population) }, (_, service) =>
    encodeList(endpoint, serviceNameOf(population, service)),
  );
}

/** One list query. @param serviceName - with its group @param udpPort - where pushes are wanted; 0 for none */
export function encodeList(endpoint: Endpoint, serviceName: string, udpPort = 0): Buffer {
  return encodeClientRequest(endpoint, {
    method: 'GET',
    path: '/v1/ns/instance/list',
    query: {
      app: 'unknown',
      healthyOnly: 'false',
      namespaceId: 'public',
      clientIP: '127.0.0.1',
      serviceName,
      udpPort: String(udpPort),
      clusters: '',
    },
  });
}

/** Where one instance of a population is. */
export interface InstanceAddress {
  readonly serviceName: string;
  readonly ip: string;
}

function encodeEach(
  endpoint: Endpoint,
  population: Population,
  requestOf: (address: InstanceAddress) => ClientRequest,
): readonly Buffer[] {
  return Array.from({ length: population.instances }, (_, index) =>
    encodeClientRequest(endpoint, requestOf(instanceAddress(population, index))),
  );
}

/** The address of an instance. @param index - from 0 */
export function instanceAddress(population: Population, index: number): InstanceAddress {
  return {
    serviceName: serviceNameOf(population, Math.floor(index / (population.perService ?? INSTANCES_PER_SERVICE))),
    ip: `10.${(index >> 16) & 255}.${(index >> 8) & 255}.${index & 255}`,
  };
}

/** Name of a service with its group. @param service - from 0 */
export const serviceNameOf = (population: Population, service: number): string =>
  `DEFAULT_GROUP@@${population.prefix}.${service}`;

function registration({ ip, serviceName }: InstanceAddress, metadata: Readonly<Record<string, string>>): ClientRequest {
  return {
    method: 'POST',
    path: '/v1/ns/instance',
    query: {
      app: 'unknown',
      metadata: JSON.stringify(metadata),
      ip,
      weight: '1.0',
      ephemeral: 'true',
      serviceName,
      groupName: 'DEFAULT_GROUP',
      namespaceId: 'public',
      port: '8080',
      enable: 'true',
      healthy: 'true',
      clusterName: 'DEFAULT',
    },
  };
}

const beatQuery = (address: InstanceAddress): Readonly<Record<string, string>> => ({
  app: 'unknown',
  serviceName: address.serviceName,
  namespaceId: 'public',
  port: '8080',
  clusterName: 'DEFAULT',
  ip: address.ip,
});
