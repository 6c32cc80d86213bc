// `/operator/switches`: settings that hold at once and without a restart. Source: Nacos 1.4.8 OperatorController (also mapped
// on `/ops`); contract 10.1, 10.2.

import { jsonBody } from '../http/answer-description.js';
import { type HttpAnswer, jsonAnswer } from '../http/http-answer.js';
import type { HttpRequest } from '../http/http-request.js';
import type { Route } from '../http/route.js';
import { switchesSchema } from '../operator/operator-schemas.js';
import type { SwitchBoard } from '../operator/switch-board.js';
import { SWITCH_PARAMETERS, setSwitch } from '../operator/switch-change.js';
import { switchesJson } from '../operator/switches-json.js';
import { OK_BODY } from './answer-schemas.js';
import { actorOf, type HttpV1Context } from './http-v1-context.js';
import { okAnswer } from './ok-answer.js';

/** Where switches are read and set; the gate of the server lets these pass whatever they say. */
export const SWITCH_PATHS: readonly string[] = ['/v1/ns/operator/switches', '/v1/ns/ops/switches'];

/** The routes. */
export function switchRoutes(context: HttpV1Context, board: SwitchBoard): readonly Route[] {
  return SWITCH_PATHS.flatMap((path): Route[] => [
    {
      method: 'GET',
      path,
      summary: 'All switches',
      produces: jsonBody(switchesSchema('2.x')),
      handle: () => jsonAnswer(200, switchesJson(context.registry.core.switches, '2.x')),
    },
    {
      method: 'PUT',
      path,
      summary: 'Set a switch',
      produces: OK_BODY,
      parameters: SWITCH_PARAMETERS,
      handle: (request) => set(context, board, request),
    },
  ]);
}

async function set(context: HttpV1Context, board: SwitchBoard, request: HttpRequest): Promise<HttpAnswer> {
  const { parameters } = request;
  const entry = parameters.boundRequired('entry');
  const value = parameters.boundRequired('value');
  const scope = parameters.boundBoolean('debug') ? 'memory' : 'durable';
  await setSwitch(board, { entry, value, scope }, { actor: actorOf(request), logger: context.logger });
  return okAnswer(request, 'written');
}
