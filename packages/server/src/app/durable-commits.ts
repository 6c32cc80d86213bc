// Lets durable changes enter in the order in which they came: planned on the core as it is, written, told by the store.
// Those that have nothing to do with one another are written at the same time, because what a write costs is waiting. What
// the nodes of a cluster share waits in a lane of its own, so that a store that is away holds up nothing that needs none.

import { RegistryError } from '@rollcall/protocol';
import type { Logger } from '@rollcall/runtime';
import type { DurableStore, StoreLane } from '../adapters/store/durable-store.js';
import { type Actor, SERVER } from '../core/actor.js';
import type { EditOverlay } from '../core/edit-overlay.js';
import type { RegistryCore } from '../core/registry-core.js';
import type { StoreChange } from '../core/store-change.js';
import { CommitGroup } from './commit-group.js';

/** Durable changes that may wait for the store; more are refused as `overloaded`. */
const COMMITS_MAX = 10_000;
/** How often a change is planned anew because another node's came first; then it is refused as `overloaded`. */
const PLANS_MAX = 10;

/** Who makes changes that the core knows already. Known by identity: what the store tells of them is not taken again. */
export const FROM_OTHER_NODE: Actor = { ...SERVER };

type EditChange = Extract<StoreChange, { type: 'edit' }>;
type Plan = (core: RegistryCore) => readonly StoreChange[];

/** What commits need. */
export interface DurableCommitsOptions {
  readonly core: RegistryCore;
  readonly store: Pick<DurableStore, 'laneOf' | 'commit'>;
  readonly logger: Logger;
}

/** A change that waits. */
interface Waiting {
  readonly actor: Actor;
  readonly plan: Plan;
  readonly resolve: () => void;
  readonly reject: (error: unknown) => void;
  conflicts: number;
}

/** A change that is planned. */
interface Planned extends Waiting {
  readonly changes: readonly StoreChange[];
}

/** Changes that wait in one lane, and the work on them while there is any. */
interface Lane {
  waiting: Waiting[];
  work: Promise<void> | undefined;
}

/** Durable changes on their way. */
export class DurableCommits {
  readonly #options: DurableCommitsOptions;
  readonly #lanes: Readonly<Record<StoreLane, Lane>> = {
    local: { waiting: [], work: undefined },
    shared: { waiting: [], work: undefined },
  };
  #open = 0;

  constructor(options: DurableCommitsOptions) {
    this.#options = options;
  }

  /** See `RegistryAccess.commit`. */
  async commit(actor: Actor, plan: Plan): Promise<void> {
    if (this.#open >= COMMITS_MAX) {
      const found = `${this.#open} changes wait for the store, allowed are ${COMMITS_MAX}`;
      throw new RegistryError('overloaded', `Change was not made: ${found}`);
    }
    this.#open += 1;
    try {
      await new Promise<void>((resolve, reject) => {
        this.#enqueue('local', { actor, plan, resolve, reject, conflicts: 0 });
      });
    } finally {
      this.#open -= 1;
    }
  }

  /** Removes an edit that has outlived its use, unless one of the changes before gave it a new one. Nobody waits for it. */
  forget(change: EditChange): void {
    const { service, kind, address, type } = change;
    const plan: Plan = (core) => (core.isEditOver(service.id, kind, address.key) ? [change] : []);
    this.commit(SERVER, plan).catch((error: unknown) => {
      // The record costs nothing but its place. Where the core has it still, it is forgotten again; else after the next start.
      const level = kind === 'persistent' ? 'debug' : 'warn';
      this.#options.logger.log(level, 'record-not-forgotten', { type, error: String(error) });
    });
  }

  /**
   * Writes an edit that the core has already, with its version, unless it has another one by then, which is kept for itself:
   * it only has to survive a restart. Nobody waits for it.
   */
  keep(change: StoreChange): void {
    this.commit(FROM_OTHER_NODE, () => [this.#asNow(change)]).catch((error: unknown) => {
      // After a restart it comes again from the other nodes.
      this.#options.logger.log('warn', 'record-not-kept', { type: change.type, error: String(error) });
    });
  }

  /** Resolves when nothing waits any more. */
  async settled(): Promise<void> {
    await this.#lanes.local.work;
    await this.#lanes.shared.work;
  }

  #enqueue(lane: StoreLane, waiting: Waiting): void {
    this.#lanes[lane].waiting.push(waiting);
    this.#lanes[lane].work ??= this.#workOff(lane);
  }

  async #workOff(name: StoreLane): Promise<void> {
    const lane = this.#lanes[name];
    // Whoever came in the same turn may go along.
    await Promise.resolve();
    while (lane.waiting.length > 0) {
      const conflicted: Waiting[] = [];
      await Promise.all(this.#planGroup(name).map((planned) => this.#write(planned, conflicted)));
      lane.waiting.unshift(...conflicted);
    }
    lane.work = undefined;
  }

  /** Takes those from the front of a lane that can be written at the same time. */
  #planGroup(name: StoreLane): readonly Planned[] {
    const { waiting } = this.#lanes[name];
    const group = new CommitGroup(this.#options.core);
    const planned: Planned[] = [];
    let taken = 0;
    for (const next of waiting) {
      const result = this.#planned(next, name);
      // A plan that refuses or does nothing may do otherwise after the changes before it.
      if (result.type === 'settled' && group.size > 0) break;
      if (result.type === 'planned' && !group.admit(result.changes)) break;
      taken += 1;
      if (result.type === 'planned') planned.push({ ...next, changes: result.changes });
      else if (result.type === 'shared') this.#enqueue('shared', next);
      else result.settle();
    }
    waiting.splice(0, taken);
    return planned;
  }

  #planned(
    { plan, resolve, reject }: Waiting,
    lane: StoreLane,
  ):
    | { readonly type: 'planned'; readonly changes: readonly StoreChange[] }
    | { readonly type: 'settled'; readonly settle: () => void }
    | { readonly type: 'shared' } {
    const { core, store } = this.#options;
    const isBeforeShared = lane === 'local' && this.#lanes.shared.work !== undefined;
    try {
      const changes = plan(core);
      if (changes.length === 0) return isBeforeShared ? { type: 'shared' } : { type: 'settled', settle: resolve };
      return lane === 'local' && store.laneOf(changes) === 'shared' ? { type: 'shared' } : { type: 'planned', changes };
    } catch (error) {
      return isBeforeShared ? { type: 'shared' } : { type: 'settled', settle: () => reject(error) };
    }
  }

  async #write(planned: Planned, conflicted: Waiting[]): Promise<void> {
    const { actor, changes, resolve, reject, conflicts } = planned;
    try {
      if ((await this.#options.store.commit(changes, actor)) === 'written') {
        resolve();
        return;
      }
    } catch (error) {
      reject(error);
      return;
    }
    if (conflicts + 1 < PLANS_MAX) {
      conflicted.push({ ...planned, conflicts: conflicts + 1 });
      return;
    }
    const found = `found its records changed by other nodes ${PLANS_MAX} times in a row`;
    reject(new RegistryError('overloaded', `Change was not made: ${found}, allowed is to try again`));
  }

  #asNow(change: StoreChange): StoreChange {
    const value = this.#editAt(change);
    if (change.type !== 'edit' || value === change.value) return change;
    const { type, service, kind, address } = change;
    return { type, service, kind, address, value };
  }

  /** The edit that the core has where a change is about one. */
  #editAt(change: StoreChange): EditOverlay | undefined {
    if (change.type !== 'edit') return undefined;
    return this.#options.core.edit(change.service.id, change.kind, change.address.key);
  }
}
