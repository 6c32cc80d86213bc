// `rollcall store check` behind the public door: what a store needs to be looked at is loaded only then.

import { systemClock } from '@rollcall/runtime';
import type { StoreCheck } from '../adapters/store/etcd/etcd-check.js';
import type { Config } from './config-schema.js';
import { etcdAccessOf } from './store-options.js';

/** Looks at the shared store of a configuration, which must have one. @throws StartError `bad-config` when a file of it cannot be read */
export async function checkStore(config: Config): Promise<StoreCheck> {
  const access = etcdAccessOf(config);
  const { checkEtcd } = await import('../adapters/store/etcd/etcd-check.js');
  return checkEtcd(config.store, systemClock, access);
}
