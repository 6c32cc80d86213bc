// HTTP probe: one GET, of whose answer only the head is read. Only status 200 is good: the expected status of the checker
// is stored and shown but not looked at. Source: Nacos 1.4.8 HttpHealthCheckProcessor. Redirects are not followed.

import { type ClientRequest, request } from 'node:http';
import type { HealthChecker } from '@rollcall/protocol';
import type { Timers } from '@rollcall/runtime';
import { outcomeOfError, type ProbeOutcome } from './probe-outcome.js';

/** Longest head of an answer, bytes. */
const HEAD_MAX = 16_384;

/** Whom to ask for what. */
export interface HttpProbe {
  /** A literal address. */
  readonly ip: string;
  /** 1 to 65535. */
  readonly port: number;
  readonly checker: Extract<HealthChecker, { type: 'HTTP' }>;
  readonly timeoutMs: number;
}

/** Asks once. Never rejects. */
export function probeHttp(probe: HttpProbe, timers: Timers): Promise<ProbeOutcome> {
  const startedAt = performance.now();
  const elapsed = () => performance.now() - startedAt;
  return new Promise((resolve) => {
    const outgoing = requestFor(probe);
    if (outgoing === undefined) {
      resolve({ type: 'not-probed', ms: 0, detail: 'path or headers cannot be sent' });
      return;
    }
    const settle = (outcome: ProbeOutcome) => {
      timeout.cancel();
      outgoing.destroy();
      resolve(outcome);
    };
    const timeout = timers.once(probe.timeoutMs, () => settle({ type: 'timeout', ms: elapsed() }));
    outgoing.once('response', ({ statusCode: status = 0 }) =>
      settle(status === 200 ? { type: 'ok', ms: elapsed() } : { type: 'bad-status', status, ms: elapsed() }),
    );
    outgoing.once('upgrade', () => settle({ type: 'bad-status', status: 101, ms: elapsed() }));
    outgoing.on('error', (error) => settle(outcomeOfError(error, elapsed())));
    outgoing.end();
  });
}

/** The request, not yet sent; undefined when Node refuses to write its path or headers. */
function requestFor({ ip, port, checker }: HttpProbe): ClientRequest | undefined {
  const path = checker.path.startsWith('/') ? checker.path : `/${checker.path}`;
  const headers = { Connection: 'close', ...readHeaders(checker.headers) };
  try {
    return request({ host: ip, port, path, headers, agent: false, maxHeaderSize: HEAD_MAX });
  } catch {
    return undefined;
  }
}

/** Reads `name:value|name:value`; parts without a colon are left out. */
export function readHeaders(text: string): Readonly<Record<string, string>> {
  const headers: Record<string, string> = {};
  for (const part of text.split('|')) {
    const colonAt = part.indexOf(':');
    if (colonAt > 0) headers[part.slice(0, colonAt).trim()] = part.slice(colonAt + 1).trim();
  }
  return headers;
}
