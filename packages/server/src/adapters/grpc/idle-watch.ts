// Decides when a silent connection is asked for a sign of life, and when it is given up. Pure: time comes in.
// Source: contract 6.2 (2.5.1 NacosRuntimeConnectionEjector: 20 s, then 5 s), without its fault of dropping who answers.

/** What to do about a connection now. */
export type IdleVerdict = 'alive' | 'ask' | 'give-up';

/** One connection's silence. */
export class IdleWatch {
  readonly #idleMs: number;
  readonly #detectionMs: number;
  #lastSignAt: number;
  #askedAt: number | undefined;

  /** @param options.now - monotonic ms */
  constructor(options: { readonly idleMs: number; readonly detectionMs: number; readonly now: number }) {
    this.#idleMs = options.idleMs;
    this.#detectionMs = options.detectionMs;
    this.#lastSignAt = options.now;
  }

  /** The last sign of life, as the times that come in. */
  get lastSignAt(): number {
    return this.#lastSignAt;
  }

  /** A sign of life: any handled request, any message on the stream. */
  sign(now: number): void {
    this.#lastSignAt = now;
    this.#askedAt = undefined;
  }

  /** The client answered the question with a failure: it is given up at the next look. */
  refuse(): void {
    this.#askedAt = Number.NEGATIVE_INFINITY;
  }

  /** Looks at the silence. `ask` comes once per silence. */
  check(now: number): IdleVerdict {
    if (this.#askedAt !== undefined) return now - this.#askedAt >= this.#detectionMs ? 'give-up' : 'alive';
    if (now - this.#lastSignAt < this.#idleMs) return 'alive';
    this.#askedAt = now;
    return 'ask';
  }
}
