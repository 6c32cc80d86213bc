// Options of a server that is one of several nodes.

import { NODE_ADDRESS_ALLOWED, readNode } from '../adapters/peer/node-address.js';
import { choiceOption, integerOption, listOption, textOption } from './option.js';

const isPath = (text: string): boolean => /^[^\0]{0,1024}$/.test(text);
const PATH_ALLOWED = 'a path of at most 1024 characters';

/** Every option of the cluster by its key. */
export const CLUSTER_OPTIONS = {
  members: listOption({
    group: 'Cluster',
    doc: 'All nodes of the cluster, this one among them, with the ports that clients use. With it, or another source of members, the server is one of several.',
    placeholder: 'addresses',
    allowed: `${NODE_ADDRESS_ALLOWED}, separated by commas`,
    default: [],
    isAllowed: (text) => readNode(text) !== undefined,
  }),
  membersFile: textOption({
    group: 'Cluster',
    doc: 'The same from a file in the form of `cluster.conf` of Nacos, one member per line, read again when it changes.',
    placeholder: 'path',
    allowed: PATH_ALLOWED,
    default: '',
    isAllowed: isPath,
  }),
  membersDns: textOption({
    group: 'Cluster',
    doc: 'The same from all addresses of a DNS name, asked every 5 s, with the port that all nodes have.',
    placeholder: 'name:port',
    allowed: '"name:port"',
    default: '',
    isAllowed: (text) => text === '' || readNode(text) !== undefined,
  }),
  membersUrl: textOption({
    group: 'Cluster',
    doc: 'The same from an address server, asked every 5 s, which answers one member per line.',
    placeholder: 'url',
    allowed: 'a URL with http or https',
    default: '',
    isAllowed: (text) => text === '' || (/^https?:\/\//.test(text) && URL.canParse(text)),
  }),
  node: textOption({
    group: 'Cluster',
    doc: 'Which member this server is; needed only when its address in the list is none of this machine.',
    placeholder: 'address',
    allowed: NODE_ADDRESS_ALLOWED,
    default: '',
    isAllowed: (text) => text === '' || readNode(text) !== undefined,
  }),
  clusterName: textOption({
    group: 'Cluster',
    doc: 'Nodes of another cluster are refused, whatever the list of members says.',
    placeholder: 'name',
    allowed: '1 to 64 letters, digits and "._-"',
    default: 'rollcall',
    isAllowed: (text) => /^[\w.-]{1,64}$/.test(text),
  }),
  clusterPortOffset: integerOption({
    group: 'Cluster',
    doc: 'Distance from the port to the one for other nodes; must be the same on all of them.',
    unit: 'ports',
    min: 1,
    max: 65535,
    default: 2000,
  }),
  clusterSecret: textOption({
    group: 'Cluster',
    doc: 'Text that all nodes know; it is never sent. A flag can be seen by other users of the machine: better a variable or a file.',
    placeholder: 'text',
    allowed: '16 to 1024 characters',
    default: '',
    isSecret: true,
    isAllowed: (text) => text === '' || (text.length >= 16 && text.length <= 1024),
  }),
  clusterSecretFile: textOption({
    group: 'Cluster',
    doc: 'The same from the first line of a file.',
    placeholder: 'path',
    allowed: PATH_ALLOWED,
    default: '',
    isAllowed: isPath,
  }),
  clusterTlsCert: textOption({
    group: 'Cluster',
    doc: 'Certificate of this node (PEM file): nodes then speak TLS 1.3 and ask each other for certificates.',
    placeholder: 'path',
    allowed: PATH_ALLOWED,
    default: '',
    isAllowed: isPath,
  }),
  clusterTlsKey: textOption({
    group: 'Cluster',
    doc: 'Its key (PEM file).',
    placeholder: 'path',
    allowed: PATH_ALLOWED,
    default: '',
    isAllowed: isPath,
  }),
  clusterTlsCa: textOption({
    group: 'Cluster',
    doc: 'Authority that signed the certificates of all nodes and of nobody else (PEM file).',
    placeholder: 'path',
    allowed: PATH_ALLOWED,
    default: '',
    isAllowed: isPath,
  }),
  insecureCluster: choiceOption({
    group: 'Cluster',
    doc: 'Whether nodes trust everybody who reaches their port, without a secret or certificates. Only for trying things out.',
    words: ['on', 'off'],
    default: 'off',
    alone: 'on',
  }),
};

/** Options that say who the members are; at most one is given. */
export const MEMBER_SOURCES = ['members', 'membersFile', 'membersDns', 'membersUrl'] as const;

/** Whether a configuration makes a server one of several. */
export function isClustered(
  config: { readonly [K in (typeof MEMBER_SOURCES)[number]]: string | readonly string[] },
): boolean {
  return MEMBER_SOURCES.some((key) => config[key].length > 0);
}
