// The calls of the core that are on their way: at most so many at once, the rest waits in order, so that a thousand
// registrations after an outage do not become a thousand sockets. Each part has at most one call per record in here,
// which is what bounds the queue.

import type { Now } from '@rollcall/runtime/time';
import type { ClientEffectSink } from './client-effect.js';
import type { CallResult } from './client-input.js';
import type { RegistryCall } from './registry-call.js';

/** Calls of the core that are on their way at once. */
const CALLS_IN_FLIGHT_MAX = 64;

interface Waiting {
  readonly ticket: number;
  readonly call: RegistryCall;
}

/** Sends calls and brings their results back to who asked. */
export class CallLane {
  readonly #sink: ClientEffectSink;
  readonly #continuations = new Map<number, (result: CallResult, now: Now) => void>();
  readonly #waiting: Waiting[] = [];
  readonly #inFlight = new Set<number>();
  #lastTicket = 0;
  #gate: 'open' | 'closed' = 'closed';

  /** @param sink - takes the calls */
  constructor(sink: ClientEffectSink) {
    this.#sink = sink;
  }

  /** Sends a call now or when one of those before it has ended. @returns its ticket, for {@link forget} */
  send<C extends RegistryCall>(call: C, ended: (result: CallResult<C>, now: Now) => void): number {
    const ticket = ++this.#lastTicket;
    this.#continuations.set(ticket, ended as (result: CallResult, now: Now) => void);
    this.#waiting.push({ ticket, call });
    this.#pump();
    return ticket;
  }

  /** Nobody waits for the result any more; a call that was not sent yet never is. */
  forget(ticket: number): void {
    this.#continuations.delete(ticket);
  }

  /** Takes a call back that was not sent yet. @returns false when it was sent: its result will come */
  withdraw(ticket: number): boolean {
    return !this.#inFlight.has(ticket) && this.#continuations.delete(ticket);
  }

  /** A server can be asked: what waited is sent. */
  open(): void {
    this.#gate = 'open';
    this.#pump();
  }

  /** No server can be asked: what comes waits. */
  close(): void {
    this.#gate = 'closed';
  }

  /** Takes a result in. */
  called(ticket: number, result: CallResult, now: Now): void {
    if (!this.#inFlight.delete(ticket)) return;
    const ended = this.#continuations.get(ticket);
    this.#continuations.delete(ticket);
    ended?.(result, now);
    this.#pump();
  }

  #pump(): void {
    while (this.#gate === 'open' && this.#inFlight.size < CALLS_IN_FLIGHT_MAX) {
      const next = this.#waiting.shift();
      if (next === undefined) return;
      if (!this.#continuations.has(next.ticket)) continue;
      this.#inFlight.add(next.ticket);
      this.#sink({ type: 'call', ticket: next.ticket, call: next.call });
    }
  }
}
