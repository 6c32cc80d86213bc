// Which of the members this process is. Source: Nacos ServerMemberManager adds the own address to a list that lacks it; here
// a start fails instead when it is not plain which one is meant, since two nodes that think they are one do harm.

import { lookup } from 'node:dns/promises';
import { networkInterfaces } from 'node:os';
import { ipLiteral } from '../ip-literal.js';
import { nodeAddress } from './node-address.js';

/** What is known of this process. */
export interface OwnNodeSearch {
  readonly members: readonly string[];
  /** Address that is listened on; `0.0.0.0` and `::` say nothing. */
  readonly host: string;
  readonly port: number;
  /** Addresses of this machine; the system's by default. */
  readonly localAddresses?: () => readonly string[];
  /** Addresses of a name; empty when it has none. The system's resolver by default. */
  readonly resolve?: (name: string) => Promise<readonly string[]>;
}

/**
 * The members that this process can be: those with its port and an address of this machine, or those with the very address
 * that it listens on when there are such.
 */
export async function ownNodes(search: OwnNodeSearch): Promise<readonly string[]> {
  const { members, host, port, localAddresses = systemAddresses, resolve = systemResolve } = search;
  const local = new Set(localAddresses());
  const found: string[] = [];
  for (const member of members) {
    const address = nodeAddress(member);
    if (address.port !== port) continue;
    if (address.host === host) return [member];
    const literal = ipLiteral(address.host);
    const ips = literal === undefined ? await resolve(address.host) : [literal];
    if (ips.some((ip) => local.has(ip))) found.push(member);
  }
  return found;
}

function systemAddresses(): readonly string[] {
  return Object.values(networkInterfaces())
    .flatMap((addresses) => addresses ?? [])
    .flatMap(({ address }) => ipLiteral(address) ?? []);
}

async function systemResolve(name: string): Promise<readonly string[]> {
  try {
    return (await lookup(name, { all: true })).map(({ address }) => address);
  } catch {
    return [];
  }
}
