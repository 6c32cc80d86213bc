// A list of members as text: one or more per line, separated by commas, `#` begins a comment. Source: Nacos cluster.conf
// (MemberUtil.readServerConf); address servers answer in the same form.

import { NODE_ADDRESS_ALLOWED, readNode } from './node-address.js';

/** More members than any cluster has: a list that is longer is something else. */
const MEMBERS_MAX = 64;

/**
 * Reads a list.
 *
 * @param defaultPort - of members that are given without one
 * @returns ids of nodes, each once, in the order of the text
 * @throws Error that says what was found
 */
export function readMemberList(text: string, defaultPort: number): readonly string[] {
  const entries = text
    .split('\n')
    .flatMap((line) => line.replace(/#.*/, '').split(','))
    .map((entry) => entry.trim())
    .filter((entry) => entry !== '');
  const nodes = entries.map((entry) => {
    const node = readNode(entry, defaultPort);
    if (node !== undefined) return node;
    throw new Error(`found member ${JSON.stringify(entry.slice(0, 100))}, allowed is ${NODE_ADDRESS_ALLOWED}`);
  });
  const members = [...new Set(nodes)];
  if (members.length > 0 && members.length <= MEMBERS_MAX) return members;
  throw new Error(`found ${members.length} members, allowed are 1 to ${MEMBERS_MAX}`);
}
