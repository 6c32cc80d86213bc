// What adapters may do with the registry: read, step, make durable changes, and wait for the journal. The app provides it.

import type { RegistryError, ServiceKey } from '@rollcall/protocol';
import type { Now } from '@rollcall/runtime';
import type { Actor } from '../core/actor.js';
import type { Effect } from '../core/effect.js';
import type { RegistryCore } from '../core/registry-core.js';
import type { RegistryInput, ResultOf } from '../core/registry-input.js';
import type { StoreChange } from '../core/store-change.js';

/** How a wait for subscribers ended: those that know the list, those that do not yet, and how long it took. */
export type AwaitedSubscribers = Pick<
  Extract<Effect, { type: 'subscribers-awaited' }>,
  'acknowledged' | 'pending' | 'waitedMs'
>;

/** The registry as adapters see it. */
export interface RegistryAccess {
  /** For reading only; inputs go through {@link step}. */
  readonly core: RegistryCore;
  /** Both clocks, now. */
  now(): Now;
  /** Feeds an input to the core at the present time and performs its effects. */
  step<I extends RegistryInput>(input: I): ResultOf<I>;
  /**
   * Plans changes of durable data, writes them, then lets them enter the core. Plans run one after another, so what a
   * plan read is still true when its changes enter. Rejects with `storage-failed` when the store refuses; nothing has
   * changed then, unless the text says that this is not known.
   *
   * @param plan - reads the core and returns the changes, or throws a RegistryError to refuse; called again when another
   *   change came first
   */
  commit(actor: Actor, plan: (core: RegistryCore) => readonly StoreChange[]): Promise<void>;
  /** Calls back when everything journalled so far is written, with an error when that failed; at once when nothing waits. */
  afterJournal(callback: (error?: RegistryError) => void): void;
  /**
   * Waits until every subscriber of the service knows its present list.
   *
   * @param waitMs - longest wait, 0 to 30000
   */
  awaitSubscribers(service: ServiceKey, waitMs: number): Promise<AwaitedSubscribers>;
}
