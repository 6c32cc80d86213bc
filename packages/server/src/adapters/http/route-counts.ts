// How often a route was asked, what it answered, and how long that took: plain numbers, since every request adds to them.

/** One request in this many is timed; a power of two. */
const TIMED_EVERY = 64;

/** Counts of one route since the start. */
export class RouteCounts {
  /** Answers with status 200. */
  ok = 0;
  /** Other answers by status. */
  readonly others = new Map<number, number>();
  /** Time spent in the handler, ms, by status: measured on the first request and every 64th, which stand for those between. */
  readonly tookMs = new Map<number, number>();
  #begun = 0;
  #timedBefore = 0;

  /** Answers given. */
  get answers(): number {
    let count = this.ok;
    for (const of of this.others.values()) count += of;
    return count;
  }

  /** A request begins. @returns whether it is to be timed */
  begin(): boolean {
    return this.#begun++ % TIMED_EVERY === 0;
  }

  /** A request is answered. */
  end(status: number): void {
    if (status === 200) this.ok++;
    else this.others.set(status, (this.others.get(status) ?? 0) + 1);
  }

  /** A request that was to be timed took so long. */
  addTime(status: number, ms: number): void {
    const requests = Math.max(1, this.#begun - this.#timedBefore);
    this.tookMs.set(status, (this.tookMs.get(status) ?? 0) + ms * requests);
    this.#timedBefore = this.#begun;
  }
}
