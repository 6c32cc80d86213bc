// When to log in: before the first call, again at nine tenths of the token's life, and once when a server refuses the token.
// One login at a time, never two within 5 s, and longer waits when logins fail.
// Source: Nacos 2.5.1 NacosClientAuthServiceImpl (window of renewal); contract client-1x 3.8; bug reports on login storms.

import { after, type Instant, type Now } from '@rollcall/runtime/time';
import { backOffMs } from './back-off.js';

/** Shortest time between two logins, ms. */
const LOGIN_PAUSE_MS = 5000;
/** Longest wait after failed logins, ms. */
const LOGIN_PAUSE_LONGEST_MS = 300_000;
/** Life of a token whose server does not tell it: 5 h, the default of Nacos. */
const DEFAULT_TTL_MS = 18_000_000;

/** The token of a client, and when to get the next. */
export class LoginSchedule {
  readonly #random: () => number;
  #token = '';
  #dueAt: Instant = 0 as Instant;
  #notBefore: Instant = 0 as Instant;
  #failures = 0;

  /** @param random - uniform in [0, 1) */
  constructor(random: () => number) {
    this.#random = random;
  }

  /** The token to send; empty when there is none. */
  get token(): string {
    return this.#token;
  }

  /** Whether to log in before the next call. */
  isDue(now: Now): boolean {
    return now.mono >= this.#dueAt && now.mono >= this.#notBefore;
  }

  /** A login succeeded. @param token - empty when the server has no authentication @param ttlSeconds - 0 when it does not say */
  loggedIn(token: string, ttlSeconds: number, now: Now): void {
    this.#token = token === 'AUTH_DISABLED' ? '' : token;
    this.#failures = 0;
    const ttlMs = ttlSeconds > 0 ? ttlSeconds * 1000 : DEFAULT_TTL_MS;
    // Somewhere in the last tenth to fifteenth of its life, so that many clients do not renew together.
    const windowMs = ttlMs / 15 + (ttlMs / 10 - ttlMs / 15) * this.#random();
    this.#dueAt = after(now.mono, Math.round(ttlMs - windowMs));
    this.#notBefore = after(now.mono, LOGIN_PAUSE_MS);
  }

  /** A login failed; the old token stays in use. */
  failed(now: Now): void {
    this.#failures++;
    this.#dueAt = now.mono;
    const waits = { firstMs: LOGIN_PAUSE_MS * 2, longestMs: LOGIN_PAUSE_LONGEST_MS };
    this.#notBefore = after(now.mono, backOffMs(this.#failures, waits, this.#random));
  }

  /** A server refused a call with this token. @returns whether a login may help now */
  refused(token: string, now: Now): boolean {
    if (token !== this.#token) return true;
    if (now.mono < this.#notBefore) return false;
    this.#dueAt = now.mono;
    return true;
  }
}
