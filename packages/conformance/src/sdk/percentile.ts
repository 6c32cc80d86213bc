// The value below which a share of all values lies.

/** @param share - 0 to 1 @throws RangeError for no values */
export function percentile(values: readonly number[], share: number): number {
  const sorted = values.toSorted((a, b) => a - b);
  const value = sorted[Math.min(sorted.length - 1, Math.floor(sorted.length * share))];
  if (value === undefined) throw new RangeError('No percentile of no values');
  return value;
}
