// A route of HTTP v2 or v3: what it refuses is answered in the envelope, and what is refused before it as plain text.
// Source: Nacos 2.5.1 NacosApiExceptionHandler, ParamCheckerFilter; http-v2-v3 contract 3.1, 3.2.

import { isFormBody, type Parameters, RegistryError } from '@rollcall/protocol';
import { errorAnswer } from '../http/error-answer.js';
import type { HttpAnswer } from '../http/http-answer.js';
import type { HttpRequest } from '../http/http-request.js';
import type { AnswerRoute } from '../http/route.js';
import { errorResult, serverErrorResult } from './result-answer.js';

/** Looks at parameters before the route does. Throws a RegistryError to refuse them with plain text. */
export type ParameterCheck = (parameters: Parameters) => void;

/** Media types of unread bodies are shown up to this length. */
const SHOWN_LENGTH = 100;

const FAULT = serverErrorResult(500, 'Internal error, the log of the server has the details');

/**
 * The route with the refusals of v2 and v3.
 *
 * @param check - what is checked first; nothing without it
 */
export function resultRoute(route: AnswerRoute, check?: ParameterCheck): AnswerRoute {
  return { ...route, fault: FAULT, handle: (request) => checkFailure(request, check) ?? answerOf(route, request) };
}

function checkFailure({ parameters }: HttpRequest, check: ParameterCheck | undefined): HttpAnswer | undefined {
  try {
    check?.(parameters);
    return undefined;
  } catch (error) {
    return answerTo(error, errorAnswer);
  }
}

function answerOf(route: AnswerRoute, request: HttpRequest): HttpAnswer | Promise<HttpAnswer> {
  const failed = (error: unknown): HttpAnswer =>
    answerTo(error, (refusal) => errorResult(withUnreadBody(refusal, request)));
  try {
    const answer = route.handle(request);
    return answer instanceof Promise ? answer.catch(failed) : answer;
  } catch (error) {
    return failed(error);
  }
}

/** Who sends JSON would search long for a parameter that is there: the real servers only say that it is missing. */
function withUnreadBody(error: RegistryError, request: HttpRequest): RegistryError {
  const type = request.header('content-type');
  const { parameter } = error.details;
  if (error.code !== 'missing-parameter' || parameter === undefined || isFormBody(type)) return error;
  const found = `found a body of type "${type?.slice(0, SHOWN_LENGTH)}", which is not read`;
  const message = `${error.message}; ${found}, allowed are the query and forms (application/x-www-form-urlencoded)`;
  return new RegistryError(error.code, message, { details: error.details });
}

/** A fault of ours is left to the lanes, which log and count it. */
function answerTo(error: unknown, answer: (error: RegistryError) => HttpAnswer): HttpAnswer {
  if (error instanceof RegistryError) return answer(error);
  throw error;
}
