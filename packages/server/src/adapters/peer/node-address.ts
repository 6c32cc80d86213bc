// Addresses of nodes as they stand in lists of members: `ip:port` or `name:port`, IPv6 in brackets, with the port that
// clients use. The text is also the id of the node. Source: Nacos MemberUtil, cluster.conf.

import { isIPv6 } from 'node:net';

/** An address taken apart. */
export interface NodeAddress {
  /** IP literal without brackets, or a host name. */
  readonly host: string;
  /** Main port, 1 to 65535. */
  readonly port: number;
}

/** What is allowed, to be read after "allowed is". */
export const NODE_ADDRESS_ALLOWED = '"ip:port" or "name:port", IPv6 in brackets';

/**
 * The id of a node out of what somebody wrote.
 *
 * @param defaultPort - for a text without a port; undefined when it must have one
 * @returns undefined when it is no address
 */
export function readNode(text: string, defaultPort?: number): string | undefined {
  const found = /^(?:\[([0-9a-f:.]{2,45})\]|([\w.-]{1,253}))(?::(\d{1,5}))?$/i.exec(text.trim());
  if (found === null) return undefined;
  const [, bracketed, plain, portText] = found;
  if (bracketed !== undefined && !isIPv6(bracketed)) return undefined;
  const port = portText === undefined ? defaultPort : Number(portText);
  if (port === undefined || port < 1 || port > 65_535) return undefined;
  return nodeOf({ host: (bracketed ?? plain ?? '').toLowerCase(), port });
}

/** The id of a node with an address. */
export function nodeOf({ host, port }: NodeAddress): string {
  return host.includes(':') ? `[${host}]:${port}` : `${host}:${port}`;
}

/** The address of a node by its id. */
export function nodeAddress(node: string): NodeAddress {
  const colon = node.lastIndexOf(':');
  return { host: node.slice(0, colon).replace(/^\[|\]$/g, ''), port: Number(node.slice(colon + 1)) };
}
