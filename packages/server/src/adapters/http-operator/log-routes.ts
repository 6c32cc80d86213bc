// Levels of Nacos's log files. This server has one log, whose level is configured; the calls are answered and change nothing,
// as on v1. Source: Nacos 3.0.3 OperatorControllerV3, CoreOpsControllerV3; http-v2-v3 contract 7.5, 8.4.

import { checkJsonParts, RegistryError, TypedParameters } from '@rollcall/protocol';
import { NULL } from '../http/answer-schema.js';
import type { HttpRequest } from '../http/http-request.js';
import type { AnswerRoute } from '../http/route.js';
import { OK_RESULT_BODY, resultBody } from '../http-results/answer-schemas.js';
import { goodResult, okResult } from '../http-results/result-answer.js';

const SUMMARY = 'Accepted without effect: the level of the log is configured';

/** The routes. */
export function logRoutes(): readonly AnswerRoute[] {
  return [
    {
      method: 'PUT',
      path: '/v3/admin/ns/ops/log',
      summary: SUMMARY,
      parameters: [
        { name: 'logName', description: 'Name of a log of Nacos', required: true },
        { name: 'logLevel', description: 'Level', required: true },
      ],
      produces: OK_RESULT_BODY,
      handle: ({ parameters }) => {
        const typed = new TypedParameters(parameters, 'request');
        typed.requiredText('logName');
        typed.requiredText('logLevel');
        return okResult('written');
      },
    },
    {
      method: 'PUT',
      path: '/v3/admin/core/ops/log',
      summary: `${SUMMARY}; the body is a JSON object with logName and logLevel`,
      produces: resultBody(NULL),
      handle: (request) => {
        requireBody(request);
        return goodResult('null');
      },
    },
  ];
}

function requireBody({ body }: HttpRequest): void {
  if (isLogChange(new TextDecoder().decode(body))) return;
  const message = 'Request body cannot be read, allowed is a JSON object such as {"logName":"core","logLevel":"INFO"}';
  throw new RegistryError('missing-parameter', message);
}

function isLogChange(text: string): boolean {
  checkJsonParts(text, 'the body');
  try {
    const { logName, logLevel } = JSON.parse(text) as Readonly<Record<string, unknown>>;
    return typeof logName === 'string' && typeof logLevel === 'string';
  } catch {
    return false; // No JSON, or null.
  }
}
