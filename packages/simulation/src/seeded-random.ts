// The only source of chance in a simulation: sfc32 (Chris Doty-Humphrey, PractRand), seeded from a number and a name, so
// that each part of a history draws from a stream of its own and a change of one part does not shift all others.

import { hashOf } from './text-hash.js';

const WARM_UP_ROUNDS = 12;

/** A stream of pseudo-random numbers that depends on its seed and name alone. */
export class SeededRandom {
  readonly #seed: number;
  #a: number;
  #b: number;
  #c: number;
  #counter = 1;

  /**
   * @param seed - any integer; its lower 32 bits count
   * @param name - which stream of that seed
   */
  constructor(seed: number, name: string) {
    this.#seed = seed >>> 0;
    this.#a = this.#seed;
    this.#b = hashOf(name);
    this.#c = hashOf(`${name}/${this.#seed}`);
    for (let round = 0; round < WARM_UP_ROUNDS; round += 1) this.#next();
  }

  /** Another stream of the same seed. */
  fork(name: string): SeededRandom {
    return new SeededRandom(this.#seed, name);
  }

  /** Integer from `min` to `max`, both included. */
  integer(min: number, max: number): number {
    return min + Math.floor((this.#next() / 2 ** 32) * (max - min + 1));
  }

  /** True with the given probability, 0 to 1. */
  chance(probability: number): boolean {
    return this.#next() / 2 ** 32 < probability;
  }

  /** One of a list that is not empty. */
  pick<T>(list: readonly T[]): T {
    return list[this.integer(0, list.length - 1)] as T;
  }

  /** The list in another order; the list itself stays. */
  shuffled<T>(list: readonly T[]): T[] {
    const result = [...list];
    for (let index = result.length - 1; index > 0; index -= 1) {
      const other = this.integer(0, index);
      [result[index], result[other]] = [result[other] as T, result[index] as T];
    }
    return result;
  }

  #next(): number {
    const result = (this.#a + this.#b + this.#counter) | 0;
    this.#counter = (this.#counter + 1) | 0;
    this.#a = this.#b ^ (this.#b >>> 9);
    this.#b = (this.#c + (this.#c << 3)) | 0;
    this.#c = ((this.#c << 21) | (this.#c >>> 11)) + result;
    return result >>> 0;
  }
}
