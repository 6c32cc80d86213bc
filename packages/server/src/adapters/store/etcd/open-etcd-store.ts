// Puts the shared store together on an etcd. Loaded only where one is configured: gRPC and its messages take a third of a
// second to load.

import { randomUUID } from 'node:crypto';
import type { Clock, Logger, Timers } from '@rollcall/runtime';
import { LmdbStore } from '../lmdb-store.js';
import { SharedStore } from '../shared/shared-store.js';
import type { EtcdAccess } from './etcd-access.js';
import { readEtcdAddress } from './etcd-address.js';
import { EtcdCalls } from './etcd-calls.js';
import { EtcdKeyValueStore } from './etcd-key-value-store.js';

/** What is needed to open it. */
export interface EtcdStoreOptions {
  /** `etcd://host:port,.../root`. */
  readonly address: string;
  readonly access: EtcdAccess;
  /** Directory of the copy on disk; created when missing. */
  readonly copyPath: string;
  readonly clock: Clock;
  readonly timers: Timers;
  readonly logger: Logger;
}

/**
 * Opens it. Does not wait for etcd.
 *
 * @throws RegistryError `storage-failed` when the copy on disk cannot be opened
 */
export async function openEtcdStore(options: EtcdStoreOptions): Promise<SharedStore> {
  const { address, access, copyPath, clock, timers, logger } = options;
  const copyOnDisk = await LmdbStore.open({ path: copyPath, clock, logger });
  return new SharedStore({
    keyValues: connectEtcd(address, access),
    copyOnDisk,
    clock,
    timers,
    logger,
    run: randomUUID(),
  });
}

/** Connects to an etcd. @param address - `etcd://host:port,.../root`. @throws TypeError when it is none */
export function connectEtcd(address: string, access: EtcdAccess = {}): EtcdKeyValueStore {
  const read = readEtcdAddress(address);
  if (read === undefined) throw new TypeError(`"${address}" is no address of an etcd`);
  const calls = new EtcdCalls(read.endpoints, access);
  return new EtcdKeyValueStore({ name: address, root: read.root, calls });
}
