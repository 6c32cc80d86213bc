// The store port: durable records, all of them in memory elsewhere, so they are read once and then written. Alone a server
// keeps them in a store of its own; the nodes of a cluster share one, so changes come from there as well.

import type { Actor } from '../../core/actor.js';
import type { StoreChange } from '../../core/store-change.js';

/**
 * How a commit ended. `conflict`: another node changed one of the records first, nothing was written, and that change has
 * been told; plan again on what is there now.
 */
export type CommitOutcome = 'written' | 'conflict';

/** `local` is this server's alone, `shared` that of all nodes. */
export type StoreLane = 'local' | 'shared';

/** Takes changes that are in the store now. Called in the order of the store; must not throw. */
export type StoreListener = (changes: readonly StoreChange[], actor: Actor) => void;

/** Keeps durable changes. */
export interface DurableStore {
  /**
   * All records that are at hand, each as the change that set it: namespaces, service definitions, persistent instances,
   * edits, switches. A record that can't be read is set aside and logged; the others come. Call once.
   */
  load(): Iterable<StoreChange>;
  /** Tells every change after {@link load}, whoever makes it. Call once. */
  follow(listener: StoreListener): void;
  /**
   * Where changes go. Commits of one lane are made one by one, and a lane that waits does not hold up the other; changes
   * for both are `shared`.
   */
  laneOf(changes: readonly StoreChange[]): StoreLane;
  /**
   * Writes all changes or none. When it resolves with `written` they would survive a power cut, and the listener has
   * been told.
   *
   * @param actor - who makes them
   * @throws RegistryError `storage-failed`: nothing was written, or the text says that this is not known
   */
  commit(changes: readonly StoreChange[], actor: Actor): Promise<CommitOutcome>;
  /** Waits for writes under way, then gives everything back. Nothing may be called afterwards. */
  close(): Promise<void>;
}
