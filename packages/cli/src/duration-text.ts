// Durations for people.

const UNITS = [
  ['d', 86_400_000],
  ['h', 3_600_000],
  ['m', 60_000],
  ['s', 1000],
] as const;

/** A duration with its two largest units: `3d 4h`, `12s`, `0.4s`. @param ms - negative counts as 0 */
export function durationText(ms: number): string {
  if (ms < 10_000) return `${(Math.max(0, ms) / 1000).toFixed(1)}s`;
  const first = UNITS.findIndex(([, unitMs]) => ms >= unitMs);
  const parts: string[] = [];
  let rest = ms;
  for (const [unit, unitMs] of UNITS.slice(first, first + 2)) {
    const count = Math.floor(rest / unitMs);
    rest -= count * unitMs;
    if (count > 0) parts.push(`${count}${unit}`);
  }
  return parts.join(' ');
}
