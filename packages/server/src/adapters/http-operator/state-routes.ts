// What a server says of itself, whether it lives, and whether it serves. Source: Nacos 2.5.1 HealthControllerV2 of the console,
// 3.0.3 CoreStateController; http-v2-v3 contract 6, 8.2. The Java client of 3.x asks for liveness while gRPC is down.

import { badResultJson, errorMapping } from '@rollcall/protocol';
import { jsonBody } from '../http/answer-description.js';
import { preparedAnswer } from '../http/answer-head.js';
import { anyOf, NULL } from '../http/answer-schema.js';
import { jsonAnswer } from '../http/http-answer.js';
import type { AnswerRoute } from '../http/route.js';
import { OK_RESULT_BODY, resultBody, resultSchema } from '../http-results/answer-schemas.js';
import { goodResult, okResult } from '../http-results/result-answer.js';
import { STATE_SCHEMA } from '../operator/operator-schemas.js';
import { serverStateJson } from '../operator/server-identity.js';
import { type HttpOperatorOptions, onBoth } from './http-operator-context.js';

/** A failure in the envelope alone: the HTTP status is that of a good answer, as on the real servers. */
const NOT_READY = preparedAnswer(
  jsonAnswer(200, badResultJson(errorMapping('internal').resultCode, 'naming not in readiness', null)),
);

/** The routes. */
export function stateRoutes({ state }: HttpOperatorOptions): readonly AnswerRoute[] {
  const live = onBoth('/v2/console/health/liveness', '/v3/admin/core/state/liveness');
  const ready = onBoth('/v2/console/health/readiness', '/v3/admin/core/state/readiness');
  return [
    ...live.map(
      ({ path }): AnswerRoute => ({
        method: 'GET',
        path,
        summary: 'Whether the process answers',
        produces: OK_RESULT_BODY,
        handle: () => okResult('written'),
      }),
    ),
    ...ready.map(
      ({ path }): AnswerRoute => ({
        method: 'GET',
        path,
        summary: 'Whether the server serves requests; code 30000 when it does not',
        produces: jsonBody(anyOf(resultSchema({ const: 'ok' }), resultSchema(NULL))),
        handle: () => (state().status === 'UP' ? okResult('written') : NOT_READY),
      }),
    ),
    {
      method: 'GET',
      path: '/v3/admin/core/state',
      summary: 'What maintainers ask before anything else; all values are texts',
      produces: resultBody(STATE_SCHEMA),
      handle: () => goodResult(serverStateJson(state())),
    },
  ];
}
