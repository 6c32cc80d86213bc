// Lets durable changes enter one after another: planned on the core as it is, written, told by the store. What the nodes
// of a cluster share waits in a lane of its own, so that a store that is away holds up nothing that needs no store.

import { RegistryError } from '@rollcall/protocol';
import type { Logger } from '@rollcall/runtime';
import type { DurableStore } from '../adapters/store/durable-store.js';
import { type Actor, SERVER } from '../core/actor.js';
import type { RegistryCore } from '../core/registry-core.js';
import type { StoreChange } from '../core/store-change.js';

/** Durable changes that may wait for the store; more are refused as `overloaded`. */
const COMMITS_MAX = 10_000;
/** How often a change is planned anew because another node's came first; then it is refused as `overloaded`. */
const PLANS_MAX = 10;

type Plan = (core: RegistryCore) => readonly StoreChange[];

/** What commits need. */
export interface DurableCommitsOptions {
  readonly core: RegistryCore;
  readonly store: Pick<DurableStore, 'laneOf' | 'commit'>;
  readonly logger: Logger;
}

/** Durable changes that wait. */
export class DurableCommits {
  readonly #options: DurableCommitsOptions;
  readonly #local = new Lane();
  readonly #shared = new Lane();
  #waiting = 0;

  constructor(options: DurableCommitsOptions) {
    this.#options = options;
  }

  /** See `RegistryAccess.commit`. */
  async commit(actor: Actor, plan: Plan): Promise<void> {
    if (this.#waiting >= COMMITS_MAX) {
      const found = `${this.#waiting} changes wait for the store, allowed are ${COMMITS_MAX}`;
      throw new RegistryError('overloaded', `Change was not made: ${found}`);
    }
    this.#waiting += 1;
    try {
      const turn = await this.#local.run(() => this.#takeLocalTurn(actor, plan));
      await turn?.inSharedLane;
    } finally {
      this.#waiting -= 1;
    }
  }

  /** Removes a record that has outlived its use, unless one of the changes before has set it anew. Nobody waits for it. */
  forget(change: StoreChange): void {
    const { store, logger } = this.#options;
    const lane = store.laneOf([change]) === 'shared' ? this.#shared : this.#local;
    const forgotten = lane.run(async () => {
      // Another node may be first, which is as good.
      if (!this.#isInUse(change)) await store.commit([change], SERVER);
    });
    forgotten.catch((error: unknown) => {
      // The record costs nothing but its place, and is forgotten again after the next start.
      logger.log('warn', 'record-not-forgotten', { type: change.type, error: String(error) });
    });
  }

  /** Resolves when nothing waits any more. */
  async settled(): Promise<void> {
    await this.#local.settled;
    await this.#shared.settled;
  }

  /**
   * Everything but local changes goes to the other lane and is planned again there; a plan that refuses or has nothing to
   * do only when somebody is before it, who could change that.
   */
  async #takeLocalTurn(actor: Actor, plan: Plan): Promise<{ readonly inSharedLane: Promise<void> } | undefined> {
    const { core, store } = this.#options;
    let changes: readonly StoreChange[];
    try {
      changes = plan(core);
    } catch (error) {
      if (this.#shared.idle) throw error;
      changes = [];
    }
    if (changes.length === 0 && this.#shared.idle) return undefined;
    if (changes.length === 0 || store.laneOf(changes) === 'shared') {
      return { inSharedLane: this.#shared.run(() => this.#planAndCommit(actor, plan)) };
    }
    await store.commit(changes, actor);
    return undefined;
  }

  async #planAndCommit(actor: Actor, plan: Plan): Promise<void> {
    for (let plans = 1; plans <= PLANS_MAX; plans++) {
      const changes = plan(this.#options.core);
      if (changes.length === 0) return;
      if ((await this.#options.store.commit(changes, actor)) === 'written') return;
    }
    const found = `found its records changed by other nodes ${PLANS_MAX} times in a row`;
    throw new RegistryError('overloaded', `Change was not made: ${found}, allowed is to try again`);
  }

  #isInUse(change: StoreChange): boolean {
    if (change.type !== 'edit') return false;
    const edits = this.#options.core.service(change.service.id)?.edits;
    return edits?.has(`${change.kind}/${change.address.key}`) ?? false;
  }
}

/** Work that is done in the order in which it came. */
class Lane {
  #last: Promise<unknown> = Promise.resolve();
  #size = 0;

  get idle(): boolean {
    return this.#size === 0;
  }

  get settled(): Promise<unknown> {
    return this.#last;
  }

  run<T>(work: () => Promise<T>): Promise<T> {
    this.#size += 1;
    const done = this.#last.then(work);
    const settle = () => {
      this.#size -= 1;
    };
    this.#last = done.then(settle, settle);
    return done;
  }
}
