// Counts what is written to the store and how long it takes; durable changes are rare enough to be timed one by one.

import type { Clock } from '@rollcall/runtime';
import type { Actor } from '../../core/actor.js';
import type { StoreChange } from '../../core/store-change.js';
import type { CommitOutcome, DurableStore, StoreLane, StoreListener } from './durable-store.js';

/** Counts since the start. */
export interface StoreCounts {
  /** Commits that succeeded, and the changes in them. */
  readonly commits: number;
  readonly changes: number;
  /** Commits that failed. */
  readonly failures: number;
  /** Commits that another node's change came before, so that they were planned again. */
  readonly conflicts: number;
  /** Time from the call to the end of all commits, ms. */
  readonly tookMs: number;
}

type FollowedStore = Pick<DurableStore, 'follow' | 'laneOf' | 'commit'>;

/** Commits to a store and counts. */
export class CountedStore implements FollowedStore {
  readonly #store: FollowedStore;
  readonly #clock: Clock;
  #counts: StoreCounts = { commits: 0, changes: 0, failures: 0, conflicts: 0, tookMs: 0 };

  constructor(store: FollowedStore, clock: Clock) {
    this.#store = store;
    this.#clock = clock;
  }

  get counts(): StoreCounts {
    return this.#counts;
  }

  follow(listener: StoreListener): void {
    this.#store.follow(listener);
  }

  laneOf(changes: readonly StoreChange[]): StoreLane {
    return this.#store.laneOf(changes);
  }

  async commit(changes: readonly StoreChange[], actor: Actor): Promise<CommitOutcome> {
    const startedAt = this.#clock.now().mono;
    try {
      const outcome = await this.#store.commit(changes, actor);
      this.#add(outcome === 'written' ? { commits: 1, changes: changes.length } : { conflicts: 1 }, startedAt);
      return outcome;
    } catch (error) {
      this.#add({ failures: 1 }, startedAt);
      throw error;
    }
  }

  #add(done: Partial<StoreCounts>, startedAt: number): void {
    const { commits = 0, changes = 0, failures = 0, conflicts = 0 } = done;
    const before = this.#counts;
    this.#counts = {
      commits: before.commits + commits,
      changes: before.changes + changes,
      failures: before.failures + failures,
      conflicts: before.conflicts + conflicts,
      tookMs: before.tookMs + this.#clock.now().mono - startedAt,
    };
  }
}
