// The two kinds of time, kept apart by type: deadlines use the monotonic one, what is shown or stored uses the wall clock.

declare const instantBrand: unique symbol;
declare const epochBrand: unique symbol;

/** Milliseconds on a monotonic clock with an arbitrary start. Never goes back; not comparable between processes. */
export type Instant = number & { readonly [instantBrand]: true };

/** Milliseconds since 1970-01-01 UTC on the wall clock. May jump in both directions. */
export type EpochMs = number & { readonly [epochBrand]: true };

/** One reading of both clocks, taken together. */
export interface Now {
  readonly mono: Instant;
  readonly wall: EpochMs;
}

/** Reads both clocks. The real one is in `system/`, the manual one in `testing/`. */
export interface Clock {
  now(): Now;
}

/** A later (or, negative, an earlier) point of the same clock. */
export function after(instant: Instant, ms: number): Instant {
  return (instant + ms) as Instant;
}
