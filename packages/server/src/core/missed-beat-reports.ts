// How many missed beats are reported one by one. When a server or its network cannot keep up, every instance is late at once:
// that is one fact about the server, and a report for each would make it later still.

import type { Instant } from '@rollcall/runtime/time';

const WINDOW_MS = 1000;
/** Instances of which a missed beat is reported within a second; of more only that they are many. */
export const MISSED_REPORTS_MAX = 1000;

/** Decides which missed beats are reported. */
export class MissedBeatReports {
  #windowStart = Number.NEGATIVE_INFINITY;
  #count = 0;

  /** Asks for one report. @returns `many` for the first one of a window that is too many, `none` for those after it */
  take(now: Instant): 'one' | 'many' | 'none' {
    if (now - this.#windowStart >= WINDOW_MS) {
      this.#windowStart = now;
      this.#count = 0;
    }
    this.#count += 1;
    if (this.#count <= MISSED_REPORTS_MAX) return 'one';
    return this.#count === MISSED_REPORTS_MAX + 1 ? 'many' : 'none';
  }
}
