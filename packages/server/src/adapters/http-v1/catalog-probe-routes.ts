// `/catalog/rt/service`: how fast the probes of each cluster are answered. Source: Nacos 1.4.8 CatalogController.rt4Service,
// HealthCheckTask; contract 8.4.

import { jsonText, RegistryError, readServiceKey } from '@rollcall/protocol';
import { SERVICE_PARAMETERS } from '../http/described-parameters.js';
import { type HttpAnswer, jsonAnswer } from '../http/http-answer.js';
import type { HttpRequest } from '../http/http-request.js';
import type { Route } from '../http/route.js';
import type { ProbeTimes, ProbeTimesOf } from '../probes/probe-times.js';
import { PROBE_TIMES_BODY } from './answer-schemas.js';
import type { HttpV1Context } from './http-v1-context.js';

/** The best time before the first probe: the largest 64-bit number, which JavaScript would round. */
const NEVER_PROBED = '9223372036854775807';
/** Earliest first probe, and so the average that it starts from. */
const NO_TIMES: ProbeTimes = { bestMs: undefined, worstMs: 0, averageMs: 2000 };

/** The route. */
export function catalogProbeRoutes(context: HttpV1Context, probeTimesOf: ProbeTimesOf): readonly Route[] {
  return [
    {
      method: 'GET',
      path: '/v1/ns/catalog/rt/service',
      summary: 'How fast the probes of each cluster are answered, ms',
      produces: PROBE_TIMES_BODY,
      parameters: SERVICE_PARAMETERS,
      handle: (request) => times(context, probeTimesOf, request),
    },
  ];
}

function times({ registry, rules }: HttpV1Context, of: ProbeTimesOf, { parameters }: HttpRequest): HttpAnswer {
  const service = readServiceKey(parameters);
  rules.names.checkService(service);
  const view = registry.core.view(service.id);
  if (view === undefined) {
    throw new RegistryError('service-not-found', "request service doesn't exist", { details: { service: service.id } });
  }
  const clusters = view.clusters.map((name) => clusterJson(name, of(service.id, name) ?? NO_TIMES));
  return jsonAnswer(200, `{"clusters":[${clusters.join(',')}]}`);
}

function clusterJson(name: string, { bestMs, worstMs, averageMs }: ProbeTimes): string {
  const best = bestMs === undefined ? NEVER_PROBED : Math.round(bestMs);
  return `{"name":${jsonText(name)},"checkRTBest":${best},"checkRTWorst":${Math.round(worstMs)},"checkRTNormalized":${Math.round(averageMs)}}`;
}
