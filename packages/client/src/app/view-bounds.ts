// What ends a view besides its owner: the caller's signal at any time, and a deadline for the first list.

import { nodeTimers, type TimerHandle } from '@rollcall/runtime';
import { ClientError } from '../core/client-error.js';
import type { CallOptions } from './operations.js';

/** Watches over one view. */
export class ViewBounds {
  readonly #signal: AbortSignal | undefined;
  readonly #aborted: () => void;
  #timer: TimerHandle | undefined;

  /** @param grouped - name of the service, for messages @param ended - called when the view is to be closed, with the reason */
  constructor({ signal, deadlineMs }: CallOptions, grouped: string, ended: (reason: ClientError) => void) {
    this.#signal = signal;
    this.#aborted = () =>
      ended(new ClientError('aborted', `The view of "${grouped}" was aborted`, { cause: signal?.reason }));
    const late = `The view of "${grouped}" had no list within ${deadlineMs} ms`;
    if (deadlineMs !== undefined)
      this.#timer = nodeTimers.once(deadlineMs, () => ended(new ClientError('deadline-exceeded', late)));
    signal?.addEventListener('abort', this.#aborted, { once: true });
    // A signal that was aborted before never tells.
    if (signal?.aborted) queueMicrotask(this.#aborted);
  }

  /** The first list came. */
  listed(): void {
    this.#timer?.cancel();
  }

  /** The view is closed: nothing is watched any more. */
  release(): void {
    this.#timer?.cancel();
    this.#signal?.removeEventListener('abort', this.#aborted);
  }
}
