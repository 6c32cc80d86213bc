// When to connect, to which server, when to ask whether a connection still lives, and when to give it up. Times and order
// only: sockets are the adapter's. One connection is in use at a time; a former one may linger while a new one takes over.
//
// Source: Nacos 2.5.1 RpcClient (health check after 5 s of silence, next server after a failure); contract grpc-2x 6, 7.
// Ours: waits between passes over all servers double with jitter; the first try after a loss is spread over 300 ms, so that
// thousands of clients of a server that ended do not knock in the same instant.

import { after, type Instant, type Now } from '@rollcall/runtime/time';
import { backOffMs } from './back-off.js';
import { ServerList } from './server-list.js';

/** Silence after which a server is asked whether it is there, ms. */
const HEALTH_IDLE_MS = 5000;
/** Waits between passes in which no server could be reached. */
const PASS_WAITS = { firstMs: 200, longestMs: 5000 };
/** The first try after a loss comes within this, ms. */
const FIRST_TRY_SPREAD_MS = 300;
/** How long a connection that was told to go elsewhere is kept after the new one is there, ms. */
const LINGER_MS = 2000;

/** What happened. Attempts are named by the number that `connect` gave; news of former ones are ignored. */
export type ConnectionInput =
  | { readonly type: 'start' }
  /** The attempt gave a connection that can be used. */
  | { readonly type: 'connected'; readonly attempt: number }
  /** The attempt failed, or its connection is gone. */
  | { readonly type: 'gone'; readonly attempt: number; readonly reason: string }
  /** Something came in. */
  | { readonly type: 'heard'; readonly attempt: number }
  /** Something did not come in that should have. */
  | { readonly type: 'suspected'; readonly attempt: number }
  /** The server wants this client elsewhere; `host` when it says where. */
  | { readonly type: 'sent-away'; readonly attempt: number; readonly target: string | undefined }
  | { readonly type: 'servers'; readonly addresses: readonly string[] }
  | { readonly type: 'woken' };

/** What is to be done. */
export type ConnectionEffect =
  | { readonly type: 'connect'; readonly attempt: number; readonly server: string }
  /** Ask whether the server is there; the answer comes as `heard`, no answer as `gone`. */
  | { readonly type: 'check'; readonly attempt: number }
  | { readonly type: 'close'; readonly attempt: number }
  /** Calls go over this connection from now on; the server knows nothing yet. */
  | { readonly type: 'opened'; readonly attempt: number; readonly server: string }
  /** There is no connection. */
  | { readonly type: 'lost'; readonly server: string; readonly reason: string }
  /** No server could be reached in a whole pass. */
  | { readonly type: 'unreachable'; readonly reason: string };

interface Attempt {
  readonly number: number;
  readonly server: string;
}

/** The plan of one client. */
export class ConnectionPlan {
  readonly #servers: ServerList;
  readonly #random: () => number;
  readonly #sink: (effect: ConnectionEffect) => void;
  #lastAttempt = 0;
  #current: (Attempt & { heardAt: Instant; checking: boolean }) | undefined;
  #trying: Attempt | undefined;
  #lingering: (Attempt & { readonly until: Instant }) | undefined;
  /** Servers that are left in this pass. */
  #pass: string[] = [];
  #failedPasses = 0;
  #tryAt: Instant | undefined;

  /** @param servers - addresses @param random - uniform in [0, 1) @param sink - takes the effects, in order */
  constructor(servers: readonly string[], random: () => number, sink: (effect: ConnectionEffect) => void) {
    this.#servers = new ServerList(servers, random);
    this.#random = random;
    this.#sink = sink;
  }

