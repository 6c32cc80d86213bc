// `/operator/metrics`: what clients ask before they trust a server, and what suites count.
// Source: Nacos 1.4.8 OperatorController (also mapped on `/ops`); contract 10.3, ops contract 3.3; 2.x counters beside.

import { type HttpAnswer, jsonAnswer } from '../http/http-answer.js';
import type { Route } from '../http/route.js';
import { clientMembersJson, loadMembersJson, serviceCountOf } from '../operator/operator-figures.js';
import { METRICS_BODY } from '../operator/operator-schemas.js';
import { ProcessFigures } from '../operator/process-figures.js';
import type { ServerState } from '../operator/server-identity.js';
import type { RegistryAccess } from '../registry-access.js';

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
  const { instances } = core.counts;
  const services = serviceCountOf(core);
  // One node is responsible for everything; it has no queue of consensus tasks.
  const of14 = `"status":"${status}","serviceCount":${services},"instanceCount":${instances},"raftNotifyTaskCount":0,"responsibleServiceCount":${services},"responsibleInstanceCount":${instances}`;
  return jsonAnswer(200, `{${of14},${loadMembersJson(figures.read(registry.now()))},${clientMembersJson(core)}}`);
}
