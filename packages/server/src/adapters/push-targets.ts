// Where pushes may be sent: a list query names an address, and the server must not become a way to send datagrams to third
// parties. Source: our own rule; Nacos sends anywhere, host names included.

import { BlockList, isIPv4 } from 'node:net';
import type { HostAddresses } from './host-addresses.js';
import { ipLiteral } from './ip-literal.js';

/** Addresses of private networks and of this machine (RFC 1918, 4193, 1122, 4291). */
const NEAR = ['10.0.0.0/8', '172.16.0.0/12', '192.168.0.0/16', '127.0.0.0/8', '::1/128', 'fc00::/7'];

/** An address to push to, or why there is none. */
export type PushTarget =
  | { readonly allowed: true; readonly ip: string }
  | { readonly allowed: false; readonly reason: 'address-not-literal' | 'address-not-allowed' };

/** Decides to which addresses a requester may have pushes sent. */
export class PushTargets {
  readonly #hosts: Pick<HostAddresses, 'sameHost'>;
  readonly #near = blockListOf(NEAR);
  readonly #listed: BlockList;

  /** @param listed - subnets that everybody may name besides, see {@link readSubnet} */
  constructor(hosts: Pick<HostAddresses, 'sameHost'>, listed: readonly string[] = []) {
    this.#hosts = hosts;
    this.#listed = blockListOf(listed);
  }

  /**
   * Allowed is a literal address that is the requester's own, or in private or loopback ranges as the requester is, or
   * listed. Without a `clientIp` it is the requester's own.
   *
   * @param clientIp - as the query says; empty when it does not
   * @param requester - peer address of the connection
   */
  find(clientIp: string, requester: string): PushTarget {
    const own = ipLiteral(requester) ?? requester;
    if (clientIp === '' || clientIp === own) return { allowed: true, ip: own };
    const ip = ipLiteral(clientIp);
    if (ip === undefined) return { allowed: false, reason: 'address-not-literal' };
    const allowed =
      isIn(this.#listed, ip) ||
      (isIn(this.#near, ip) && isIn(this.#near, own)) ||
      this.#hosts.sameHost(own).includes(ip);
    return allowed ? { allowed, ip } : { allowed, reason: 'address-not-allowed' };
  }
}

/** Reads an address or a subnet such as `10.0.0.0/8` or `fd00::/8`. @returns undefined when the text is neither */
export function readSubnet(
  text: string,
): { readonly address: string; readonly prefix: number; readonly family: 'ipv4' | 'ipv6' } | undefined {
  const [, written = '', digits] = /^([\da-fA-F.:]{2,45})(?:\/(\d{1,3}))?$/.exec(text) ?? [];
  const address = ipLiteral(written);
  if (address === undefined) return undefined;
  const family = isIPv4(address) ? 'ipv4' : 'ipv6';
  const longest = family === 'ipv4' ? 32 : 128;
  const prefix = digits === undefined ? longest : Number(digits);
  return prefix <= longest ? { address, prefix, family } : undefined;
}

function blockListOf(subnets: readonly string[]): BlockList {
  const list = new BlockList();
  for (const text of subnets) {
    const subnet = readSubnet(text);
    if (subnet === undefined) throw new RangeError(`"${text}" is no address and no subnet`);
    list.addSubnet(subnet.address, subnet.prefix, subnet.family);
  }
  return list;
}

function isIn(list: BlockList, ip: string): boolean {
  return list.check(ip, isIPv4(ip) ? 'ipv4' : 'ipv6');
}
