// Which names and addresses are allowed: two named sets of rules, one for HTTP v1 and one for HTTP v2, v3 and gRPC.
// Source: Nacos 1.4.8 Service.validate and Cluster.validate (v1), 2.5.1 DefaultParamChecker (2.x and all lengths), golden names.json.

import type { Limits } from './limits.js';
import { RegistryError } from './registry-error.js';
import { DEFAULT_NAMESPACE, type ServiceKey } from './service-key.js';

/** Highest port. */
export const PORT_MAX = 65535;
/** Highest weight. */
export const WEIGHT_MAX = 10000;
/** Smallest weight above 0; positive weights below it count as this. */
export const WEIGHT_MIN = 0.01;

const DIGITS = /^\+?\d+$/;
const NAMESPACE = /^[\w-]+$/;
const V1_SERVICE = /^[0-9a-zA-Z@.:_-]+$/;
const V1_CLUSTER = /^[0-9a-zA-Z-]+$/;
const GROUP = /^[0-9a-zA-Z_:.-]*$/;
const QUERIED_CLUSTER = /^[0-9a-zA-Z_-]+$/;
// A service name of 2.x: no leading @, no @@, no white space, no CJK ideograph. Control characters are ours: nobody can type them.
// biome-ignore lint/suspicious/noControlCharactersInRegex: they are what is refused
const SERVICE = /^(?!@)(?:(?!@@)[^\u4E00-\u9FA5\s\x00-\x1f\x7f])+$/;
// biome-ignore lint/suspicious/noControlCharactersInRegex: they are what is refused
const ADDRESS = /^[^\u4E00-\u9FA5\s\x00-\x1f\x7f]*$/;

/** The limits that names have. */
export type NameLimits = Pick<
  Limits,
  'namespaceLength' | 'groupLength' | 'serviceNameLength' | 'clusterLength' | 'ipLength' | 'appLength'
>;

/** One set of rules. Every method throws a RegistryError `invalid-parameter` with the text that clients of that protocol know. */
export interface NameRules {
  /** Which set this is. */
  readonly dialect: 'v1' | '2.x';
  /** What holds for every request that names a service, reads too. */
  checkService(key: ServiceKey): void;
  /** What holds besides when the request may create the service. */
  checkNewService(key: ServiceKey): void;
  /** A cluster that a request may create. */
  checkNewCluster(cluster: string): void;
  /** A cluster that is only asked for. */
  checkQueriedCluster(cluster: string): void;
  /** IP literal or host name; empty passes here, whoever needs it asks for it. */
  checkIp(ip: string): void;
  /** Name of an application; only its length is bounded. */
  checkApp(app: string): void;
}

/** Rules of HTTP v1: reading any name is allowed, creating asks for the characters of 1.4.8; lengths and namespaces as 2.5.1. */
export function httpV1NameRules(limits: NameLimits): NameRules {
  return {
    dialect: 'v1',
    checkService: (key) => checkLengths(key, limits),
    checkNewService: (key) => {
      checkLengths(key, limits);
      if (V1_SERVICE.test(key.grouped)) return;
      throw illegal(
        'serviceName',
        key.grouped,
        `dom name can only have these characters: 0-9a-zA-Z-._:, current: ${key.grouped}`,
      );
    },
    checkNewCluster: (cluster) => {
      checkLength('cluster', cluster, limits.clusterLength);
      if (V1_CLUSTER.test(cluster)) return;
      throw illegal('cluster', cluster, `cluster name can only have these characters: 0-9a-zA-Z-, current: ${cluster}`);
    },
    checkQueriedCluster: () => {},
    checkIp: (ip) => checkText('ip', ip, limits.ipLength, ADDRESS),
    checkApp: (app) => checkLength('app', app, limits.appLength),
  };
}

