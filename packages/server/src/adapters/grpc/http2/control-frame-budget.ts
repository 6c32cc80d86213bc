// How many frames that do no work a peer may send per second before it counts as abuse: resets, pings, settings and the like.
// Honest peers send them beside messages (an update of a window, a ping that measures), so each message pays for some.

/** Such frames that go with one message, received or sent. */
const FRAMES_PER_MESSAGE = 4;

/** A budget of one connection that refills every second. */
export class ControlFrameBudget {
  readonly #perSecond: number;
  #second = -1;
  #left = 0;

  /** @param perSecond - frames that are fine within one second without any message */
  constructor(perSecond: number) {
    this.#perSecond = perSecond;
  }

  /** Takes one frame. @param nowMs - monotonic @returns whether it is still within the budget */
  take(nowMs: number): boolean {
    const second = Math.floor(nowMs / 1000);
    if (second !== this.#second) {
      this.#second = second;
      this.#left = Math.max(this.#left, this.#perSecond);
    }
    this.#left -= 1;
    return this.#left >= 0;
  }

  /** A message was received or sent. */
  earn(): void {
    // Not saved up without end: a burst after hours of work is no better than one before.
    if (this.#left < 2 * this.#perSecond) this.#left += FRAMES_PER_MESSAGE;
  }
}
