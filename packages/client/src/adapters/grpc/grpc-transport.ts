// gRPC as the Java client 2.x speaks it: one connection, kept by the pure plan of `core/connection-plan.ts`. Calls wait for a
// connection as long as one may come: for one pass over the servers, and at most their own time.
// Source: contract grpc-2x 7; tokens are those of HTTP (3.4), as are persistent instances of servers that do not take them here.

import type { Clock, TimerHandle, Timers } from '@rollcall/runtime';
import { ClientError, clientErrorOf } from '../../core/client-error.js';
import { type ConnectionEffect, type ConnectionInput, ConnectionPlan } from '../../core/connection-plan.js';
import type { AnswerOf, RegistryCall } from '../../core/registry-call.js';
import { signatureParameters } from '../access/request-signing.js';
import { TokenLogin } from '../access/token-login.js';
import { HttpExchange } from '../http/http-exchange.js';
import type { ServerAddress } from '../server-address.js';
import type { CallBounds, Transport, TransportEvents } from '../transport.js';
import type { TransportOptions } from '../transport-options.js';
import { abortedError, ConnectionWaiters } from './connection-waiters.js';
import { type GrpcRegistryCall, grpcAnswerOf, grpcCallOf, listAnswer } from './grpc-calls.js';
import { GrpcConnection } from './grpc-connection.js';
import { SerialCalls } from './serial-calls.js';

/** What the transport is told by the caller of the client. */
export interface GrpcTransportOptions extends TransportOptions {
  /** Distance of the gRPC port from the main port. */
  readonly portOffset: number;
  readonly keepsProcessAlive: boolean;
}

/** What the transport needs besides. */
export interface GrpcTransportPorts {
  readonly clock: Clock;
  readonly timers: Timers;
  readonly random: () => number;
  readonly events: TransportEvents;
  /** Does what a server does not take over gRPC. */
  readonly http: Transport;
}

/** Attempts of a call that changes nothing, when connections end meanwhile. */
const READ_ATTEMPTS = 3;

interface Current {
  readonly connection: GrpcConnection;
  readonly attempt: number;
  readonly server: string;
}

/** Speaks gRPC. */
export class GrpcTransport implements Transport {
  readonly protocol = 'grpc';
  readonly #options: GrpcTransportOptions;
  readonly #ports: GrpcTransportPorts;
  readonly #plan: ConnectionPlan;
  readonly #exchange: HttpExchange;
  readonly #login: TokenLogin | undefined;
  readonly #connections = new Map<number, GrpcConnection>();
  readonly #subscriptions = new SerialCalls();
  readonly #waiters = new ConnectionWaiters();
  #addresses: Map<string, ServerAddress>;
  #current: Current | undefined;
  #timer: { readonly handle: TimerHandle; readonly at: number } | undefined;
  #state: 'new' | 'running' | 'closed' = 'new';

  /** @param servers - may be empty until {@link replaceServers} */
  constructor(servers: readonly ServerAddress[], options: GrpcTransportOptions, ports: GrpcTransportPorts) {
    this.#options = options;
    this.#ports = ports;
    this.#addresses = byName(servers);
    this.#exchange = new HttpExchange(options);
    this.#plan = new ConnectionPlan([...this.#addresses.keys()], ports.random, (effect) => this.#effects.push(effect));
    this.#login = options.credentials && this.#newLogin(options.credentials);
  }

  readonly #effects: ConnectionEffect[] = [];

