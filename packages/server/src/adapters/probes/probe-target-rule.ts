// Which addresses the server may be told to connect to: whoever registers an instance names one. Loopback and private
// networks are what a registry is for; link-local addresses and those of cloud metadata services hand out credentials.

import { BlockList, isIPv4 } from 'node:net';
import { ipLiteral } from '../ip-literal.js';

/** Link-local (RFC 3927, 4291), metadata services outside of it (Alibaba, AWS on IPv6, Oracle, Azure), multicast, nobody. */
const REFUSED: readonly (readonly [address: string, prefix: number, family: 'ipv4' | 'ipv6'])[] = [
  ['0.0.0.0', 8, 'ipv4'],
  ['169.254.0.0', 16, 'ipv4'],
  ['100.100.100.200', 32, 'ipv4'],
  ['192.0.0.192', 32, 'ipv4'],
  ['168.63.129.16', 32, 'ipv4'],
  ['224.0.0.0', 3, 'ipv4'],
  ['::', 128, 'ipv6'],
  ['fe80::', 10, 'ipv6'],
  ['fec0::', 10, 'ipv6'],
  ['fd00:ec2::', 32, 'ipv6'],
  ['fd20:ce::254', 128, 'ipv6'],
  ['ff00::', 8, 'ipv6'],
];

/** Prefixes under which IPv6 carries an IPv4 address in its last 32 bits (RFC 4291, 6052). */
const CARRYING_V4 = ['::', '64:ff9b::'] as const;

const refused = blockList();
const carrying = carryingList();

/** The address as it may be connected to; undefined when it is no literal address or not allowed. */
export function probeAddress(text: string): string | undefined {
  const ip = ipLiteral(text);
  if (ip === undefined || ip.includes('%')) return undefined;
  if (isIPv4(ip)) return refused.check(ip, 'ipv4') ? undefined : ip;
  if (refused.check(ip, 'ipv6')) return undefined;
  return ip !== '::1' && carrying.check(ip, 'ipv6') ? undefined : ip;
}

function blockList(): BlockList {
  const list = new BlockList();
  for (const [address, prefix, family] of REFUSED) list.addSubnet(address, prefix, family);
  return list;
}

// An address written in such a form is never how a service is reached, but a way around the rule for IPv4.
function carryingList(): BlockList {
  const list = new BlockList();
  for (const prefix of CARRYING_V4) list.addSubnet(prefix, 96, 'ipv6');
  return list;
}
