// Which store a server has: its own when it is alone, one that all nodes share in a cluster.

import type { Clock, Logger, Timers } from '@rollcall/runtime';
import type { DurableStore } from '../adapters/store/durable-store.js';
import { EMBEDDED_STORE } from '../adapters/store/etcd/etcd-address.js';
import { LmdbStore } from '../adapters/store/lmdb-store.js';
import { NoSharedStore } from '../adapters/store/shared/no-shared-store.js';
import type { SharedStoreFigures } from '../adapters/store/shared/shared-store.js';
import { SplitStore } from '../adapters/store/shared/split-store.js';
import type { DataDirectory } from './data-directory.js';
import { etcdAccessOf, type StoreConfig } from './store-options.js';

/** What a store is opened with. */
export interface ServerStoreOptions {
  /** What the options say of the store. */
  readonly config: StoreConfig;
  /** Whether this server is one of several that form one registry. */
  readonly nodes: 'one' | 'several';
  readonly directory: Pick<DataDirectory, 'storePath' | 'storeCopyPath'>;
  readonly clock: Clock;
  readonly timers: Timers;
  readonly logger: Logger;
}

/** An opened store. */
export interface ServerStore {
  readonly store: DurableStore;
  /** Of the shared store; undefined when there is none. */
  readonly sharedFigures: () => SharedStoreFigures | undefined;
}

/** Opens the store. @throws RegistryError `storage-failed` when its files cannot be used, StartError `bad-config` for those of TLS */
export async function openServerStore(options: ServerStoreOptions): Promise<ServerStore> {
  const { config, nodes, directory, clock, timers, logger } = options;
  const local = await LmdbStore.open({ path: directory.storePath, clock, logger });
  if (config.store === EMBEDDED_STORE) {
    const store = nodes === 'one' ? local : new SplitStore({ local, shared: new NoSharedStore(), logger });
    return { store, sharedFigures: () => undefined };
  }
  try {
    const { openEtcdStore } = await import('../adapters/store/etcd/open-etcd-store.js');
    const [address, access] = [config.store, etcdAccessOf(config)];
    const shared = await openEtcdStore({ address, access, copyPath: directory.storeCopyPath, clock, timers, logger });
    return { store: new SplitStore({ local, shared, logger }), sharedFigures: () => shared.figures };
  } catch (error) {
    await local.close();
    throw error;
  }
}
