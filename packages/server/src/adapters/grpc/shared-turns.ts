// Work of peers that send more than a turn of the event loop has time for: all of them together get a few milliseconds of each
// turn, a slice at a time in rotation. With a share for each, eight that send without pause would make every turn eight
// shares long, and everybody else's requests wait that long.

/** Work for all such peers together in one turn. */
const TURN_MS = 2;

/** Takes slices of work in turns. */
export class SharedTurns {
  readonly #now: () => number;
  readonly #nextTurn: (callback: () => void) => void;
  readonly #waiting: (() => void)[] = [];
  #asked = false;

  /**
   * @param options.nowMs - monotonic
   * @param options.nextTurn - calls back once all others had their turn
   */
  constructor(options: { readonly nowMs: () => number; readonly nextTurn: (callback: () => void) => void }) {
    this.#now = options.nowMs;
    this.#nextTurn = options.nextTurn;
  }

  /** Adds a slice of work behind those that wait. It may add the next one, and must not throw. */
  add(slice: () => void): void {
    this.#waiting.push(slice);
    this.#ask();
  }

  #ask(): void {
    if (this.#asked) return;
    this.#asked = true;
    this.#nextTurn(() => this.#turn());
  }

  #turn(): void {
    const endsAt = this.#now() + TURN_MS;
    // Slices that are added meanwhile stand behind the others. One is always taken, so that a slow clock stops nobody.
    let taken = 0;
    do this.#waiting[taken++]?.();
    while (taken < this.#waiting.length && this.#now() < endsAt);
    this.#waiting.splice(0, taken);
    this.#asked = false;
    if (this.#waiting.length > 0) this.#ask();
  }
}
