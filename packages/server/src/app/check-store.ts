// `rollcall store check` behind the public door: what a store needs to be looked at is loaded only then.

import { systemClock } from '@rollcall/runtime';
import type { StoreCheck } from '../adapters/store/etcd/etcd-check.js';

/** Looks at a shared store. @param address - value of option `store`, not the embedded one */
export async function checkStore(address: string): Promise<StoreCheck> {
  const { checkEtcd } = await import('../adapters/store/etcd/etcd-check.js');
  return checkEtcd(address, systemClock);
}