/** Rules of HTTP v2, v3 and gRPC, the same for reading and creating but for clusters. gRPC puts `Param check invalid:` in front. */
export function paramCheckNameRules(limits: NameLimits): NameRules {
  const checkService = (key: ServiceKey): void => {
    checkText('namespaceId/tenant', key.namespace, limits.namespaceLength, NAMESPACE);
    checkText('serviceName', key.name, limits.serviceNameLength, SERVICE);
    checkText('group', key.group, limits.groupLength, GROUP);
  };
  return {
    dialect: '2.x',
    checkService,
    checkNewService: checkService,
    checkNewCluster: (cluster) => checkText('cluster', cluster, limits.clusterLength, V1_CLUSTER),
    checkQueriedCluster: (cluster) => checkText('cluster', cluster, limits.clusterLength, QUERIED_CLUSTER),
    checkIp: (ip) => checkText('ip', ip, limits.ipLength, ADDRESS),
    checkApp: (app) => checkLength('app', app, limits.appLength),
  };
}

/** A port from its text. @param parameter - named in the refusal @throws RegistryError `invalid-parameter` when it is no decimal number from 0 to 65535 */
export function portOf(text: string, parameter = 'port'): number {
  const port = DIGITS.test(text) ? Number(text) : -1;
  if (port >= 0 && port <= PORT_MAX) return port;
  throw portRefused(text, parameter);
}

/** A port from a number. @throws RegistryError `invalid-parameter` when it is no integer from 0 to 65535 */
export function checkPort(port: number): number {
  if (Number.isInteger(port) && port >= 0 && port <= PORT_MAX) return port;
  throw portRefused(String(port), 'port');
}

/** A weight that a registration or an edit of v1 asks for, raised to 0.01 when it is positive and below. @throws RegistryError `invalid-weight` outside 0 to 10000, NaN included */
export function checkWeight(weight: number): number {
  return clampWeight(checkWeightRange(weight));
}

/** The same for v2 and v3, which keep the smallest weights as they are. @throws RegistryError `invalid-weight` outside 0 to 10000, NaN included */
export function checkWeightRange(weight: number): number {
  if (weight >= 0 && weight <= WEIGHT_MAX) return weight;
  throw new RegistryError('invalid-weight', 'instance format invalid: The weights range from 0.0 to 10000.0', {
    details: { parameter: 'weight', found: String(weight) },
  });
}

/** A weight that is never refused (full beats): NaN counts as 0, the rest is brought into 0 or 0.01 to 10000. */
export function clampWeight(weight: number): number {
  if (!(weight > 0)) return 0;
  return Math.min(Math.max(weight, WEIGHT_MIN), WEIGHT_MAX);
}

function portRefused(found: string, parameter: string): RegistryError {
  return illegal(parameter, found, `Param '${parameter}' is illegal, the value should be between 0 and ${PORT_MAX}.`);
}

function checkLengths(key: ServiceKey, limits: NameLimits): void {
  if (key.namespace !== DEFAULT_NAMESPACE)
    checkText('namespaceId/tenant', key.namespace, limits.namespaceLength, NAMESPACE);
  checkLength('serviceName', key.name, limits.serviceNameLength);
  checkLength('group', key.group, limits.groupLength);
}

function checkText(parameter: string, value: string, lengthMax: number, allowed: RegExp): void {
  checkLength(parameter, value, lengthMax);
  if (allowed.test(value)) return;
  throw illegal(
    parameter,
    value,
    `Param '${parameter}' is illegal, illegal characters should not appear in the param.`,
  );
}

function checkLength(parameter: string, value: string, lengthMax: number): void {
  if (value.length <= lengthMax) return;
  throw illegal(parameter, value, `Param '${parameter}' is illegal, the param length should not exceed ${lengthMax}.`);
}

function illegal(parameter: string, found: string, message: string): RegistryError {
  return new RegistryError('invalid-parameter', message, {
    details: { parameter, found: found.slice(0, 200), foundLength: found.length },
  });
}
