// When something was, as far as an outsider can tell: between the last moment at which it was not yet and the first at which
// it was. What was seen passing has both ends at one moment.

/** Wall-clock times, ms; `fromMs` is not after `untilMs`. */
export interface ObservedSpan {
  readonly fromMs: number;
  readonly untilMs: number;
}

/** A moment that was seen. */
export function seenAt(atMs: number): ObservedSpan {
  return { fromMs: atMs, untilMs: atMs };
}

/** How far a time is outside of a span, ms; 0 within it. */
export function distanceTo({ fromMs, untilMs }: ObservedSpan, atMs: number): number {
  return Math.max(0, fromMs - atMs, atMs - untilMs);
}

/** How long it was between two things. */
export function between(first: ObservedSpan, last: ObservedSpan): ObservedSpan {
  return { fromMs: last.fromMs - first.untilMs, untilMs: last.untilMs - first.fromMs };
}
