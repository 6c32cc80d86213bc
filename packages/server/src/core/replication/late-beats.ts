// Full beats that this process reads late. While it stands still, requests wait in its sockets, and segments that find no room
// are sent again after twice the time each time, so that for as long as a pause lasted what is read may be older than its end.
// A client that gave such a beat up may have deregistered elsewhere since: its beat must not register it again (R9).

import { after, type Instant } from '@rollcall/runtime/time';
import type { Choice } from './record-choice.js';
import type { ReplicationSettings } from './replication-settings.js';

/** What may still come from before the end of a pause. */
export class LateBeats {
  readonly #settings: ReplicationSettings;
  /** Until then the others may not have told yet what left meanwhile. */
  #uninformedUntil = Number.NEGATIVE_INFINITY as Instant;
  #lateUntil = Number.NEGATIVE_INFINITY as Instant;

  constructor(settings: ReplicationSettings) {
    this.#settings = settings;
  }

  /** This process goes on after a pause of `ms`. */
  resumed(resumedAt: Instant, ms: number): void {
    this.#uninformedUntil = latest(this.#uninformedUntil, after(resumedAt, Math.min(ms, this.#settings.catchUpMs)));
    this.#lateUntil = latest(this.#lateUntil, after(resumedAt, ms));
  }

  /**
   * Whether a full beat for what is not in the view may have been sent before its client left.
   *
   * @param choice - what is known of its key
   */
  mayBeOlder(now: Instant, { content }: Pick<Choice, 'content'>): boolean {
    return now < (content?.record.state === 'removed' ? this.#lateUntil : this.#uninformedUntil);
  }
}

function latest(a: Instant, b: Instant): Instant {
  return a > b ? a : b;
}
