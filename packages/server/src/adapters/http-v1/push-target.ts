// Where pushes may be sent: a list query names an address, and the server must not become a way to send datagrams to third
// parties. Source: our own rule; Nacos sends anywhere, host names included.

import { BlockList, isIP, isIPv4 } from 'node:net';

/** Addresses of private networks and of this machine (RFC 1918, 4193, 1122, 4291). */
const NEAR = new BlockList();
NEAR.addSubnet('10.0.0.0', 8, 'ipv4');
NEAR.addSubnet('172.16.0.0', 12, 'ipv4');
NEAR.addSubnet('192.168.0.0', 16, 'ipv4');
NEAR.addSubnet('127.0.0.0', 8, 'ipv4');
NEAR.addAddress('::1', 'ipv6');
NEAR.addSubnet('fc00::', 7, 'ipv6');

/**
 * The address to push to, or undefined when it may not be used: it must be a literal, and the requester's own, or both in
 * private or loopback ranges. Without a `clientIP` it is the requester's own.
 *
 * @param clientIp - as the query says; empty when it does not
 * @param requester - peer address of the connection
 */
export function pushTarget(clientIp: string, requester: string): string | undefined {
  if (clientIp === '' || clientIp === requester) return requester;
  if (isIP(clientIp) === 0) return undefined;
  return isNear(clientIp) && isNear(requester) ? clientIp : undefined;
}

function isNear(address: string): boolean {
  return isIP(address) !== 0 && NEAR.check(address, isIPv4(address) ? 'ipv4' : 'ipv6');
}
