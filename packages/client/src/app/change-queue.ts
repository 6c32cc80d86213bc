// The changes that an iteration has not taken yet: at most one, since two are joined, so that a slow reader costs nothing
// and still sees the latest list.

/** An iteration over changes. */
export class ChangeQueue<E> implements AsyncIterableIterator<E, undefined> {
  readonly #merge: (first: E, second: E) => E;
  readonly #left: () => void;
  #pending: E | undefined;
  #ended = false;
  #waiting: ((result: IteratorResult<E, undefined>) => void)[] = [];

  /** @param merge - joins two changes that follow each other @param left - the reader has stopped */
  constructor(merge: (first: E, second: E) => E, left: () => void) {
    this.#merge = merge;
    this.#left = left;
  }

  /** Takes a change in. */
  push(event: E): void {
    const reader = this.#waiting.shift();
    if (reader !== undefined) reader({ done: false, value: event });
    else this.#pending = this.#pending === undefined ? event : this.#merge(this.#pending, event);
  }

  /** No more changes come. What is pending is still given. */
  end(): void {
    this.#ended = true;
    for (const reader of this.#waiting.splice(0)) reader({ done: true, value: undefined });
  }

  [Symbol.asyncIterator](): this {
    return this;
  }

  next(): Promise<IteratorResult<E, undefined>> {
    const pending = this.#pending;
    this.#pending = undefined;
    if (pending !== undefined) return Promise.resolve({ done: false, value: pending });
    if (this.#ended) return Promise.resolve({ done: true, value: undefined });
    return new Promise((resolve) => this.#waiting.push(resolve));
  }

  return(): Promise<IteratorResult<E, undefined>> {
    this.#pending = undefined;
    this.end();
    this.#left();
    return Promise.resolve({ done: true, value: undefined });
  }
}
