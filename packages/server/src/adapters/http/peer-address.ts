// The address of the peer of a connection as registrations show it.

import type { Socket } from 'node:net';

const MAPPED = '::ffff:';

/** Address of the other end, IPv4-mapped IPv6 written as IPv4; empty when the connection is gone already. */
export function peerAddress(socket: Socket): string {
  const address = socket.remoteAddress ?? '';
  return address.startsWith(MAPPED) && address.includes('.') ? address.slice(MAPPED.length) : address;
}
