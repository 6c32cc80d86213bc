// Code of the product that goes on in promises, inside virtual time: an event sets it going, and the next event happens when
// nothing of it is left to do. Node runs all promises that can go on before the next turn of its loop, always in one order,
// so a history with such code is as deterministic as one without.

import { setImmediate as nextTurn } from 'node:timers/promises';

/** What of a history goes on in promises. */
export class AsyncWork {
  #isUnderWay = false;
  #failure: { readonly error: unknown } | undefined;

  /** Runs code that may go on in promises. */
  begin(action: () => void): void {
    this.#isUnderWay = true;
    action();
  }

  /**
   * Runs what promises lead back to: cores and checkers. What is thrown there would end as a failed write of the product; it
   * ends the history instead.
   */
  guard(action: () => void): void {
    try {
      action();
    } catch (error) {
      this.#failure ??= { error };
    }
  }

  /** Waits until nothing goes on any more. @returns undefined when nothing was set going. @throws what was thrown in {@link guard} */
  settle(): Promise<void> | undefined {
    return this.#isUnderWay ? this.#settle() : undefined;
  }

  async #settle(): Promise<void> {
    this.#isUnderWay = false;
    await nextTurn();
    if (this.#failure !== undefined) throw this.#failure.error;
  }
}
