// A histogram of durations as plain numbers.

import type { MetricLabels, MetricSample } from './metric-sample.js';

/** Upper bounds, seconds: an acknowledgement on one host takes a millisecond, a lost push is sent again after 10 s. */
const BOUNDS_SECONDS = [0.001, 0.0025, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 10, 25];

/** Counts durations. */
export class DurationBuckets {
  readonly #bounds: readonly number[];
  /** One per bound, and one for what is above all of them. */
  readonly #counts: number[];
  #sumSeconds = 0;

  /** @param boundsSeconds - upper bounds, rising; default: from a millisecond to 25 s */
  constructor(boundsSeconds: readonly number[] = BOUNDS_SECONDS) {
    this.#bounds = boundsSeconds;
    this.#counts = new Array<number>(boundsSeconds.length + 1).fill(0);
  }

  /** One more. @param ms - 0 or more */
  add(ms: number): void {
    const seconds = ms / 1000;
    let i = 0;
    while (i < this.#bounds.length && seconds > (this.#bounds[i] as number)) i++;
    this.#counts[i] = (this.#counts[i] as number) + 1;
    this.#sumSeconds += seconds;
  }

  /** The values of a histogram in seconds. @param labels - of each */
  *samples(labels: MetricLabels): Generator<MetricSample> {
    let count = 0;
    for (const [i, of] of this.#counts.entries()) {
      count += of;
      const le = i < this.#bounds.length ? String(this.#bounds[i]) : '+Inf';
      yield { suffix: '_bucket', labels: { ...labels, le }, value: count };
    }
    yield { suffix: '_sum', labels, value: this.#sumSeconds };
    yield { suffix: '_count', labels, value: count };
  }
}
