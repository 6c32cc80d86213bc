// `/operator/metrics`: what clients ask before they trust a server, and what suites count.
// Source: Nacos 1.4.8 OperatorController (also mapped on `/ops`); contract 10.3, ops contract 3.3; 2.x counters beside.

import { jsonDouble } from '@rollcall/protocol';
import { type HttpAnswer, jsonAnswer } from '../http/http-answer.js';
import type { Route } from '../http/route.js';
import type { RegistryAccess } from '../registry-access.js';
import { METRICS_BODY } from './operator-schemas.js';
import { ProcessFigures } from './process-figures.js';
import type { ServerState } from './server-identity.js';

const PREFIXES = ['/v1/ns/operator', '/v1/ns/ops'];

/** The routes. */
export function operatorRoutes(registry: RegistryAccess, state: () => ServerState): readonly Route[] {
  const figures = new ProcessFigures(registry.now());
  return PREFIXES.flatMap((prefix): Route[] => [
    {
      method: 'GET',
      path: `${prefix}/metrics`,
      summary: 'Status and counters of the server',
      produces: METRICS_BODY,
      handle: () => metrics(registry, state(), figures),
    },
  ]);
}

function metrics(registry: RegistryAccess, { status }: ServerState, figures: ProcessFigures): HttpAnswer {
  const { core } = registry;
  const { instances, subscribers, connections, ephemeralInstances, persistentInstances } = core.counts;
  let services = 0;
  for (const _ of core.services()) services++;
  const { cpu, load, mem } = figures.read(registry.now());
  // One node is responsible for everything; it has no queue of consensus tasks.
  const of14 = `"status":"${status}","serviceCount":${services},"instanceCount":${instances},"raftNotifyTaskCount":0,"responsibleServiceCount":${services},"responsibleInstanceCount":${instances},"cpu":${jsonDouble(cpu)},"load":${jsonDouble(load)},"mem":${jsonDouble(mem)}`;
  const clients = connections + ephemeralInstances + persistentInstances;
  const of2x = `"subscribeCount":${subscribers},"clientCount":${clients},"connectionBasedClientCount":${connections},"ephemeralIpPortClientCount":${ephemeralInstances},"persistentIpPortClientCount":${persistentInstances},"responsibleClientCount":${clients}`;
  return jsonAnswer(200, `{${of14},${of2x}}`);
}
