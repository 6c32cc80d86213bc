// One way to write an address. Java writes "0:0:0:0:0:0:0:1" where the system writes "::1", and a socket for both
// families writes IPv4 as "::ffff:10.0.0.1"; what is compared must be written alike.

import { isIP, SocketAddress } from 'node:net';

const MAPPED = '::ffff:';

/** The usual text of an address, IPv4-mapped IPv6 as IPv4; undefined when the text is no literal address. */
export function ipLiteral(text: string): string | undefined {
  switch (isIP(text)) {
    case 4:
      return text;
    case 6:
      return usualV6(text);
    default:
      return undefined;
  }
}

function usualV6(text: string): string {
  const zoneAt = text.indexOf('%');
  const bare = zoneAt < 0 ? text : text.slice(0, zoneAt);
  const { address } = new SocketAddress({ address: bare, family: 'ipv6' });
  if (address.startsWith(MAPPED) && address.includes('.')) return address.slice(MAPPED.length);
  return zoneAt < 0 ? address : `${address}${text.slice(zoneAt)}`;
}
