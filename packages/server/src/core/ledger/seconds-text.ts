// Durations in sentences.

/** `12.0 s`, `0.4 s`, `38 ms`. @param ms - 0 or more */
export function secondsText(ms: number): string {
  return ms < 100 ? `${ms} ms` : `${(ms / 1000).toFixed(1)} s`;
}
