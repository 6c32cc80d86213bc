// The store port: durable records of one server, all of them in memory elsewhere, so it is read once and then written.

import type { StoreChange } from '../../core/store-change.js';

/** Keeps durable changes. One server at a time uses a store. */
export interface DurableStore {
  /**
   * All records, each as the change that set it: namespaces, service definitions, persistent instances, edits, switches.
   * A record that can't be read is set aside and logged; the others come. Call once, before the first commit.
   */
  load(): Iterable<StoreChange>;
  /**
   * Writes all changes or none. Resolves when they are on disk and would survive a power cut.
   *
   * @throws RegistryError `storage-failed`: nothing was written
   */
  commit(changes: readonly StoreChange[]): Promise<void>;
  /** Waits for writes under way, then gives the files back. Nothing may be called afterwards. */
  close(): Promise<void>;
}
