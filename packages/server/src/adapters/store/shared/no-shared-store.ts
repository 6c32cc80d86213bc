// In the place of a shared store that nobody configured: holds nothing and says what to configure.
// Source: cluster specification 7.6, "Cluster without a configured store".

import { RegistryError } from '@rollcall/protocol';
import type { DurableStore, StoreLane } from '../durable-store.js';

/** A {@link DurableStore} that refuses. */
export class NoSharedStore implements DurableStore {
  load(): [] {
    return [];
  }

  follow(): void {}

  laneOf(): StoreLane {
    return 'shared';
  }

  async commit(): Promise<never> {
    const found = 'found no store that the nodes of this cluster share';
    const allowed =
      'start each node with --store etcd://host:port,... for persistent instances, services, namespaces and switches';
    throw new RegistryError('storage-failed', `Change was not made: ${found} (not configured); ${allowed}`);
  }

  async close(): Promise<void> {}
}
