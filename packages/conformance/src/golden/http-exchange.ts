// Sends the request of a step exactly as the case says, raw characters included, and collects what comes back.

import http from 'node:http';
import { type CaseNames, fillTemplate } from './case-names.js';
import type { GoldenStep, Pairs } from './golden-case.js';

/** What came back: an answer, or the reason why none came. */
export type Reply =
  | { readonly status: number; readonly headers: http.IncomingHttpHeaders; readonly text: string }
  | { readonly error: string };

/** Where to send requests. */
export interface Target {
  /** Server with its context path. */
  readonly base: URL;
  readonly agent: http.Agent;
}

/** Ms until a request without answer counts as failed. */
const ANSWER_TIMEOUT_MS = 20_000;
const WITH_BODY = new Set(['POST', 'PUT', 'PATCH', 'DELETE']);

/** Sends one step. Never rejects: what goes wrong is in the reply. */
export function exchange(step: GoldenStep, target: Target, names: CaseNames): Promise<Reply> {
  const { body, headers } = bodyAndHeaders(step, target, names);
  return new Promise((resolve) => {
    const fail = (error: NodeJS.ErrnoException): void => resolve({ error: error.code ?? error.message });
    const request = http.request(
      {
        agent: target.agent,
        host: target.base.hostname,
        port: target.base.port,
        method: step.method,
        // Raw characters go out as their UTF-8 bytes.
        path: Buffer.from(targetOf(step, target, names)).toString('latin1'),
        headers,
        timeout: ANSWER_TIMEOUT_MS,
      },
      (response) => {
        const chunks: Buffer[] = [];
        response.on('data', (chunk: Buffer) => chunks.push(chunk));
        response.on('error', fail);
        response.on('end', () => {
          const text = Buffer.concat(chunks).toString();
          resolve({ status: response.statusCode ?? 0, headers: response.headers, text });
        });
      },
    );
    request.on('timeout', () => request.destroy(new Error(`no answer within ${ANSWER_TIMEOUT_MS} ms`)));
    request.on('error', fail);
    request.end(body);
  });
}

function targetOf(step: GoldenStep, target: Target, names: CaseNames): string {
  const context = step.root === true ? '' : target.base.pathname.replace(/\/$/, '');
  const path = context + fillTemplate(step.path, names);
  if (step.rawQuery !== undefined) return `${path}?${fillTemplate(step.rawQuery, names)}`;
  return step.query === undefined ? path : `${path}?${encoded(step.query, names)}`;
}

function bodyAndHeaders(step: GoldenStep, target: Target, names: CaseNames) {
  const headers: Record<string, string | number> = {
    host: target.base.host,
    accept: '*/*',
    'user-agent': 'rollcall-conformance',
  };
  let body: string | undefined;
  if (step.form !== undefined) {
    body = encoded(step.form, names);
    headers['content-type'] = 'application/x-www-form-urlencoded';
  } else if (typeof step.body === 'string') {
    body = fillTemplate(step.body, names);
  } else if (step.body !== undefined) {
    body = fillTemplate(JSON.stringify(step.body), names);
    headers['content-type'] = 'application/json';
  }
  for (const [name, value] of Object.entries(step.headers ?? {})) {
    if (value === null) delete headers[name.toLowerCase()];
    else headers[name.toLowerCase()] = fillTemplate(value, names);
  }
  if (body !== undefined) headers['content-length'] = Buffer.byteLength(body);
  else if (WITH_BODY.has(step.method)) headers['content-length'] = 0;
  return { body, headers };
}

function encoded(pairs: Pairs, names: CaseNames): string {
  const list = Array.isArray(pairs) ? (pairs as readonly (readonly [string, string])[]) : Object.entries(pairs);
  return list
    .map(([name, value]) => `${encodeURIComponent(name)}=${encodeURIComponent(fillTemplate(String(value), names))}`)
    .join('&');
}
