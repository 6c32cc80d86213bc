// Random choices that one number repeats: a 32-bit xorshift generator (Marsaglia 2003, shifts 13, 17, 5), its first
// numbers thrown away because small seeds start with small ones.

const THROWN_AWAY = 20;

/** A source of random choices. */
export class SeededRandom {
  #state: number;

  constructor(seed: number) {
    this.#state = (seed ^ 0x5bd1e995) >>> 0 || 1;
    for (let count = 0; count < THROWN_AWAY; count++) this.fraction();
  }

  /** A number from 0 (included) to 1 (excluded). */
  fraction(): number {
    this.#state ^= this.#state << 13;
    this.#state ^= this.#state >>> 17;
    this.#state ^= this.#state << 5;
    return (this.#state >>> 0) / 2 ** 32;
  }

  /** A whole number from `lowest` to `highest`, both included. */
  wholeNumber(lowest: number, highest: number): number {
    return lowest + Math.floor(this.fraction() * (highest - lowest + 1));
  }

  /**
   * One of the values.
   * @throws Error when there is none
   */
  choose<T>(values: readonly T[]): T {
    const value = values[this.wholeNumber(0, values.length - 1)];
    if (value === undefined) throw new Error('Cannot choose: found no value, at least one is needed');
    return value;
  }

  /** True with the given probability. */
  happens(probability: number): boolean {
    return this.fraction() < probability;
  }

  /** A source of its own for a part of the work, so that parts do not depend on each other's order. */
  fork(): SeededRandom {
    return new SeededRandom(this.wholeNumber(0, 2 ** 31));
  }
}
