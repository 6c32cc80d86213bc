// Answers to requests that no route takes. Below `/v1/ns` an unknown path or method is 501 as on every Nacos; elsewhere 404, and
// 405 for a method that a known path does not offer. The bodies are the error object of Nacos's web server.
// Source: http-v1 contract 1.1 and 1.5, http-v2-v3 contract 3.2; golden cases path-unknown, method-wrong.

import { errorMapping } from '@rollcall/protocol';
import { reasonOf } from './answer-head.js';
import { type HttpAnswer, jsonAnswer, textAnswer } from './http-answer.js';
import type { ResolvedTarget } from './resolved-target.js';

const NAMING_V1 = '/v1/ns';

/** The answer when a path cannot be read. */
function malformedPathAnswer(sentPath: string): HttpAnswer {
  const found = sentPath.length > 200 ? `${sentPath.slice(0, 200)}…` : sentPath;
  return textAnswer(
    errorMapping('malformed-request').httpStatus,
    `Path "${found}" cannot be read, allowed are complete percent sequences of UTF-8 without encoded "/", "\\" or NUL`,
  );
}

/**
 * The answer when no route takes a request.
 *
 * @param method - as sent
 * @param resolved - has no route
 * @param wallMs - epoch ms, shown in the body
 */
export function unknownRouteAnswer(method: string, resolved: ResolvedTarget, wallMs: number): HttpAnswer {
  const { lookup, sentPath } = resolved;
  if (lookup.kind === 'malformed') return malformedPathAnswer(sentPath);
  const path = lookup.kind === 'known' ? lookup.entry.path : lookup.path;
  if (path === NAMING_V1 || path.startsWith(`${NAMING_V1}/`)) {
    return errorObject(
      errorMapping('not-implemented').httpStatus,
      `no such api:${method}:${sentPath}`,
      sentPath,
      wallMs,
    );
  }
  if (lookup.kind === 'unknown') return errorObject(404, 'No message available', sentPath, wallMs);
  const allowed = lookup.entry.methods.join(', ');
  const answer = errorObject(405, `Method "${method}" is not allowed, allowed are ${allowed}`, sentPath, wallMs);
  return { ...answer, headers: [['Allow', allowed]] };
}

function errorObject(status: number, message: string, path: string, wallMs: number): HttpAnswer {
  const timestamp = new Date(wallMs).toISOString().replace('Z', '+00:00');
  return jsonAnswer(status, JSON.stringify({ timestamp, status, error: reasonOf(status), message, path }));
}
