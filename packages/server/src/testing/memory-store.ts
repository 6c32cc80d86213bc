// A store that forgets: for tests of what stands on the store port.

import { RegistryError } from '@rollcall/protocol';
import type { CommitOutcome, DurableStore, StoreLane, StoreListener } from '../adapters/store/durable-store.js';
import { changeOf, KEY_PREFIXES, recordOf } from '../adapters/store/store-record.js';
import type { Actor } from '../core/actor.js';
import type { StoreChange } from '../core/store-change.js';

/** A {@link DurableStore} in memory. Values go through the same records as on disk. */
export class MemoryStore implements DurableStore {
  readonly #records = new Map<string, string>();
  #listener: StoreListener = () => undefined;
  /** While set, commits fail with this text, as on a full disk. */
  failure: string | undefined;

  *load(): Generator<StoreChange> {
    for (const prefix of KEY_PREFIXES) {
      for (const [key, json] of this.#records) {
        const change = key.startsWith(prefix) ? changeOf(json) : undefined;
        if (change !== undefined) yield change;
      }
    }
  }

  follow(listener: StoreListener): void {
    this.#listener = listener;
  }

  laneOf(): StoreLane {
    return 'local';
  }

  async commit(changes: readonly StoreChange[], actor: Actor): Promise<CommitOutcome> {
    if (this.failure !== undefined) throw new RegistryError('storage-failed', this.failure);
    for (const { key, json } of changes.map(recordOf)) {
      if (json === undefined) this.#records.delete(key);
      else this.#records.set(key, json);
    }
    if (changes.length > 0) this.#listener(changes, actor);
    return 'written';
  }

  async close(): Promise<void> {}
}
