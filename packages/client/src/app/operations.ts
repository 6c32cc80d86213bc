// The promises of callers that wait for the core: each ends by its outcome, its deadline or its signal, whichever is first.

import type { TimerHandle, Timers } from '@rollcall/runtime';
import type { Outcome } from '../core/client-effect.js';
import { ClientError } from '../core/client-error.js';
import type { SubscribersTold } from '../core/registry-call.js';

/** Bounds that every call of the client takes. */
export interface CallOptions {
  /** Ends the call: it rejects with `aborted`. */
  readonly signal?: AbortSignal | undefined;
  /** Longest time, ms. Default: that of the client, 15000. After it the call rejects with `deadline-exceeded`. */
  readonly deadlineMs?: number | undefined;
}

/** How a waiting began. */
export interface Waiting {
  readonly what: string;
  readonly deadlineMs: number;
  readonly signal: AbortSignal | undefined;
  /** Why it has not succeeded yet; undefined when nothing failed. */
  readonly lastFailure: () => ClientError | undefined;
  /** The caller has stopped waiting, the core has not ended the operation. */
  readonly abandoned: () => void;
}

interface Pending {
  readonly settle: (outcome: Outcome) => void;
}

/** Operations under way. */
export class Operations {
  readonly #timers: Timers;
  readonly #pending = new Map<number, Pending>();
  #last = 0;

  /** @param timers - for deadlines */
  constructor(timers: Timers) {
    this.#timers = timers;
  }

  /** A number for a new operation. */
  next(): number {
    return ++this.#last;
  }

  /** As {@link next}. @throws ClientError `aborted` when the signal was aborted before: nothing is to be done then */
  begin({ what, signal }: Pick<Waiting, 'what' | 'signal'>): number {
    if (signal?.aborted) throw abortedError(what, signal);
    return this.next();
  }

  /** Waits for the outcome of an operation. Call before the core is told of it. */
  wait(operation: number, waiting: Waiting): Promise<SubscribersTold | undefined> {
    return new Promise((resolve, reject) => {
      let timer: TimerHandle | undefined;
      const { signal } = waiting;
      const release = (): void => {
        this.#pending.delete(operation);
        timer?.cancel();
        signal?.removeEventListener('abort', aborted);
      };
      const abandon = (error: ClientError): void => {
        release();
        waiting.abandoned();
        reject(error);
      };
      const aborted = (): void => abandon(abortedError(waiting.what, signal));
      this.#pending.set(operation, {
        settle: (outcome) => {
          release();
          if (outcome.type === 'done') resolve(outcome.subscribers);
          else reject(outcome.error);
        },
      });
      timer = this.#timers.once(waiting.deadlineMs, () => abandon(lateError(waiting)));
      signal?.addEventListener('abort', aborted, { once: true });
    });
  }

  /** An operation has ended. One that nobody waits for is no fault. */
  settled(operation: number, outcome: Outcome): void {
    this.#pending.get(operation)?.settle(outcome);
  }

  /** Everybody who waits is told the same. */
  settleAll(outcome: Outcome): void {
    for (const { settle } of [...this.#pending.values()]) settle(outcome);
  }
}

function abortedError(what: string, signal: AbortSignal | undefined): ClientError {
  return new ClientError('aborted', `${what} was aborted`, { cause: signal?.reason });
}

function lateError({ what, deadlineMs, lastFailure }: Waiting): ClientError {
  const late = `${what} did not succeed within ${deadlineMs} ms`;
  const cause = lastFailure();
  if (cause === undefined) return new ClientError('deadline-exceeded', late);
  const { server, status } = cause;
  return new ClientError('deadline-exceeded', `${late}, last: ${cause.message}`, { server, status, cause });
}
