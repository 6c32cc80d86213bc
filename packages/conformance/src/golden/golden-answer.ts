// An answer in the form in which golden answers are kept: what differs from run to run is a placeholder.

import type { IncomingHttpHeaders } from 'node:http';
import type { CaseNames } from './case-names.js';
import { type ExactJson, type Json, parseExactJson } from './exact-json.js';
import type { GoldenStep } from './golden-case.js';
import type { Reply } from './http-exchange.js';
import { ownPart } from './own-part.js';
import { maskText, maskValue } from './run-masks.js';

/** Headers that are part of an answer's contract, by lower-case name. */
export type HeadersOfInterest = Readonly<Record<string, string>>;

/** One answer. A `status` of 0 stands for none. */
export interface GoldenAnswer {
  /** Several numbers when each of them is right; `<varies>` for any. */
  readonly status: number | readonly number[] | string;
  readonly contentType?: string | null;
  readonly body?: Json;
  /** Whether the body was JSON. */
  readonly json?: boolean;
  /** Paths of numbers written with a fraction. */
  readonly floats?: readonly string[];
  /** Members written twice. */
  readonly twice?: readonly string[];
  /** Absent when they are the {@link USUAL_HEADERS}. */
  readonly headersOfInterest?: HeadersOfInterest;
  /** Why there was no answer. */
  readonly error?: string;
}

/** The headers of interest that nearly every answer of a real server carries. */
export const USUAL_HEADERS: HeadersOfInterest = {
  connection: 'keep-alive',
  vary: 'Origin, Access-Control-Request-Method, Access-Control-Request-Headers',
  'content-security-policy': "script-src 'self'",
};

const OF_INTEREST = [
  ...[
    'connection',
    'vary',
    'content-security-policy',
    'access-control-allow-origin',
    'access-control-allow-credentials',
  ],
  ...['access-control-allow-methods', 'access-control-allow-headers', 'access-control-max-age', 'allow', 'location'],
  ...['content-encoding', 'content-disposition', 'cache-control', 'etag', 'www-authenticate', 'x-content-type-options'],
];
/** Texts are kept up to this length. */
const TEXT_LENGTH_MAX = 1500;
const LOOKS_LIKE_JSON = /^\s*[[{]|^(?:true|false|null)$/;

/** What an answer is read with. */
export interface AnswerContext {
  readonly step: GoldenStep;
  readonly names: CaseNames;
  /** `ip:port` that the server calls its own. */
  readonly self: string | undefined;
}

/** Brings a reply into the golden form. */
export function goldenAnswer(reply: Reply, context: AnswerContext): GoldenAnswer {
  if ('error' in reply) return { status: 0, error: reply.error };
  const headers = headersOfInterest(reply.headers, context);
  return {
    status: reply.status,
    contentType: reply.headers['content-type'] ?? null,
    ...bodyOf(reply.text, reply.headers['content-type'] ?? '', context),
    ...(JSON.stringify(headers) !== JSON.stringify(USUAL_HEADERS) && { headersOfInterest: headers }),
  };
}

function headersOfInterest(headers: IncomingHttpHeaders, { names, self }: AnswerContext): HeadersOfInterest {
  const found = OF_INTEREST.flatMap((name): [string, string][] => {
    const value = headers[name];
    return value === undefined ? [] : [[name, maskText(String(value), names, self)]];
  });
  return Object.fromEntries(found);
}

function bodyOf(text: string, contentType: string, context: AnswerContext): Partial<GoldenAnswer> {
  const parsed = LOOKS_LIKE_JSON.test(text) ? parsedBody(text, context) : undefined;
  if (parsed === undefined) return { body: textBody(text, contentType, context) };
  const keepOrder = context.step.keepOrder === true ? 'all' : 'defined';
  return {
    json: true,
    body: maskValue(parsed.value, { keepOrder }),
    ...(parsed.floats.length > 0 && { floats: parsed.floats }),
    ...(parsed.twice.length > 0 && { twice: parsed.twice }),
  };
}

function parsedBody(text: string, { step, names, self }: AnswerContext): ExactJson | undefined {
  try {
    if (step.select === undefined) return parseExactJson(maskText(text, names, self));
    const own = JSON.stringify(ownPart(JSON.parse(text) as Json, step.select, names));
    // A list that was cut and written again says nothing about how its numbers were written.
    return { value: parseExactJson(maskText(own, names, self)).value, floats: [], twice: [] };
  } catch {
    return undefined; // Not JSON after all: a text.
  }
}

function textBody(text: string, contentType: string, { names, self }: AnswerContext): string {
  const masked = maskText(text, names, self);
  if (/^text\/html/i.test(contentType) && /<html/i.test(masked)) return '<html page>';
  return masked.length > TEXT_LENGTH_MAX ? `${masked.slice(0, TEXT_LENGTH_MAX)}<more>` : masked;
}
