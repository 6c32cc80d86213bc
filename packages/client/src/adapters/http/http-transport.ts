// HTTP v1 as the Java client 1.4 speaks it: one call, tried on as many servers as it takes.
// Source: Nacos 1.4.8 NamingProxy; contract client-1x 3.4 to 3.6. Ours: a refusal (400, 401, 403, 404) ends the call, since
// another server would refuse it too; tries follow each other with a short pause; 403 causes one login and one more try.

import { randomUUID } from 'node:crypto';
import { setTimeout as pause } from 'node:timers/promises';
import type { Clock } from '@rollcall/runtime';
import { ClientError, clientErrorOf, codeOfStatus } from '../../core/client-error.js';
import type { AnswerOf, RegistryCall } from '../../core/registry-call.js';
import { ServerList } from '../../core/server-list.js';
import { signatureParameters } from '../access/request-signing.js';
import { TokenLogin } from '../access/token-login.js';
import type { ServerAddress } from '../server-address.js';
import type { CallBounds, Transport, TransportEvents } from '../transport.js';
import type { TransportOptions } from '../transport-options.js';
import { type HttpCall, type HttpRegistryCall, httpAnswerOf, httpCallOf, type PushTarget } from './http-calls.js';
import { HttpExchange } from './http-exchange.js';

/** What the transport needs besides. */
export interface HttpTransportPorts {
  readonly clock: Clock;
  readonly random: () => number;
  readonly events: TransportEvents;
  /** Where pushes for followed lists should go, for one server. */
  readonly pushTarget: (server: ServerAddress) => Promise<PushTarget> | PushTarget;
}

const AGENT_VERSION = '1.4.8';
const PAUSE_MS = 50;
/** Statuses that another server would give too. */
const FINAL = new Set([400, 401, 403, 404]);

/** Speaks HTTP v1. */
export class HttpTransport implements Transport {
  readonly protocol = 'http';
  readonly #options: TransportOptions;
  readonly #ports: HttpTransportPorts;
  readonly #exchange: HttpExchange;
  readonly #servers: ServerList;
  readonly #login: TokenLogin | undefined;
  #addresses = new Map<string, ServerAddress>();

  /** @param servers - may be empty until {@link replaceServers} */
  constructor(servers: readonly ServerAddress[], options: TransportOptions, ports: HttpTransportPorts) {
    this.#options = options;
    this.#ports = ports;
    this.#exchange = new HttpExchange(options);
    this.#addresses = new Map(servers.map((server) => [server.origin, server]));
    this.#servers = new ServerList([...this.#addresses.keys()], ports.random);
    this.#login = options.credentials && this.#newLogin(options.credentials);
  }

