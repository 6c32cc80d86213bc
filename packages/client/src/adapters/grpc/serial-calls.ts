// Calls that must not overtake each other: a server may work on the calls of one connection in parallel, and an end of a
// subscription that passes its beginning would leave it there for good. Waiting calls are bounded by the core's lane.

/** Runs calls of the same key one after the other. */
export class SerialCalls {
  readonly #last = new Map<string, Promise<unknown>>();

  /** Runs a call once those of the same key before it have ended, however they ended. */
  run<T>(key: string, call: () => Promise<T>): Promise<T> {
    const before = this.#last.get(key);
    const running = before === undefined ? call() : before.then(call, call);
    this.#last.set(key, running);
    const done = (): void => {
      if (this.#last.get(key) === running) this.#last.delete(key);
    };
    running.then(done, done);
    return running;
  }
}
