// An instance's address with the key under which maps hold it, so that hot paths build the key once.

import type { InstanceAddress } from '@rollcall/protocol';

/** Address inside one service and kind. Two addresses are the same when their `key` is equal. */
export interface Address extends InstanceAddress {
  /** `ip#port#cluster`. */
  readonly key: string;
}

/** Makes an address. The parts must have passed the protocol's checks. */
export function addressOf(ip: string, port: number, cluster: string): Address {
  return { ip, port, cluster, key: `${ip}#${port}#${cluster}` };
}