  /** Names of the servers, in order. */
  get servers(): readonly string[] {
    return [...this.#addresses.values()].map((server) => server.name);
  }

  /** HTTP needs no beginning: any call may find a server. */
  start(): void {
    this.#ports.events.opened('beats');
  }

  /** Takes another list of servers. */
  replaceServers(servers: readonly ServerAddress[]): void {
    this.#addresses = new Map(servers.map((server) => [server.origin, server]));
    if (!this.#servers.replace([...this.#addresses.keys()])) return;
    this.#exchange.keepOnly(new Set(this.#addresses.keys()));
    this.#ports.events.noted('info', 'servers-changed', { servers: this.servers.join(',') });
  }

  /** See {@link Transport.call}. */
  async call<C extends RegistryCall>(call: C, bounds: CallBounds): Promise<AnswerOf<C>> {
    if (call.type === 'publish' || call.type === 'unfollow')
      throw new ClientError('not-implemented', `"${call.type}" needs a connection, which HTTP does not have`);
    return this.#tryServers(call, bounds) as Promise<AnswerOf<C>>;
  }

  async #tryServers<C extends HttpRegistryCall>(call: C, bounds: CallBounds): Promise<AnswerOf<C>> {
    const { clock } = this.#ports;
    const endsAt = clock.now().mono + bounds.timeoutMs;
    let last: ClientError | undefined;
    for (const origin of this.#servers.attempts(clock.now(), this.#options.attemptsForOneServer)) {
      if (last !== undefined) await pauseBefore(PAUSE_MS * (1 + this.#ports.random()), bounds.signal);
      const leftMs = endsAt - clock.now().mono;
      if (leftMs <= 0) throw lateError(call, bounds.timeoutMs, last);
      const server = this.#addresses.get(origin);
      if (server === undefined) continue;
      try {
        const attempt = { ...bounds, timeoutMs: Math.min(leftMs, this.#options.attemptTimeoutMs + waitOf(call)) };
        const answer = await this.#ask(server, call, attempt);
        this.#servers.answered(origin);
        return answer;
      } catch (error) {
        last = clientErrorOf(error);
        if (isFinal(last)) throw last;
        this.#servers.failed(origin, clock.now());
      }
    }
    throw this.#allFailed(call, last);
  }

  /** See {@link Transport.close}. */
  close(): Promise<void> {
    return this.#exchange.close();
  }

  #ask<C extends HttpRegistryCall>(server: ServerAddress, call: C, bounds: CallBounds): Promise<AnswerOf<C>> {
    const send = (token: string): Promise<AnswerOf<C>> => this.#send(server, call, token, bounds);
    return this.#login === undefined ? send('') : this.#login.withToken(send);
  }

  async #send<C extends HttpRegistryCall>(
    server: ServerAddress,
    call: C,
    token: string,
    bounds: CallBounds,
  ): Promise<AnswerOf<C>> {
    const isFollow = call.type === 'list' && call.purpose === 'follow';
    const target = isFollow ? await this.#ports.pushTarget(server) : NO_TARGET;
    const { method, path, parameters, body } = httpCallOf(call, target);
    const query = this.#queryOf(parameters, token);
    const answer = await this.#exchange.send(
      server,
      { method, path: `${this.#contextPathOf(server)}${path}?${query}`, headers: this.#headers(), body },
      bounds,
    );
    if (answer.status !== 200) throw statusError(server, `${method} ${path}`, answer);
    try {
      return httpAnswerOf(call, answer);
    } catch (error) {
      throw withServer(clientErrorOf(error), server);
    }
  }

  #queryOf(parameters: HttpCall['parameters'], token: string): string {
    const { namespace, app, accessKey } = this.#options;
    const all = [...parameters, ['namespaceId', namespace], ['app', app]];
    if (token !== '') all.push(['accessToken', token]);
    if (accessKey !== undefined) {
      const serviceName = parameters.find(([name]) => name === 'serviceName')?.[1];
      all.push(...signatureParameters(accessKey, serviceName, this.#ports.clock.now().wall));
    }
    return new URLSearchParams(all as [string, string][]).toString();
  }

  /** What the Java client sends; only this agent is pushed to and gets grouped names from every server. */
  #headers(): string[] {
    return [
      ...['User-Agent', `Nacos-Java-Client:v${AGENT_VERSION}`],
      ...['Client-Version', AGENT_VERSION],
      ...['Request-Module', 'Naming'],
      ...['RequestId', randomUUID()],
      ...['Accept-Encoding', 'gzip,deflate,sdch'],
      ...['Accept-Charset', 'UTF-8'],
      ...['Content-Type', 'application/x-www-form-urlencoded;charset=UTF-8'],
    ];
  }

  #contextPathOf(server: ServerAddress): string {
    return server.path ?? this.#options.contextPath;
  }

  #newLogin(credentials: NonNullable<TransportOptions['credentials']>): TokenLogin {
    const { clock, random, events } = this.#ports;
    return new TokenLogin({
      credentials,
      exchange: this.#exchange,
      servers: () =>
        this.#servers.attempts(clock.now(), 1).flatMap((origin) => {
          const server = this.#addresses.get(origin);
          return server === undefined ? [] : [server];
        }),
      contextPathOf: (server) => this.#contextPathOf(server),
      clock,
      random,
      timeoutMs: this.#options.attemptTimeoutMs,
      noted: events.noted,
    });
  }

  #allFailed(call: RegistryCall, last: ClientError | undefined): ClientError {
    if (last === undefined) return new ClientError('unreachable', `"${call.type}" failed: no server is known`);
    const names = this.servers.map((name) => `"${name}"`).join(', ');
    return new ClientError(last.code, `"${call.type}" failed on every server (${names}), last: ${last.message}`, {
      server: last.server,
      status: last.status,
      cause: last,
    });
  }
}

const NO_TARGET: PushTarget = { clientIp: '', udpPort: 0 };

/** A deregistration that waits for subscribers is answered that much later. */
function waitOf(call: RegistryCall): number {
  return call.type === 'deregister' ? call.awaitSubscribersMs : 0;
}

function isFinal(error: ClientError): boolean {
  return error.code === 'aborted' || error.code === 'closed' || (error.status !== undefined && FINAL.has(error.status));
}

async function pauseBefore(delayMs: number, signal: AbortSignal | undefined): Promise<void> {
  try {
    await pause(delayMs, undefined, signal === undefined ? {} : { signal });
  } catch (cause) {
    throw new ClientError('aborted', 'The call was aborted', { cause });
  }
}

function statusError(server: ServerAddress, what: string, answer: { status: number; body: string }): ClientError {
  const text = answer.body.length > 300 ? `${answer.body.slice(0, 300)}…` : answer.body;
  return new ClientError(
    codeOfStatus(answer.status),
    `${what} at "${server.name}" was answered with status ${answer.status}: ${text}`,
    {
      server: server.name,
      status: answer.status,
    },
  );
}

function withServer(error: ClientError, server: ServerAddress): ClientError {
  const message = `"${server.name}": ${error.message}`;
  return new ClientError(error.code, message, { server: server.name, status: 200, cause: error.cause });
}

function lateError(call: RegistryCall, timeoutMs: number, last: ClientError | undefined): ClientError {
  const reason = last === undefined ? '' : `, last: ${last.message}`;
  return new ClientError('deadline-exceeded', `"${call.type}" did not succeed within ${timeoutMs} ms${reason}`, {
    server: last?.server,
    status: last?.status,
    cause: last,
  });
}
