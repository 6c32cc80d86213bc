// Calls that wait for a connection: until there is one, none can be had, their time is over, or their caller gives up. Their
// number is bounded by that of the calls under way.

import { ClientError } from '../../core/client-error.js';
import type { RegistryCall } from '../../core/registry-call.js';
import type { CallBounds } from '../transport.js';

interface Waiter {
  readonly resolve: () => void;
  readonly reject: (error: ClientError) => void;
}

/** Who waits for a connection. */
export class ConnectionWaiters {
  readonly #waiters = new Set<Waiter>();

  /** Waits. @throws ClientError (as rejection) `deadline-exceeded`, `aborted`, or what {@link rejectAll} was given */
  wait(call: RegistryCall, { timeoutMs, signal }: CallBounds): Promise<void> {
    return new Promise((resolve, reject) => {
      const end = (error?: ClientError): void => {
        clearTimeout(timer);
        this.#waiters.delete(waiter);
        signal?.removeEventListener('abort', aborted);
        if (error === undefined) resolve();
        else reject(error);
      };
      const waiter: Waiter = { resolve: () => end(), reject: end };
      const late = `"${call.type}" found no connection within ${Math.round(timeoutMs)} ms`;
      const timer = setTimeout(() => end(new ClientError('deadline-exceeded', late)), Math.max(1, timeoutMs));
      const aborted = (): void => end(abortedError(signal));
      signal?.addEventListener('abort', aborted, { once: true });
      this.#waiters.add(waiter);
    });
  }

  /** There is a connection. */
  resolveAll(): void {
    for (const { resolve } of [...this.#waiters]) resolve();
  }

  /** There is none, and none is coming. */
  rejectAll(error: ClientError): void {
    for (const { reject } of [...this.#waiters]) reject(error);
  }
}

/** The caller gave up. @param signal - whose reason becomes the cause */
export function abortedError(signal: AbortSignal | undefined): ClientError {
  return new ClientError('aborted', 'The call was aborted', { cause: signal?.reason });
}
