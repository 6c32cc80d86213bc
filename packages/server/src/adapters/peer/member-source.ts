// Where the list of members comes from: the configuration, a file, a name in DNS, or an address server. The last three are
// read again and again. Source: Nacos LookupFactory, FileConfigMemberLookup, AddressServerMemberLookup (asked every 5 s).

import { lookup } from 'node:dns/promises';
import { readFile } from 'node:fs/promises';
import { boundedText } from '../bounded-fetch.js';
import { readMemberList } from './member-list.js';
import { nodeAddress, nodeOf } from './node-address.js';

const PORT_MAX = 65_535;
/** Bounds of the answer of an address server. */
const ANSWER = { charactersMax: 64 * 1024, waitMs: 3000 };

/** A list of members that can be read. */
export interface MemberSource {
  /** For messages: `file "cluster.conf"`. */
  readonly name: string;
  /** Time between two readings, ms; undefined when the list never changes. */
  readonly rereadMs: number | undefined;
  /** Readings one second apart before a start fails. */
  readonly tries: number;
  /** Reads it. Rejects with an Error that says what was found */
  read(): Promise<readonly string[]>;
}

/**
 * A source whose members can all be dialled: the port for nodes of each is one that there is.
 *
 * @param portOffset - distance from a node's main port to the one for other nodes
 */
export function diallable(source: MemberSource, portOffset: number): MemberSource {
  const read = async () => {
    const members = await source.read();
    for (const member of members) {
      const wrong = undiallable(nodeAddress(member).port, portOffset);
      if (wrong !== undefined) throw new Error(`found member ${JSON.stringify(member)}, ${wrong}`);
    }
    return members;
  };
  return { ...source, read };
}

/** What is wrong with a main port whose port for nodes would be too high, to be read after what was found. */
export function undiallable(port: number, portOffset: number): string | undefined {
  const max = PORT_MAX - portOffset;
  return port <= max ? undefined : `allowed are ports up to ${max}, because nodes talk on the port plus ${portOffset}`;
}

/** A list that was configured. @param members - ids of nodes */
export function fixedMembers(members: readonly string[]): MemberSource {
  return { name: 'the configuration', rereadMs: undefined, tries: 1, read: async () => members };
}

/** A file in the form of Nacos' `cluster.conf`. It may be replaced at any time. @param defaultPort - of members without one */
export function membersOfFile(path: string, defaultPort: number): MemberSource {
  return {
    name: `file ${JSON.stringify(path)}`,
    rereadMs: 1000,
    tries: 1,
    read: async () => readMemberList(await readFile(path, 'utf8'), defaultPort),
  };
}

/**
 * All addresses of a name, such as that of a headless service in Kubernetes.
 *
 * @param node - name with the port that all members have
 * @param resolve - in place of the system's resolver
 */
export function membersOfDns(
  node: string,
  resolve: (name: string) => Promise<readonly { readonly address: string }[]> = (name) => lookup(name, { all: true }),
): MemberSource {
  const { host, port } = nodeAddress(node);
  return {
    name: `DNS name ${JSON.stringify(host)}`,
    rereadMs: 5000,
    tries: 10,
    read: async () => {
      const addresses = await resolve(host);
      return readMemberList(addresses.map(({ address }) => nodeOf({ host: address, port })).join(), port);
    },
  };
}

/** An address server that answers with the same text as a file has. */
export function membersOfUrl(url: string, defaultPort: number): MemberSource {
  return {
    name: `address server ${url}`,
    rereadMs: 5000,
    tries: 5,
    read: async () => readMemberList(await boundedText(url, ANSWER), defaultPort),
  };
}
