// How persistent instances of a cluster are probed, as data and as JSON.
// Source: Nacos 1.4.8 HealthCheckerFactory, AbstractHealthChecker and its kinds; contract 11.

import { jsonText } from './json-text.js';
import type { Limits } from './limits.js';
import { RegistryError } from './registry-error.js';

/** One checker. Types are spelled in capitals on the wire. */
export type HealthChecker =
  | { readonly type: 'TCP' }
  | {
      readonly type: 'HTTP';
      /** Path and query that are asked for. */
      readonly path: string;
      /** `name:value` pairs joined with `|`. */
      readonly headers: string;
      /** Stored and shown; default 200. */
      readonly expectedResponseCode: number;
    }
  | { readonly type: 'MYSQL'; readonly user: string; readonly pwd: string; readonly cmd: string }
  | { readonly type: 'NONE' };

/** The checker of a cluster for which nobody set any. */
export const TCP_CHECKER: HealthChecker = { type: 'TCP' };
/** No probing: health is what was registered or set by hand. */
export const NO_CHECKER: HealthChecker = { type: 'NONE' };

/**
 * Reads the JSON of a checker. An unknown or missing type, other letter case included, is `NONE`; missing members take
 * their defaults.
 *
 * @throws RegistryError `invalid-parameter` when the text is no JSON object or a member has another type
 */
export function parseHealthChecker(text: string, limits: Pick<Limits, 'expressionLength'>): HealthChecker {
  if (text.length > limits.expressionLength) {
    throw refused(`found ${text.length} characters, allowed are ${limits.expressionLength}`);
  }
  const json = objectOf(text);
  switch (json.type) {
    case 'TCP':
      return TCP_CHECKER;
    case 'HTTP':
      return {
        type: 'HTTP',
        path: textOf(json, 'path'),
        headers: textOf(json, 'headers'),
        expectedResponseCode: statusOf(json),
      };
    case 'MYSQL':
      return { type: 'MYSQL', user: textOf(json, 'user'), pwd: textOf(json, 'pwd'), cmd: textOf(json, 'cmd') };
    default:
      return NO_CHECKER;
  }
}

/** A checker as JSON, members in the order of Nacos. Shows the password, as Nacos does: console and command line hide it. */
export function healthCheckerJson(checker: HealthChecker): string {
  switch (checker.type) {
    case 'TCP':
      return '{"type":"TCP"}';
    case 'NONE':
      return '{"type":"NONE"}';
    case 'HTTP':
      return `{"type":"HTTP","path":${jsonText(checker.path)},"headers":${jsonText(checker.headers)},"expectedResponseCode":${checker.expectedResponseCode}}`;
    case 'MYSQL':
      return `{"type":"MYSQL","user":${jsonText(checker.user)},"pwd":${jsonText(checker.pwd)},"cmd":${jsonText(checker.cmd)}}`;
  }
}

function objectOf(text: string): Readonly<Record<string, unknown>> {
  let value: unknown;
  try {
    value = JSON.parse(text);
  } catch (cause) {
    throw refused('it is no JSON', cause);
  }
  if (typeof value === 'object' && value !== null && !Array.isArray(value)) return value as Record<string, unknown>;
  throw refused('it is no JSON object');
}

function textOf(json: Readonly<Record<string, unknown>>, member: string): string {
  const value = json[member] ?? '';
  if (typeof value === 'string') return value;
  throw refused(`"${member}" is no text`);
}

function statusOf(json: Readonly<Record<string, unknown>>): number {
  const value = Number(json.expectedResponseCode ?? 200);
  if (Number.isInteger(value) && value >= 0 && value <= 999) return value;
  throw refused('"expectedResponseCode" is no status, allowed are 0 to 999');
}

function refused(reason: string, cause?: unknown): RegistryError {
  const message = `Param 'healthChecker' is illegal, ${reason}, allowed are JSON objects such as {"type":"TCP"}`;
  return new RegistryError('invalid-parameter', message, { details: { parameter: 'healthChecker' }, cause });
}