  /** When `step` must be called at the latest; undefined when nothing is due by itself. */
  nextDeadline(): Instant | undefined {
    const current = this.#current;
    const checkAt = current === undefined || current.checking ? undefined : after(current.heardAt, HEALTH_IDLE_MS);
    const due = [this.#tryAt, this.#lingering?.until, checkAt].filter((at) => at !== undefined);
    return due.length === 0 ? undefined : (Math.min(...due) as Instant);
  }

  /** Takes an input in, then does what is due. */
  step(input: ConnectionInput, now: Now): void {
    this.#take(input, now);
    this.#doDue(now);
  }

  #take(input: ConnectionInput, now: Now): void {
    switch (input.type) {
      case 'start':
        if (this.#trying === undefined) this.#startPass(now, 0);
        break;
      case 'connected':
        if (input.attempt === this.#trying?.number) this.#connected(this.#trying, now);
        break;
      case 'gone':
        this.#gone(input.attempt, input.reason, now);
        break;
      case 'heard':
        if (input.attempt === this.#current?.number)
          Object.assign(this.#current, { heardAt: now.mono, checking: false });
        break;
      case 'suspected':
        if (input.attempt === this.#current?.number) this.#check(this.#current);
        break;
      case 'sent-away':
        if (input.attempt === this.#current?.number) this.#moveAway(this.#current, input.target, now);
        break;
      case 'servers':
        this.#replace(input.addresses, now);
        break;
      case 'woken':
        break;
    }
  }

  #doDue(now: Now): void {
    const { mono } = now;
    if (this.#lingering !== undefined && mono >= this.#lingering.until) this.#endLingering();
    if (this.#tryAt !== undefined && mono >= this.#tryAt) this.#tryNext(now);
    const current = this.#current;
    if (current !== undefined && mono >= after(current.heardAt, HEALTH_IDLE_MS)) this.#check(current);
  }

  /** One question at a time: its answer, or the lack of one, ends it. */
  #check(current: Attempt & { checking: boolean }): void {
    if (current.checking) return;
    current.checking = true;
    this.#sink({ type: 'check', attempt: current.number });
  }

  #startPass(now: Now, delayMs: number): void {
    this.#pass = [];
    this.#tryAt = after(now.mono, Math.round(delayMs));
  }

  #tryNext(now: Now): void {
    this.#tryAt = undefined;
    if (this.#pass.length === 0) this.#pass = [...this.#servers.attempts(now, 1)];
    const server = this.#pass.shift();
    if (server === undefined) return; // No server is known; `servers` will start a pass.
    this.#trying = { number: ++this.#lastAttempt, server };
    this.#sink({ type: 'connect', attempt: this.#trying.number, server });
  }

  #connected(attempt: Attempt, now: Now): void {
    this.#trying = undefined;
    this.#failedPasses = 0;
    this.#endLingering();
    if (this.#current !== undefined) this.#lingering = { ...this.#current, until: after(now.mono, LINGER_MS) };
    this.#servers.answered(attempt.server);
    this.#current = { ...attempt, heardAt: now.mono, checking: false };
    this.#sink({ type: 'opened', attempt: attempt.number, server: attempt.server });
  }

  #gone(attempt: number, reason: string, now: Now): void {
    if (attempt === this.#lingering?.number) this.#lingering = undefined;
    else if (attempt === this.#trying?.number) this.#tryFailed(this.#trying, reason, now);
    else if (attempt === this.#current?.number) this.#lost(this.#current, reason, now);
  }

  #tryFailed(attempt: Attempt, reason: string, now: Now): void {
    this.#trying = undefined;
    this.#servers.failed(attempt.server, now);
    if (this.#pass.length > 0) {
      this.#tryNext(now);
      return;
    }
    // A client that was sent away and found no other server stays where it is.
    if (this.#current !== undefined) return;
    this.#failedPasses++;
    this.#sink({ type: 'unreachable', reason });
    this.#startPass(now, backOffMs(this.#failedPasses, PASS_WAITS, this.#random));
  }

  #lost({ number, server }: Attempt, reason: string, now: Now): void {
    this.#current = undefined;
    this.#endLingering();
    this.#servers.failed(server, now);
    this.#sink({ type: 'close', attempt: number });
    this.#sink({ type: 'lost', server, reason });
    if (this.#trying === undefined) this.#startPass(now, FIRST_TRY_SPREAD_MS * this.#random());
  }

  /** The new connection is made before the old one is closed, so that nothing is missing in between. */
  #moveAway(current: Attempt, target: string | undefined, now: Now): void {
    if (this.#trying !== undefined) return;
    const others = this.#servers.attempts(now, 1).filter((server) => server !== current.server);
    const wanted = this.#servers.addresses.filter((server) => target !== undefined && server === target);
    this.#pass = [...new Set([...wanted, ...others, current.server])];
    this.#tryNext(now);
  }

  #replace(addresses: readonly string[], now: Now): void {
    if (!this.#servers.replace(addresses)) return;
    this.#pass = [];
    const { server } = this.#current ?? {};
    if (server !== undefined && !addresses.includes(server)) this.#moveAway(this.#current as Attempt, undefined, now);
    else if (server === undefined && this.#trying === undefined) this.#startPass(now, 0);
  }

  #endLingering(): void {
    if (this.#lingering === undefined) return;
    this.#sink({ type: 'close', attempt: this.#lingering.number });
    this.#lingering = undefined;
  }
}
