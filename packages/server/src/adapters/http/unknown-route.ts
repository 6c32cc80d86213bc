// Answers to requests that no route takes. Below `/v1/ns` an unknown path or method is 501 as on every Nacos; elsewhere 404, and
// 405 for a method that a known path does not offer. The bodies are the error object of Nacos's web server. Below `/v3/console`,
// which 3.x serves on a port of its own, the place is kept for a console: 501 in the envelope of v3.
// Source: http-v1 contract 1.1 and 1.5, http-v2-v3 contract 3.2; golden cases path-unknown, method-wrong.

import { errorMapping, errorResultJson, RegistryError } from '@rollcall/protocol';
import { reasonOf } from './answer-head.js';
import { type HttpAnswer, jsonAnswer, textAnswer } from './http-answer.js';
import type { ResolvedTarget } from './resolved-target.js';

/** Paths are quoted up to this length. */
const SHOWN_LENGTH = 200;
const NAMING_V1 = '/v1/ns';
const CONSOLE_V3 = '/v3/console';

/** The answer when a path cannot be read. */
function malformedPathAnswer(sentPath: string): HttpAnswer {
  const found = sentPath.length > SHOWN_LENGTH ? `${sentPath.slice(0, SHOWN_LENGTH)}…` : sentPath;
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
  if (isBelow(CONSOLE_V3, path)) return consoleAnswer(method, path);
  if (isBelow(NAMING_V1, path)) {
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

function isBelow(root: string, path: string): boolean {
  return path === root || path.startsWith(`${root}/`);
}

function consoleAnswer(method: string, path: string): HttpAnswer {
  const message = `Route "${method} ${path.slice(0, SHOWN_LENGTH)}" is not offered: there is no console yet, operators have "/v3/admin"`;
  const error = new RegistryError('not-implemented', message);
  return jsonAnswer(errorMapping(error.code).httpStatus, errorResultJson(error));
}

function errorObject(status: number, message: string, path: string, wallMs: number): HttpAnswer {
  const timestamp = new Date(wallMs).toISOString().replace('Z', '+00:00');
  return jsonAnswer(status, JSON.stringify({ timestamp, status, error: reasonOf(status), message, path }));
}
