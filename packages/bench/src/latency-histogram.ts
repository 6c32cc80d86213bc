// Latencies in buckets whose width grows with the value (1/16 of each power of two), so that a million samples cost
// one fixed array and every quantile is within about 6 % of the truth.

const STEPS_PER_OCTAVE = 16;
const LOWEST_US = 1;
const OCTAVES = 26;

/** A histogram of durations from 1 µs to about a minute; longer ones count as the longest. */
export class LatencyHistogram {
  readonly #buckets = new Uint32Array(STEPS_PER_OCTAVE * OCTAVES);
  #count = 0;
  #maxMs = 0;

  /** Samples recorded. */
  get count(): number {
    return this.#count;
  }

  /** Longest sample, exact, in milliseconds; 0 when empty. */
  get maxMs(): number {
    return this.#maxMs;
  }

  /** Records one duration in milliseconds. */
  record(durationMs: number): void {
    const us = Math.max(durationMs * 1000, LOWEST_US);
    const bucket = Math.min(Math.floor(Math.log2(us) * STEPS_PER_OCTAVE), this.#buckets.length - 1);
    this.#buckets[bucket] = (this.#buckets[bucket] ?? 0) + 1;
    this.#count++;
    if (durationMs > this.#maxMs) this.#maxMs = durationMs;
  }

  /**
   * The duration in milliseconds below or at which the given share of samples lies, rounded up to its bucket's end.
   * @param share from 0 to 1; 0.99 is the 99th percentile. 0 is answered for an empty histogram
   */
  quantileMs(share: number): number {
    if (this.#count === 0) return 0;
    const rank = Math.max(Math.ceil(share * this.#count), 1);
    let seen = 0;
    for (const [bucket, count] of this.#buckets.entries()) {
      seen += count;
      if (seen >= rank) return Math.min(2 ** ((bucket + 1) / STEPS_PER_OCTAVE) / 1000, this.#maxMs);
    }
    return this.#maxMs;
  }
}
