// Status and counters. Source: Nacos 2.5.1 OperatorControllerV2 (also mapped on `/ops`), 3.0.3 OperatorControllerV3, which has no
// cpu, load and mem; http-v2-v3 contract 5.6, 7.5.

import { TypedParameters } from '@rollcall/protocol';
import { anyOf, objectOf } from '../http/answer-schema.js';
import type { HttpAnswer } from '../http/http-answer.js';
import type { HttpRequest } from '../http/http-request.js';
import type { AnswerRoute } from '../http/route.js';
import { resultBody } from '../http-results/answer-schemas.js';
import { goodResult } from '../http-results/result-answer.js';
import { clientMembersJson, loadMembersJson, serviceCountOf } from '../operator/operator-figures.js';
import { COUNTER_MEMBERS, LOAD_MEMBERS, STATUS_MEMBER } from '../operator/operator-schemas.js';
import { ProcessFigures } from '../operator/process-figures.js';
import type { HttpOperatorOptions, VersionedPath } from './http-operator-context.js';

const PATHS: readonly VersionedPath[] = [
  { via: 'http-v2', path: '/v2/ns/operator/metrics' },
  { via: 'http-v2', path: '/v2/ns/ops/metrics' },
  { via: 'http-v3', path: '/v3/admin/ns/ops/metrics' },
];
const BODIES = {
  'http-v2': resultBody(
    anyOf(objectOf(STATUS_MEMBER), objectOf({ ...STATUS_MEMBER, ...COUNTER_MEMBERS, ...LOAD_MEMBERS })),
  ),
  'http-v3': resultBody(anyOf(objectOf(STATUS_MEMBER), objectOf({ ...STATUS_MEMBER, ...COUNTER_MEMBERS }))),
};

/** The routes. */
export function metricsRoutes(options: HttpOperatorOptions): readonly AnswerRoute[] {
  const figures = new ProcessFigures(options.registry.now());
  return PATHS.map(({ via, path }) => ({
    method: 'GET',
    path,
    summary: 'Status of the server, and its counters when they are asked for',
    parameters: [{ name: 'onlyStatus', description: 'Leave the counters out', type: 'boolean', defaultValue: 'true' }],
    produces: BODIES[via],
    handle: (request) => metrics(options, request, via === 'http-v2' ? figures : undefined),
  }));
}

function metrics(
  { registry, state }: HttpOperatorOptions,
  { parameters }: HttpRequest,
  figures: ProcessFigures | undefined,
): HttpAnswer {
  const status = `"status":"${state().status}"`;
  if (new TypedParameters(parameters, 'request').boolean('onlyStatus') ?? true) return goodResult(`{${status}}`);
  const { core } = registry;
  const counts = `"serviceCount":${serviceCountOf(core)},"instanceCount":${core.counts.instances}`;
  const load = figures === undefined ? '' : `,${loadMembersJson(figures.read(registry.now()))}`;
  return goodResult(`{${status},${counts},${clientMembersJson(core)}${load}}`);
}
