// One form for addresses that sockets give in two.

import { isIPv6 } from 'node:net';

/** An IPv4 address that came as IPv6 in its plain form, so that addresses can be compared. */
export function plainIp(address: string): string {
  return isIPv6(address) && address.startsWith('::ffff:') && address.includes('.') ? address.slice(7) : address;
}
