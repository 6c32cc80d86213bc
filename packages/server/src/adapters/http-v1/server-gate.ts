// What an operator closes with the switches `overriddenServerStatus` and `limitedUrlMap`: a gate in front of `/v1/ns`; and
// reads of a node that has no full copy yet, which would be answered with lists that are too short. Source: Nacos 1.4.8
// TrafficReviseFilter, ServerStatusManager; contract 1.9; cluster contract R21. The switches themselves stay reachable.

import { agentText } from '@rollcall/protocol';
import type { ServerStatus, Switches } from '../../core/switches.js';
import type { HttpAnswer } from '../http/http-answer.js';
import type { HttpRequest } from '../http/http-request.js';
import type { RequestGuard } from '../http/request-answering.js';
import { SWITCH_PATHS } from './switch-routes.js';

const GUARDED = '/v1/ns';
/** Registrations are read here, too, and what operators look at to see how a node fares. */
const READS_GUARDED = [GUARDED, '/v2/ns', '/v3/client/ns', '/v3/admin/ns'];
const READS_OPEN = ['/v1/ns/operator', '/v1/ns/ops', '/v2/ns/operator', '/v3/admin/ns/ops'];
/** Agents that begin so are taken for other servers, which must reach one that is taken out. */
const SERVER_AGENT = 'Nacos-Server';

/** What the gate needs to know. */
export interface ServerGateOptions {
  readonly core: { readonly switches: Switches; readonly replication?: { readonly ready: boolean } | undefined };
  /** Without trailing slash; prefixes in `limitedUrlMap` may be given with it or without. */
  readonly contextPath: string;
}

/** The gate. While neither switch is set it costs two comparisons per request. */
export function serverGate({ core, contextPath }: ServerGateOptions): RequestGuard {
  let switches: Switches | undefined;
  let guard: RequestGuard | undefined;
  return (request) => {
    if (switches !== core.switches) {
      switches = core.switches;
      guard = guardFor(switches, contextPath);
    }
    if (core.replication?.ready === false) return guard?.(request) ?? startingAnswer(request);
    return guard?.(request);
  };
}

function guardFor(switches: Switches, contextPath: string): RequestGuard | undefined {
  const limits = Object.entries(switches.limitedUrlMap);
  const status = switches.overriddenServerStatus ?? 'UP';
  if (limits.length === 0 && status === 'UP') return undefined;
  return (request) => {
    const { path } = request;
    if (!(path === GUARDED || path.startsWith(`${GUARDED}/`)) || SWITCH_PATHS.includes(path)) return undefined;
    return limitedAnswer(request, limits, contextPath) ?? closedAnswer(request, status);
  };
}

/** Compares in the form of 1.4.8: path, `?`, and the query or the word `null`. */
function limitedAnswer(
  { path, target }: HttpRequest,
  limits: readonly (readonly [prefix: string, status: number])[],
  contextPath: string,
): HttpAnswer | undefined {
  if (limits.length === 0) return undefined;
  const mark = target.indexOf('?');
  const bare = `${path}?${mark < 0 ? 'null' : target.slice(mark + 1)}`;
  const full = contextPath + bare;
  const limit = limits.find(([prefix]) => full.startsWith(prefix) || bare.startsWith(prefix));
  return limit === undefined ? undefined : { status: limit[1], contentType: '', body: new Uint8Array() };
}

function startingAnswer({ method, path }: HttpRequest): HttpAnswer | undefined {
  if (method !== 'GET' && method !== 'HEAD') return undefined;
  const isIn = (prefix: string) => path === prefix || path.startsWith(`${prefix}/`);
  return READS_GUARDED.some(isIn) && !READS_OPEN.some(isIn) ? statusAnswer('STARTING') : undefined;
}

function closedAnswer(request: HttpRequest, status: ServerStatus): HttpAnswer | undefined {
  if (status === 'UP') return undefined;
  const agent = agentText(request.header('user-agent'), request.header('client-version'));
  if (agent.startsWith(SERVER_AGENT)) return undefined;
  const reads = request.method === 'GET' || request.method === 'HEAD';
  if (status === (reads ? 'READ_ONLY' : 'WRITE_ONLY')) return undefined;
  return statusAnswer(status);
}

/** The missing blank is in the text of Nacos. */
function statusAnswer(status: ServerStatus): HttpAnswer {
  return { status: 503, contentType: '', body: Buffer.from(`server is ${status}now, please try again later!`) };
}
