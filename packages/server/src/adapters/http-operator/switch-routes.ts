// Switches. Source: Nacos 2.5.1 OperatorControllerV2 (also mapped on `/ops`), 3.0.3 OperatorControllerV3; http-v2-v3 contract 5.6.

import { TypedParameters } from '@rollcall/protocol';
import type { HttpAnswer } from '../http/http-answer.js';
import type { HttpRequest } from '../http/http-request.js';
import type { AnswerRoute } from '../http/route.js';
import { OK_RESULT_BODY, resultBody } from '../http-results/answer-schemas.js';
import { resultActor } from '../http-results/http-result-context.js';
import { goodResult, okResult } from '../http-results/result-answer.js';
import { switchesSchema } from '../operator/operator-schemas.js';
import { SWITCH_PARAMETERS, setSwitch } from '../operator/switch-change.js';
import { switchesJson } from '../operator/switches-json.js';
import type { HttpOperatorContext, HttpOperatorOptions, VersionedPath } from './http-operator-context.js';

const PATHS: readonly VersionedPath[] = [
  { via: 'http-v2', path: '/v2/ns/operator/switches' },
  { via: 'http-v2', path: '/v2/ns/ops/switches' },
  { via: 'http-v3', path: '/v3/admin/ns/ops/switches' },
];

/** The routes. */
export function switchRoutes(options: HttpOperatorOptions): readonly AnswerRoute[] {
  return PATHS.flatMap(({ via, path }): AnswerRoute[] => {
    const names = via === 'http-v2' ? '2.x' : '3.x';
    return [
      {
        method: 'GET',
        path,
        summary: 'All switches',
        produces: resultBody(switchesSchema(names)),
        handle: () => goodResult(switchesJson(options.registry.core.switches, names)),
      },
      {
        method: 'PUT',
        path,
        summary: 'Set a switch',
        parameters: SWITCH_PARAMETERS,
        produces: OK_RESULT_BODY,
        handle: (request) => set({ ...options, via }, request),
      },
    ];
  });
}

async function set(context: HttpOperatorContext, request: HttpRequest): Promise<HttpAnswer> {
  const typed = new TypedParameters(request.parameters, 'form');
  const entry = typed.requiredText('entry');
  const value = typed.requiredText('value');
  const scope = typed.boolean('debug') === true ? 'memory' : 'durable';
  const { logger } = context;
  await setSwitch(context.switchBoard, { entry, value, scope }, { actor: resultActor(context, request), logger });
  return okResult('written');
}
