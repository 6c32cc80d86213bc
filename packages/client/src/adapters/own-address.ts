// An address of this machine for others to call, found by the rules of Spring Cloud's client. Source: contract client-1x 9.3;
// bug reports on bracketed IPv4 addresses.

import { type NetworkInterfaceInfo, networkInterfaces } from 'node:os';
import { ClientError } from '../core/client-error.js';

/** What an address must be. */
export interface AddressChoice {
  /** Name of the network interface to take it from. Default any. */
  readonly networkInterface?: string | undefined;
  /** Default IPv4, with the global IPv6 address as metadata. */
  readonly family?: 'IPv4' | 'IPv6' | undefined;
}

/** An address, ready to be registered. */
export interface OwnAddress {
  /** IPv6 in brackets and without zone. */
  readonly ip: string;
  /** `IPv6`: the other address, where there is one. */
  readonly metadata: Readonly<Record<string, string>>;
}

/** Interfaces by name, as `os.networkInterfaces()` gives them. */
export type Interfaces = Readonly<Record<string, readonly NetworkInterfaceInfo[] | undefined>>;

/**
 * Finds an address of this machine. A machine with loopback addresses alone gives 127.0.0.1.
 *
 * @throws ClientError `invalid-parameter` when the interface is not there, or has no address of use
 */
export function ownAddress(choice: AddressChoice = {}, interfaces: Interfaces = networkInterfaces()): OwnAddress {
  if (choice.networkInterface !== undefined) return addressOf(choice.networkInterface, interfaces);
  const all = Object.values(interfaces).flatMap((infos) => infos ?? []);
  const ipv4 = all.find(({ family, internal }) => family === 'IPv4' && !internal)?.address ?? '127.0.0.1';
  const ipv6 = all.find(isGlobalIpv6)?.address;
  if (choice.family === 'IPv6' && ipv6 !== undefined) return { ip: bracketed(ipv6), metadata: {} };
  const metadata = choice.family === undefined && ipv6 !== undefined ? { IPv6: bracketed(ipv6) } : undefined;
  return { ip: ipv4, metadata: metadata ?? {} };
}

function addressOf(name: string, interfaces: Interfaces): OwnAddress {
  const infos = interfaces[name];
  if (infos === undefined) {
    const names = Object.keys(interfaces)
      .map((other) => `"${other}"`)
      .join(', ');
    throw new ClientError('invalid-parameter', `"networkInterface" is "${name}", found are ${names}`);
  }
  const ipv4 = infos.find(({ family }) => family === 'IPv4');
  const ipv6 = infos.find(({ family, internal }) => family === 'IPv6' && !internal);
  if (ipv4 !== undefined) return { ip: ipv4.address, metadata: {} };
  if (ipv6 !== undefined) return { ip: bracketed(ipv6.address), metadata: {} };
  throw new ClientError(
    'invalid-parameter',
    `"networkInterface" is "${name}", which has no address that others could call`,
  );
}

/** Not loopback, link-local, site-local, or unique-local in `fd00::/8`. */
function isGlobalIpv6({ family, internal, address }: NetworkInterfaceInfo): boolean {
  return family === 'IPv6' && !internal && !/^(::1?$|fe[89a-f]|fd)/i.test(address);
}

function bracketed(address: string): string {
  return `[${address.replace(/%.*$/, '')}]`;
}
