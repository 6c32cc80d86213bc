// Counters that operators read on every version of HTTP. Source: Nacos 2.5.1 OperatorControllerV2, ops contract 3.3.

import { jsonDouble } from '@rollcall/protocol';
import { HTTP_PUBLISHER } from '../../core/publisher.js';
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
  const { subscribers, connections, persistentInstances } = core.counts;
  const ephemeral = httpInstancesOf(core);
  const clients = connections + ephemeral + persistentInstances;
  return `"subscribeCount":${subscribers},"clientCount":${clients},"connectionBasedClientCount":${connections},"ephemeralIpPortClientCount":${ephemeral},"persistentIpPortClientCount":${persistentInstances},"responsibleClientCount":${clients}`;
}

/** Ephemeral instances that an HTTP client registered; what a connection publishes counts with its connection. */
function httpInstancesOf(core: RegistryCore): number {
  let instances = 0;
  for (const { ephemeral } of core.services())
    for (const record of ephemeral.values()) if (record.registrationOf(HTTP_PUBLISHER) !== undefined) instances++;
  return instances;
}

/** How busy the process is, as members of a JSON object. */
export function loadMembersJson({ cpu, load, mem }: Figures): string {
  return `"cpu":${jsonDouble(cpu)},"load":${jsonDouble(load)},"mem":${jsonDouble(mem)}`;
}
