// Edits of ephemeral instances need no shared store: they replicate like the instances and are kept on this node's disk.
// Everything else is shared. Source: decisions.md, "overlay in a cluster".

import type { Logger } from '@rollcall/runtime';
import type { Actor } from '../../../core/actor.js';
import type { StoreChange } from '../../../core/store-change.js';
import type { CommitOutcome, DurableStore, StoreLane, StoreListener } from '../durable-store.js';

/** The two stores. */
export interface SplitStoreOptions {
  readonly local: DurableStore;
  readonly shared: DurableStore;
  readonly logger: Logger;
}

/** A {@link DurableStore} over both. */
export class SplitStore implements DurableStore {
  readonly #options: SplitStoreOptions;

  constructor(options: SplitStoreOptions) {
    this.#options = options;
  }

  /** Records that this node made when it was alone stay in its own store, and come back when it is alone again. */
  *load(): Generator<StoreChange> {
    const { local, shared, logger } = this.#options;
    let left = 0;
    for (const change of local.load()) {
      if (isLocal(change)) yield change;
      else left += 1;
    }
    if (left > 0) logger.log('warn', 'store-records-not-shared', { records: left });
    yield* shared.load();
  }

  follow(listener: StoreListener): void {
    this.#options.local.follow(listener);
    this.#options.shared.follow(listener);
  }

  laneOf(changes: readonly StoreChange[]): StoreLane {
    return changes.every(isLocal) ? 'local' : 'shared';
  }

  async commit(changes: readonly StoreChange[], actor: Actor): Promise<CommitOutcome> {
    const { local, shared } = this.#options;
    const toShare = changes.filter((change) => !isLocal(change));
    if (toShare.length > 0) {
      const outcome = await shared.commit(toShare, actor);
      if (outcome === 'conflict') return outcome;
    }
    return local.commit(changes.filter(isLocal), actor);
  }

  async close(): Promise<void> {
    await this.#options.shared.close();
    await this.#options.local.close();
  }
}

function isLocal(change: StoreChange): boolean {
  return change.type === 'edit' && change.kind === 'ephemeral';
}
