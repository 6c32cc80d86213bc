// Counters that operators read on every version of HTTP. Source: Nacos 2.5.1 OperatorControllerV2, ops contract 3.3.

import { jsonDouble } from '@rollcall/protocol';
import type { RegistryCore } from '../../core/registry-core.js';
import type { Figures } from './process-figures.js';

/** Number of services. */
export function serviceCountOf(core: RegistryCore): number {
  let services = 0;
  for (const _ of core.services()) services++;
  return services;
}

/** Counters of clients as members of a JSON object, without its braces. Every instance that HTTP holds counts as a client of 2.x. */
export function clientMembersJson(core: RegistryCore): string {
  const { subscribers, connections, ephemeralInstances, persistentInstances } = core.counts;
  const clients = connections + ephemeralInstances + persistentInstances;
  return `"subscribeCount":${subscribers},"clientCount":${clients},"connectionBasedClientCount":${connections},"ephemeralIpPortClientCount":${ephemeralInstances},"persistentIpPortClientCount":${persistentInstances},"responsibleClientCount":${clients}`;
}

/** How busy the process is, as members of a JSON object. */
export function loadMembersJson({ cpu, load, mem }: Figures): string {
  return `"cpu":${jsonDouble(cpu)},"load":${jsonDouble(load)},"mem":${jsonDouble(mem)}`;
}
