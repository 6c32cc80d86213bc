// Callers that wait for the first list of a view, each with a bound of its own. The promise of the view gets one reaction for
// all of them: it would keep those of callers who gave up until it settles, which may be never.

import type { Outcome } from '../core/client-effect.js';
import { clientErrorOf } from '../core/client-error.js';
import type { LiveView } from './live-view.js';
import type { Operations, Waiting } from './operations.js';

/** Waiting for first lists. */
export class FirstLists {
  readonly #operations: Operations;
  readonly #waiting = new Map<LiveView, Set<number>>();

  /** @param operations - ends the waiting at its bounds */
  constructor(operations: Operations) {
    this.#operations = operations;
  }

  /** Callers that wait for the first list of a view. */
  countOf(view: LiveView): number {
    return this.#waiting.get(view)?.size ?? 0;
  }

  /** Waits until the view has a list. @throws ClientError (as rejection) `closed` with the view, and at the bounds */
  async wait(view: LiveView, bounds: Omit<Waiting, 'abandoned'>): Promise<void> {
    if (view.isReady) return;
    const operation = this.#operations.begin(bounds);
    const waiting = this.#waiting.get(view) ?? this.#begin(view);
    waiting.add(operation);
    await this.#operations.wait(operation, { ...bounds, abandoned: () => waiting.delete(operation) });
  }

  #begin(view: LiveView): Set<number> {
    const waiting = new Set<number>();
    const settle = (outcome: Outcome): void => {
      this.#waiting.delete(view);
      for (const operation of waiting) this.#operations.settled(operation, outcome);
    };
    this.#waiting.set(view, waiting);
    view.ready.then(
      () => settle({ type: 'done' }),
      (error) => settle({ type: 'failed', error: clientErrorOf(error) }),
    );
    return waiting;
  }
}
