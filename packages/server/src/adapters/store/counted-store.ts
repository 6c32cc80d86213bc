// Counts what is written to the store and how long it takes; durable changes are rare enough to be timed one by one.

import type { Clock } from '@rollcall/runtime';
import type { StoreChange } from '../../core/store-change.js';
import type { DurableStore } from './durable-store.js';

/** Counts since the start. */
export interface StoreCounts {
  /** Commits that succeeded, and the changes in them. */
  readonly commits: number;
  readonly changes: number;
  /** Commits that failed. */
  readonly failures: number;
  /** Time from the call to the end of all commits, ms. */
  readonly tookMs: number;
}

/** Commits to a store and counts. */
export class CountedStore implements Pick<DurableStore, 'commit'> {
  readonly #store: Pick<DurableStore, 'commit'>;
  readonly #clock: Clock;
  #counts: StoreCounts = { commits: 0, changes: 0, failures: 0, tookMs: 0 };

  constructor(store: Pick<DurableStore, 'commit'>, clock: Clock) {
    this.#store = store;
    this.#clock = clock;
  }

  get counts(): StoreCounts {
    return this.#counts;
  }

  async commit(changes: readonly StoreChange[]): Promise<void> {
    const startedAt = this.#clock.now().mono;
    try {
      await this.#store.commit(changes);
    } catch (error) {
      this.#add({ commits: 0, changes: 0, failures: 1 }, startedAt);
      throw error;
    }
    this.#add({ commits: 1, changes: changes.length, failures: 0 }, startedAt);
  }

  #add(done: Omit<StoreCounts, 'tookMs'>, startedAt: number): void {
    const { commits, changes, failures, tookMs } = this.#counts;
    this.#counts = {
      commits: commits + done.commits,
      changes: changes + done.changes,
      failures: failures + done.failures,
      tookMs: tookMs + this.#clock.now().mono - startedAt,
    };
  }
}
