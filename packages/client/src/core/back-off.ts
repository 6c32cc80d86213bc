// Waiting longer after each failure, with jitter, so that thousands of clients of a server that comes back do not all knock at once.

/** How waits grow. */
export interface BackOffSettings {
  /** Wait after the first failure, ms. */
  readonly firstMs: number;
  /** Longest wait, ms. */
  readonly longestMs: number;
}

/**
 * The wait after a number of failures in a row: doubles each time, and is spread over its upper half.
 *
 * @param failures - at least 1
 * @param random - uniform in [0, 1)
 */
export function backOffMs(failures: number, settings: BackOffSettings, random: () => number): number {
  const fullMs = Math.min(settings.firstMs * 2 ** Math.min(failures - 1, 30), settings.longestMs);
  return Math.round(fullMs / 2 + (fullMs / 2) * random());
}
