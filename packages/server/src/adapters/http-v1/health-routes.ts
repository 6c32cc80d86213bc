// Liveness and readiness for process supervisors. Source: Nacos 1.4.8 HealthController of the console; text of 2.5.1 when not
// ready; `/actuator/health` of its web framework.

import { jsonBody, textBody } from '../http/answer-description.js';
import { preparedAnswer } from '../http/answer-head.js';
import { objectOf } from '../http/answer-schema.js';
import { jsonAnswer, textAnswer } from '../http/http-answer.js';
import type { Route } from '../http/route.js';
import type { ServerState } from '../operator/server-identity.js';

const OK = preparedAnswer(textAnswer(200, 'OK'));
const NOT_READY = preparedAnswer(textAnswer(500, 'naming not in readiness'));
const UP = preparedAnswer(jsonAnswer(200, '{"status":"UP"}'));
const OUT_OF_SERVICE = preparedAnswer(jsonAnswer(503, '{"status":"OUT_OF_SERVICE"}'));

/** The routes. @param state - asked at each request */
export function healthRoutes(state: () => ServerState): readonly Route[] {
  return [
    {
      method: 'GET',
      path: '/v1/console/health/liveness',
      summary: 'Whether the process answers',
      produces: textBody({ const: 'OK' }),
      handle: () => OK,
    },
    {
      method: 'GET',
      path: '/v1/console/health/readiness',
      summary: 'Whether the server serves requests',
      produces: textBody({ const: 'OK' }),
      handle: () => (state().status === 'UP' ? OK : NOT_READY),
    },
    {
      method: 'GET',
      path: '/actuator/health',
      summary: 'Whether the server serves requests, as JSON',
      produces: jsonBody(objectOf({ status: { const: 'UP' } })),
      handle: () => (state().status === 'UP' ? UP : OUT_OF_SERVICE),
    },
  ];
}
