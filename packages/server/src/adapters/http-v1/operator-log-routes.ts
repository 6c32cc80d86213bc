// `/operator/log`: the level of one of Nacos's log files. This server has one log, whose level is configured, since a caller
// who could turn it off could hide what he does; the call is answered as Nacos does and changes nothing.
// Source: Nacos 1.4.8 OperatorController.setLogLevel; contract 10.3.

import type { Route } from '../http/route.js';
import { OK_BODY } from './answer-schemas.js';
import { okAnswer } from './ok-answer.js';

const PATHS = ['/v1/ns/operator/log', '/v1/ns/ops/log'];

/** The routes. */
export function operatorLogRoutes(): readonly Route[] {
  return PATHS.map((path) => ({
    method: 'PUT',
    path,
    summary: 'Accepted without effect: the level of the log is configured',
    produces: OK_BODY,
    parameters: [
      { name: 'logName', description: 'Name of a log of Nacos', required: true },
      { name: 'logLevel', description: 'Level', required: true },
    ],
    handle: (request) => {
      request.parameters.boundRequired('logName');
      request.parameters.boundRequired('logLevel');
      return okAnswer(request, 'written');
    },
  }));
}
