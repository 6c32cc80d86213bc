// A figure measured several times: its median, and how far the rounds lie apart.

/** Median and extremes of some values. */
export interface Spread {
  readonly median: number;
  readonly min: number;
  readonly max: number;
}

/**
 * The spread of values measured in rounds.
 * @throws Error when there is no value
 */
export function spreadOf(values: readonly number[]): Spread {
  const sorted = values.toSorted((a, b) => a - b);
  const upper = sorted[Math.floor(sorted.length / 2)];
  const lower = sorted[Math.ceil(sorted.length / 2) - 1];
  const min = sorted[0];
  const max = sorted.at(-1);
  if (upper === undefined || lower === undefined || min === undefined || max === undefined) {
    throw new Error('Cannot take a median: found no value, at least one round is needed');
  }
  return { median: (lower + upper) / 2, min, max };
}

/** Values of two contenders, round by round, as ratios; rounds that only one of them has are left out. */
export function ratiosOf(values: readonly number[], others: readonly number[]): readonly number[] {
  return values.flatMap((value, round) => {
    const other = others[round];
    return other === undefined || other === 0 ? [] : [value / other];
  });
}
