// How many control frames a peer may send per second before it counts as abuse: rapid resets, ping and settings floods.

/** A budget of one connection that refills every second. */
export class ControlFrameBudget {
  readonly #perSecond: number;
  #second = -1;
  #used = 0;

  /** @param perSecond - frames that are fine within one second */
  constructor(perSecond: number) {
    this.#perSecond = perSecond;
  }

  /** Takes one frame. @param now - monotonic ms @returns whether it is still within the budget */
  take(now: number): boolean {
    const second = Math.floor(now / 1000);
    if (second !== this.#second) {
      this.#second = second;
      this.#used = 0;
    }
    this.#used += 1;
    return this.#used <= this.#perSecond;
  }
}
