// `/operator/push/state`: how many pushes were acknowledged. Source: Nacos 1.4.8 OperatorController.pushState; contract
// 10.3. Details are those of 2.5.1; which pushes wait for an acknowledgement is in `/rollcall/v1/subscribers`.

import { jsonDouble } from '@rollcall/protocol';
import { type HttpAnswer, jsonAnswer } from '../http/http-answer.js';
import type { HttpRequest } from '../http/http-request.js';
import type { Route } from '../http/route.js';
import { PUSH_STATE_BODY } from '../operator/operator-schemas.js';
import type { PushStatistics } from '../push-statistics.js';
import type { RegistryAccess } from '../registry-access.js';

const PATHS = ['/v1/ns/operator/push/state', '/v1/ns/ops/push/state'];

/** The routes. */
export function pushStateRoutes(registry: RegistryAccess, statistics: PushStatistics): readonly Route[] {
  return PATHS.map((path) => ({
    method: 'GET',
    path,
    summary: 'Pushes and how many of them were acknowledged',
    produces: PUSH_STATE_BODY,
    parameters: [
      { name: 'detail', description: 'Also the costs of the last 15 s', type: 'boolean', defaultValue: 'false' },
      { name: 'reset', description: 'Count from now on', type: 'boolean', defaultValue: 'false' },
    ],
    handle: (request) => pushState(registry, statistics, request),
  }));
}

function pushState(registry: RegistryAccess, statistics: PushStatistics, { parameters }: HttpRequest): HttpAnswer {
  const detailed = parameters.boundBoolean('detail');
  const reset = parameters.boundBoolean('reset');
  const { total, succeeded } = statistics.state(registry.core.counts.outstandingPushes);
  const ratio = total === 0 ? '0' : jsonDouble(succeeded / total);
  const { averageMs, maxMs } = statistics.costs(registry.now().mono);
  const detail = detailed
    ? `,"detail":{"avgPushCost":${jsonDouble(averageMs)},"maxPushCost":${Math.round(maxMs)}}`
    : '';
  if (reset) statistics.reset();
  return jsonAnswer(200, `{"succeed":${succeeded},"total":${total},"ratio":${ratio}${detail},"reset":${reset}}`);
}
