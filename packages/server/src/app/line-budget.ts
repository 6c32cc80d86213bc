// How many lines of one kind the log takes in a short time: a thousand unreachable subscribers are one fact, and a client
// that is refused asks again every few seconds.

import type { Instant } from '@rollcall/runtime';

/** Lines of one kind within {@link WINDOW_MS}; the next are counted only. */
const LINES_MAX = 20;
const WINDOW_MS = 10_000;

interface Window {
  start: Instant;
  lines: number;
  unlogged: number;
}

/** Decides which lines are written. */
export class LineBudget {
  readonly #windows = new Map<string, Window>();

  /**
   * Asks for one line.
   *
   * @param kind - one of few
   * @param now - monotonic clock
   * @returns undefined when it is not to be written, else how many of its kind were not since the last one
   */
  take(kind: string, now: Instant): number | undefined {
    let window = this.#windows.get(kind);
    if (window === undefined) {
      window = { start: now, lines: 0, unlogged: 0 };
      this.#windows.set(kind, window);
    }
    if (now - window.start >= WINDOW_MS) {
      window.start = now;
      window.lines = 0;
    }
    if (window.lines >= LINES_MAX) {
      window.unlogged += 1;
      return undefined;
    }
    const { unlogged } = window;
    window.lines += 1;
    window.unlogged = 0;
    return unlogged;
  }
}
