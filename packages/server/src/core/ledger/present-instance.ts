// What the registry knows of an instance, and of who reads its service, at this moment: the present half of an account.

import type { InstanceKind } from '@rollcall/protocol';
import type { Now } from '@rollcall/runtime/time';
import { selectHosts } from '../host-selection.js';
import { isConnection } from '../publisher.js';
import type { RegistryCore } from '../registry-core.js';
import type { Service } from '../service.js';
import { subscriberName } from '../subscriber.js';
import type { PresentInstance } from './account.js';
import type { Reader } from './reader-chain.js';

/** Who is meant. */
export interface InstanceName {
  readonly ip: string;
  readonly port: number;
  /** Any when left out. */
  readonly cluster?: string;
}

/** The instance as it is now; undefined when it is not registered. */
export function presentInstance(
  core: RegistryCore,
  service: Service | undefined,
  { ip, port, cluster }: InstanceName,
  { mono }: Now,
): PresentInstance | undefined {
  const record = service?.records.find(
    ({ address }) =>
      address.ip === ip && address.port === port && (cluster === undefined || address.cluster === cluster),
  );
  if (service === undefined || record === undefined) return undefined;
  const { registrations, kind } = record;
  const lastBeat = Math.max(...registrations.map((registration) => registration.lastBeat));
  const holder = record.current.heldBy?.node;
  const { beatIntervalMs, beatTimeoutMs } = record.current.leaseTimes;
  const dialect = registrations.every(({ publisher }) => isConnection(publisher)) ? 'v2' : 'v1';
  return {
    healthy: record.healthy,
    ephemeral: kind === 'ephemeral',
    publishers: registrations.map(({ publisher }) => publisher),
    // Beats to another node are not known here.
    silentMs: kind === 'ephemeral' && holder === undefined ? Math.round(mono - lastBeat) : 0,
    beatIntervalMs: beatIntervalMs ?? core.switches.clientBeatInterval,
    beatTimeoutMs,
    probed: isProbed(core, service, kind, record.address.cluster),
    protecting: selectHosts(service.view(), { clusters: [], healthyOnly: false, dialect }).protecting,
    ...(holder !== undefined && { holder }),
  };
}

/** Subscribers of a service now. */
export function presentReaders(service: Service | undefined): readonly Reader[] {
  return [...(service?.subscribers.values() ?? [])].map((subscriber) => ({
    name: subscriberName(subscriber),
    ip: subscriber.ip,
    transport: subscriber.transport,
    clusters: subscriber.clusters,
  }));
}

/** Other services in which the address is registered: `namespace group@@name`. */
export function registeredElsewhere(core: RegistryCore, serviceId: string, { ip, port }: InstanceName): string[] {
  const found: string[] = [];
  for (const { key, records } of core.services()) {
    if (key.id === serviceId || !records.some(({ address }) => address.ip === ip && address.port === port)) continue;
    found.push(`${key.namespace} ${key.grouped}`);
    if (found.length >= ELSEWHERE_MAX) break;
  }
  return found;
}

/** More services are not named. */
const ELSEWHERE_MAX = 10;

function isProbed(core: RegistryCore, service: Service, kind: InstanceKind, cluster: string): boolean {
  const checker = service.definition.clusters.get(cluster)?.healthChecker;
  return kind === 'persistent' && core.switches.healthCheckEnabled && checker?.type !== 'NONE';
}