  /** Begins to connect. */
  start(): void {
    if (this.#state !== 'new') return;
    this.#state = 'running';
    // The list may have been replaced since.
    this.#step({ type: 'servers', addresses: [...this.#addresses.keys()] });
    this.#step({ type: 'start' });
  }

  /** Takes another list of servers. */
  replaceServers(servers: readonly ServerAddress[]): void {
    this.#addresses = byName(servers);
    this.#step({ type: 'servers', addresses: [...this.#addresses.keys()] });
  }

  /** See {@link Transport.call}. */
  async call<C extends RegistryCall>(call: C, bounds: CallBounds): Promise<AnswerOf<C>> {
    if (call.type === 'beat') throw new ClientError('not-implemented', '"beat" is for HTTP: a connection needs none');
    if (call.type === 'deregister' && call.instance.ephemeral) throw notOurs(call.instance);
    const isSubscription = call.type === 'unfollow' || (call.type === 'list' && call.purpose === 'follow');
    const answer = isSubscription
      ? this.#subscriptions.run(call.service.grouped, () => this.#tryConnections(call, bounds))
      : this.#tryConnections(call, bounds);
    return answer as Promise<AnswerOf<C>>;
  }

  /** See {@link Transport.close}. */
  async close(): Promise<void> {
    if (this.#state === 'closed') return;
    this.#state = 'closed';
    this.#timer?.handle.cancel();
    this.#waiters.rejectAll(closedError());
    for (const connection of [...this.#connections.values()]) connection.close();
    await this.#exchange.close();
  }

  async #tryConnections(call: GrpcRegistryCall, bounds: CallBounds): Promise<AnswerOf<GrpcRegistryCall>> {
    const { clock } = this.#ports;
    const endsAt = clock.now().mono + bounds.timeoutMs;
    const attempts = isRead(call) ? READ_ATTEMPTS : 1;
    for (let attempt = 1; ; attempt++) {
      const current = await this.#connected(call, { ...bounds, timeoutMs: endsAt - clock.now().mono });
      try {
        return await this.#ask(current, call, { ...bounds, timeoutMs: Math.max(1, endsAt - clock.now().mono) });
      } catch (error) {
        const failure = clientErrorOf(error);
        if (failure.code !== 'unreachable' || attempt >= attempts || this.#state === 'closed') throw failure;
      }
    }
  }

  async #ask(current: Current, call: GrpcRegistryCall, bounds: CallBounds): Promise<AnswerOf<GrpcRegistryCall>> {
    const isPersistent = call.type === 'register' || call.type === 'deregister';
    if (isPersistent && !current.connection.takesPersistent) return this.#ports.http.call(call, bounds);
    const send = (token: string): Promise<AnswerOf<GrpcRegistryCall>> => this.#send(current, call, token, bounds);
    return this.#login === undefined ? send('') : this.#login.withToken(send);
  }

  async #send(
    { connection, attempt, server }: Current,
    call: GrpcRegistryCall,
    token: string,
    bounds: CallBounds,
  ): Promise<AnswerOf<GrpcRegistryCall>> {
    const { type, json, headers } = grpcCallOf(call);
    const awaitedMs = 'awaitSubscribersMs' in call ? call.awaitSubscribersMs : 0;
    const timeoutMs = Math.min(bounds.timeoutMs, this.#options.attemptTimeoutMs + awaitedMs);
    try {
      const message = { type, json, headers: [...headers, ...this.#headersOf(call, token)] };
      const body = await connection.request(message, { timeoutMs, signal: bounds.signal });
      return grpcAnswerOf(call, body, sourceOf(server, attempt));
    } catch (error) {
      if (clientErrorOf(error).code === 'deadline-exceeded') this.#step({ type: 'suspected', attempt });
      throw error;
    }
  }

  #headersOf(call: GrpcRegistryCall, token: string): [string, string][] {
    const { app, accessKey } = this.#options;
    const headers: [string, string][] = [['app', app]];
    if (token !== '') headers.push(['accessToken', token]);
    if (accessKey === undefined) return headers;
    const service = 'service' in call ? call.service.grouped : undefined;
    return [
      ...headers,
      ...(signatureParameters(accessKey, service, this.#ports.clock.now().wall) as [string, string][]),
    ];
  }

  /** The connection in use, or the next one. */
  async #connected(call: RegistryCall, bounds: CallBounds): Promise<Current> {
    if (this.#state === 'closed') throw closedError();
    if (bounds.signal?.aborted) throw abortedError(bounds.signal);
    if (this.#current !== undefined) return this.#current;
    await this.#waiters.wait(call, bounds);
    return this.#connected(call, { timeoutMs: 1, signal: bounds.signal });
  }

  #step(input: ConnectionInput): void {
    if (this.#state !== 'running') return;
    this.#plan.step(input, this.#ports.clock.now());
    for (let effect = this.#effects.shift(); effect !== undefined; effect = this.#effects.shift()) this.#do(effect);
    this.#armTimer();
  }

  #do(effect: ConnectionEffect): void {
    const { events } = this.#ports;
    switch (effect.type) {
      case 'connect':
        void this.#connect(effect.attempt, effect.server);
        break;
      case 'check':
        void this.#check(effect.attempt);
        break;
      case 'close':
        this.#connections.get(effect.attempt)?.close();
        break;
      case 'opened':
        this.#opened(effect.attempt, effect.server);
        break;
      case 'lost':
        this.#current = undefined;
        events.noted('warn', 'connection-lost', { server: effect.server, reason: effect.reason });
        events.lost();
        break;
      case 'unreachable':
        this.#unreachable(effect.reason);
        break;
    }
  }

  #opened(attempt: number, server: string): void {
    const connection = this.#connections.get(attempt);
    if (connection === undefined) return;
    this.#current = { connection, attempt, server };
    this.#ports.events.noted('info', 'connection-opened', { server });
    this.#ports.events.opened('connection');
    this.#waiters.resolveAll();
  }

  #unreachable(reason: string): void {
    const names = [...this.#addresses.keys()];
    const shown = names.map((name) => `"${name}"`).join(', ');
    const text = `No server can be reached over gRPC (${shown}), last: ${reason}`;
    const error = new ClientError('unreachable', text, { server: names.length === 1 ? names[0] : undefined });
    this.#waiters.rejectAll(error);
    this.#ports.events.unreachable(error);
  }

  async #connect(attempt: number, name: string): Promise<void> {
    const server = this.#addresses.get(name);
    if (server === undefined) return this.#gone(attempt, 'it is no server of this client any more');
    try {
      const connection = this.#newConnection(attempt, server);
      this.#connections.set(attempt, connection);
      await connection.open();
      this.#step({ type: 'connected', attempt });
    } catch (error) {
      this.#connections.get(attempt)?.close();
      this.#gone(attempt, clientErrorOf(error).message);
    }
  }

  #newConnection(attempt: number, server: ServerAddress): GrpcConnection {
    const { portOffset, connectTimeoutMs } = this.#options;
    const origin = new URL(server.origin);
    const port = server.port + portOffset;
    if (port > 65_535)
      throw new ClientError('invalid-parameter', `"${server.name}" has no gRPC port: ${port} is above 65535`);
    origin.port = String(port);
    return new GrpcConnection({
      ...this.#options,
      origin: origin.origin,
      server: server.name,
      checkTimeoutMs: connectTimeoutMs,
      gone: (reason) => this.#gone(attempt, reason),
      heard: () => this.#step({ type: 'heard', attempt }),
      sentAway: (target) => this.#step({ type: 'sent-away', attempt, target }),
      listPushed: (info) => this.#pushed(attempt, server.name, info),
    });
  }

  #pushed(attempt: number, server: string, serviceInfo: unknown): void {
    const answer = listAnswer(serviceInfo, sourceOf(server, attempt));
    // A connection that lingers still pushes what the one in use knows better.
    if (attempt === this.#current?.attempt) this.#ports.events.pushed(answer);
  }

  async #check(attempt: number): Promise<void> {
    try {
      await this.#connections.get(attempt)?.check();
      this.#step({ type: 'heard', attempt });
    } catch (error) {
      this.#step({ type: 'gone', attempt, reason: clientErrorOf(error).message });
    }
  }

  #gone(attempt: number, reason: string): void {
    this.#connections.delete(attempt);
    this.#step({ type: 'gone', attempt, reason });
  }

  #armTimer(): void {
    const next = this.#plan.nextDeadline();
    if (next === this.#timer?.at) return;
    // A deadline that moved further away needs no new timer: the old one rings early and sets the next.
    if (this.#timer !== undefined && next !== undefined && next > this.#timer.at) return;
    this.#timer?.handle.cancel();
    this.#timer = undefined;
    if (next === undefined) return;
    const handle = this.#ports.timers.once(Math.max(0, next - this.#ports.clock.now().mono), () => {
      this.#timer = undefined;
      this.#step({ type: 'woken' });
    });
    this.#timer = { handle, at: next };
  }

  #newLogin(credentials: NonNullable<TransportOptions['credentials']>): TokenLogin {
    const { clock, random, events } = this.#ports;
    return new TokenLogin({
      ...{ credentials, clock, random, noted: events.noted, exchange: this.#exchange },
      servers: () => this.#serversForLogin(),
      contextPathOf: ({ path }) => path ?? this.#options.contextPath,
      timeoutMs: this.#options.attemptTimeoutMs,
    });
  }

  #serversForLogin(): readonly ServerAddress[] {
    const inUse = this.#addresses.get(this.#current?.server ?? '');
    const others = [...this.#addresses.values()].filter((server) => server !== inUse);
    return inUse === undefined ? others : [inUse, ...others];
  }
}

/** Versions of lists are compared within one connection only: clocks of servers may go back between two. */
function sourceOf(server: string, attempt: number): string {
  return `${server}#${attempt}`;
}

function byName(servers: readonly ServerAddress[]): Map<string, ServerAddress> {
  return new Map(servers.map((server) => [server.name, server]));
}

function isRead(call: GrpcRegistryCall): boolean {
  return call.type === 'services' || call.type === 'status' || (call.type === 'list' && call.purpose === 'once');
}

function closedError(): ClientError {
  return new ClientError('closed', 'The client is closed');
}

function notOurs({ ip, port }: { readonly ip: string; readonly port: number }): ClientError {
  return new ClientError(
    'not-found',
    `Instance ${ip}:${port} cannot be taken out: this client did not register it, and over gRPC each client takes out only its own`,
  );
}
