// Logs in with name and password and hands out the token: one login at a time, however many calls wait for it.
// Source: Nacos 1.4.8 SecurityProxy; contract client-1x 3.8; the path of 3.x is tried where the old one is not there.

import type { Clock } from '@rollcall/runtime';
import { ClientError, clientErrorOf, codeOfStatus } from '../../core/client-error.js';
import { LoginSchedule } from '../../core/login-schedule.js';
import type { HttpAnswer, HttpExchange } from '../http/http-exchange.js';
import type { ServerAddress } from '../server-address.js';
import type { TransportEvents } from '../transport.js';

/** Name and password of this client. */
export interface Credentials {
  readonly username: string;
  readonly password: string;
}

/** What a login needs. */
export interface TokenLoginOptions {
  readonly credentials: Credentials;
  readonly exchange: Pick<HttpExchange, 'send'>;
  /** The servers to try, in order. */
  readonly servers: () => readonly ServerAddress[];
  /** Path before `/v1`, for one server. */
  readonly contextPathOf: (server: ServerAddress) => string;
  readonly clock: Clock;
  readonly random: () => number;
  readonly timeoutMs: number;
  readonly noted: TransportEvents['noted'];
}

const PATHS = ['/v1/auth/users/login', '/v3/auth/user/login'];
const ABSENT = new Set([404, 410, 501]);

/** The token of one client. */
export class TokenLogin {
  readonly #options: TokenLoginOptions;
  readonly #schedule: LoginSchedule;
  #underWay: Promise<void> | undefined;

  /** @param options - see there */
  constructor(options: TokenLoginOptions) {
    this.#options = options;
    this.#schedule = new LoginSchedule(options.random);
  }

  /**
   * Makes a call with the token, which is empty when there is none: the server then refuses the call, with a reason. When it
   * refuses the token, a login and one more call follow.
   */
  async withToken<T>(send: (token: string) => Promise<T>): Promise<T> {
    const token = await this.#token();
    try {
      return await send(token);
    } catch (error) {
      const isRefused = error instanceof ClientError && error.code === 'access-denied';
      if (!isRefused || !this.#schedule.refused(token, this.#options.clock.now())) throw error;
      return send(await this.#token());
    }
  }

  async #token(): Promise<string> {
    if (this.#underWay !== undefined || this.#schedule.isDue(this.#options.clock.now())) await this.#login();
    return this.#schedule.token;
  }

  #login(): Promise<void> {
    this.#underWay ??= this.#tryServers().finally(() => {
      this.#underWay = undefined;
    });
    return this.#underWay;
  }

  async #tryServers(): Promise<void> {
    const { clock, noted } = this.#options;
    let last = new ClientError('unreachable', 'No server is known');
    for (const server of this.#options.servers()) {
      try {
        const { token, ttlSeconds } = await this.#askFor(server);
        this.#schedule.loggedIn(token, ttlSeconds, clock.now());
        return;
      } catch (error) {
        last = clientErrorOf(error);
      }
    }
    this.#schedule.failed(clock.now());
    noted('warn', 'login-failed', { server: last.server, reason: last.toString() });
  }

  async #askFor(server: ServerAddress): Promise<{ token: string; ttlSeconds: number }> {
    const { credentials, contextPathOf, exchange, timeoutMs } = this.#options;
    const query = new URLSearchParams({ username: credentials.username });
    const body = `${new URLSearchParams({ password: credentials.password })}&`;
    const headers = ['Content-Type', 'application/x-www-form-urlencoded;charset=UTF-8', 'Accept-Encoding', 'gzip'];
    for (const path of PATHS) {
      const request = { method: 'POST', path: `${contextPathOf(server)}${path}?${query}`, headers, body } as const;
      const answer = await exchange.send(server, request, { timeoutMs });
      if (!ABSENT.has(answer.status)) return tokenIn(server, answer);
    }
    // No login at all: a server without authentication, which is asked again when a token would end.
    return { token: '', ttlSeconds: 0 };
  }
}

function tokenIn(server: ServerAddress, answer: HttpAnswer): { token: string; ttlSeconds: number } {
  if (answer.status !== 200) {
    const message = `Login at "${server.name}" was refused with status ${answer.status}: ${answer.body.slice(0, 200)}`;
    throw new ClientError(codeOfStatus(answer.status), message, { server: server.name, status: answer.status });
  }
  try {
    const { accessToken, tokenTtl } = JSON.parse(answer.body) as { accessToken?: unknown; tokenTtl?: unknown };
    return { token: typeof accessToken === 'string' ? accessToken : '', ttlSeconds: Number(tokenTtl) || 0 };
  } catch (cause) {
    throw new ClientError('unexpected-answer', `Login at "${server.name}" was answered with no JSON`, {
      server: server.name,
      cause,
    });
  }
}
