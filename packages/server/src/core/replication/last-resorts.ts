// Records that their authors dropped for others which are not here yet (R10 e): until those come they count still, lest
// an instance is missing for a moment where the drop is heard of first.

import { after } from '@rollcall/runtime/time';
import type { Change } from './change-log.js';
import type { ClusterState } from './cluster-state.js';
import { forgottenEnd, type SettleDropped } from './dropped-record.js';
import type { HeldSet } from './set-table.js';

/** Keeps and releases last resorts. */
export class LastResorts {
  readonly #cluster: ClusterState;
  readonly #settle: SettleDropped;

  constructor(cluster: ClusterState, settle: SettleDropped) {
    this.#cluster = cluster;
    this.#settle = settle;
  }

  /**
   * Keeps what the changes drop for a record that is not here yet. One that was dropped longer ago than the retention may
   * wait for a run that is over, whose set nobody keeps any more: it only keeps up for a moment what is shown already, so
   * that it never brings back what was removed meanwhile.
   */
  keep({ lastResorts }: HeldSet, changes: readonly Change[]): void {
    const { sets, now, settings } = this.#cluster;
    for (const { key, successor, dropped, ageMs = 0 } of changes) {
      lastResorts.delete(key.text);
      if (successor === undefined || dropped === undefined || sets.hasReached(successor)) continue;
      const leftMs = settings.setRetentionMs - ageMs;
      if (leftMs <= 0 && this.#cluster.registrationOf(key) === undefined) continue;
      const endsAt = after(now.mono, Math.max(settings.catchUpMs, leftMs));
      lastResorts.set(key.text, { key, record: dropped, successor, endsAt });
    }
  }

  /** Lets go of those that are not needed any more, of all sets. To be called after changes and every 200 ms. */
  release(): void {
    const { sets, now } = this.#cluster;
    for (const { lastResorts } of sets.all())
      for (const [text, { key, record, successor, endsAt }] of lastResorts) {
        const isReplaced = sets.hasReached(successor);
        if (endsAt > now.mono && !isReplaced) continue;
        lastResorts.delete(text);
        this.#settle(key, isReplaced ? undefined : forgottenEnd(record));
      }
  }
}
