// The list of a service's instances as every Nacos protocol sends it: answer of /instance/list, data of a UDP push, and
// serviceInfo of gRPC. Read with tolerance: unknown members are ignored, absent ones have the defaults of the Java client.
// Source: Nacos 1.4.8 ServiceInfo and Instance (defaults), contract client-1x 5.1.

import { DEFAULT_CLUSTER, GROUP_SEPARATOR } from '@rollcall/protocol';
import { ClientError } from './client-error.js';
import { type Instance, type InstanceMetadata, NO_INSTANCE_METADATA } from './instance.js';

/** A list as it came in. */
export interface ServiceList {
  /** `group@@name`. */
  readonly grouped: string;
  /** Echo of the clusters asked for, comma separated; empty for all. */
  readonly clusters: string;
  /** After how many ms the server wants to be asked again; 1000 when it does not say. */
  readonly cacheMs: number;
  /** Version of the list, epoch ms of its server; 0 when it does not say. */
  readonly lastRefTime: number;
  /** Whether even a list without a usable host is meant (`allIPs`). */
  readonly complete: boolean;
  readonly instances: readonly Instance[];
}

const DEFAULT_CACHE_MS = 1000;

/** Instances of one list that are read; a longer list is refused. */
const LIST_INSTANCES_MAX = 100_000;

/**
 * Reads a list.
 *
 * @param text - JSON text
 * @throws ClientError `unexpected-answer` when it is no JSON object, has no name, or hosts are no objects with an address
 */
export function decodeServiceList(text: string): ServiceList {
  return serviceListOf(parsed(text));
}

/** Reads a list that is parsed already. @throws ClientError `unexpected-answer` */
export function serviceListOf(value: unknown): ServiceList {
  if (!isObject(value)) throw unexpected('it is no JSON object');
  const hosts = value.hosts ?? [];
  if (!Array.isArray(hosts)) throw unexpected('"hosts" is no list');
  if (hosts.length > LIST_INSTANCES_MAX)
    throw unexpected(`it has ${hosts.length} hosts, ${LIST_INSTANCES_MAX} are allowed`);
  return {
    grouped: groupedNameIn(value),
    clusters: textOf(value.clusters, ''),
    cacheMs: numberOf(value.cacheMillis, DEFAULT_CACHE_MS),
    lastRefTime: numberOf(value.lastRefTime, 0),
    complete: value.allIPs === true || value.allIps === true,
    instances: hosts.map(instanceIn),
  };
}

function parsed(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch (cause) {
    throw unexpected(`it is no JSON but "${text.slice(0, 60)}"`, cause);
  }
}

function groupedNameIn(value: Record<string, unknown>): string {
  const name = textOf(value.name, '');
  if (name === '') throw unexpected('it has no name');
  const group = textOf(value.groupName, '');
  return name.includes(GROUP_SEPARATOR) || group === '' ? name : group + GROUP_SEPARATOR + name;
}

function instanceIn(value: unknown): Instance {
  if (!isObject(value)) throw unexpected('a host is no object');
  const ip = textOf(value.ip, '');
  if (ip === '') throw unexpected('a host has no ip');
  return {
    id: textOf(value.instanceId, ''),
    ip,
    port: numberOf(value.port, 0),
    cluster: textOf(value.clusterName, DEFAULT_CLUSTER),
    weight: weightOf(value.weight),
    healthy: value.healthy !== false,
    enabled: value.enabled !== false,
    ephemeral: value.ephemeral !== false,
    metadata: metadataOf(value.metadata),
  };
}

/** Servers write `"NaN"` and `"Infinity"` as texts: neither can be a share of calls. */
function weightOf(value: unknown): number {
  if (value === undefined || value === null) return 1;
  const weight = Number(value);
  return weight > 0 && Number.isFinite(weight) ? weight : 0;
}

function metadataOf(value: unknown): InstanceMetadata {
  if (!isObject(value)) return NO_INSTANCE_METADATA;
  let count = 0;
  for (const key in value) {
    count++;
    const entry = value[key];
    if (typeof entry !== 'string') value[key] = entry === null || entry === undefined ? '' : String(entry);
  }
  return count === 0 ? NO_INSTANCE_METADATA : (value as InstanceMetadata);
}

function textOf(value: unknown, absent: string): string {
  return typeof value === 'string' ? value : absent;
}

function numberOf(value: unknown, absent: number): number {
  const number = typeof value === 'string' ? Number(value) : value;
  return typeof number === 'number' && Number.isFinite(number) ? number : absent;
}

function isObject(value: unknown): value is Record<string, unknown> {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}

function unexpected(reason: string, cause?: unknown): ClientError {
  return new ClientError('unexpected-answer', `The list cannot be read: ${reason}`, { cause });
}
