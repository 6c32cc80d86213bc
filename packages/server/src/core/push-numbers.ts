// Numbers of pushes. An acknowledgement says no more than its number, so none is given twice: not in another run either, and
// not when the wall clock was set back between the two.

import type { RegistryState } from './registry-state.js';

/** Numbers of pushes journalled ahead: one entry for so many, and no number of a run that was killed is given again. */
const NUMBERS_RESERVED = 1_000_000;

/** Gives numbers out. */
export class PushNumbers {
  readonly #state: RegistryState;
  #last = 0;
  #reserved = 0;

  constructor(state: RegistryState) {
    this.#state = state;
  }

  /** Numbers up to this one may have been used; 0 before the first one. */
  get reserved(): number {
    return this.#reserved;
  }

  /** An earlier run may have used the numbers up to this one. */
  restore(upTo: number): void {
    this.#reserved = Math.max(this.#reserved, upTo);
  }

  /** The next number: above every one of an earlier run, and far below 2^53. */
  next(): number {
    if (this.#last === 0) this.#last = Math.max(this.#state.now.wall * 1000, this.#reserved);
    this.#last += 1;
    if (this.#last > this.#reserved) {
      this.#reserved = this.#last + NUMBERS_RESERVED;
      this.#state.journal({ type: 'push-numbers', upTo: this.#reserved });
    }
    return this.#last;
  }
}
