// The limits of @rollcall/protocol as options, with unit, range and the rule when one is reached.

import { DEFAULT_LIMITS, type Limits } from '@rollcall/protocol';
import { integerOption, type Option } from './option.js';

/** What documents say of a limit besides its value. */
export interface LimitNote {
  readonly unit: 'bytes' | 'characters' | 'number';
  /** What is counted, one sentence. */
  readonly doc: string;
  /** What happens at the limit. */
  readonly whenFull: string;
  readonly min: number;
  readonly max: number;
}

const REFUSED =
  'The request is refused with status 400, code `limit-exceeded` or `invalid-parameter`; nothing changes.';
const NO_NEW = 'New ones are refused with status 400, code `limit-exceeded`; those that exist can still be changed.';
const NO_PUSH = 'The query is answered, its push part is refused with a log line; the client keeps polling.';

const name = (doc: string, max = 4096): LimitNote => ({ unit: 'characters', doc, whenFull: REFUSED, min: 1, max });

/** Every limit with its unit, range and rule. */
export const LIMIT_NOTES: { readonly [K in keyof Limits]: LimitNote } = {
  namespaceLength: name('Length of a namespace id.'),
  namespaceNameLength: name('Length of the shown name of a namespace.'),
  namespaceDescriptionLength: name('Length of the description of a namespace.'),
  groupLength: name('Length of a group name.'),
  serviceNameLength: name('Length of a service name without its group.'),
  clusterLength: name('Length of a cluster name.'),
  ipLength: name('Length of the IP address or host name of an instance.'),
  appLength: name('Length of an application name.'),
  metadataBytes: {
    unit: 'bytes',
    doc: 'UTF-8 size of all metadata keys plus values of one instance, service or cluster.',
    whenFull: REFUSED,
    min: 0,
    max: 16 * 1024 * 1024,
  },
  metadataKeys: {
    unit: 'number',
    doc: 'Metadata entries of one instance, service or cluster.',
    whenFull: REFUSED,
    min: 0,
    max: 1_000_000,
  },
  expressionLength: name('Length of a selector expression or of a text in a health checker.', 1_000_000),
  requestHeadBytes: {
    unit: 'bytes',
    doc: 'Size of the request line and all headers of one request.',
    whenFull: 'Status 431, code `head-too-large`; the connection is closed.',
    min: 1024,
    max: 16 * 1024 * 1024,
  },
  requestBodyBytes: {
    unit: 'bytes',
    doc: 'Size of the body of one request.',
    whenFull: 'Status 413, code `body-too-large`; the connection is closed.',
    min: 1024,
    max: 256 * 1024 * 1024,
  },
  requestParameters: {
    unit: 'number',
    doc: 'Parameters of one request, query and form together.',
    whenFull: REFUSED,
    min: 16,
    max: 1_000_000,
  },
  serviceInstances: {
    unit: 'number',
    doc: 'Instances of one service, both kinds together.',
    whenFull: NO_NEW,
    min: 1,
    max: 1_000_000,
  },
  serviceClusters: { unit: 'number', doc: 'Clusters of one service.', whenFull: NO_NEW, min: 1, max: 100_000 },
  services: {
    unit: 'number',
    doc: 'Services on this server, all namespaces together.',
    whenFull: NO_NEW,
    min: 1,
    max: 10_000_000,
  },
  instances: {
    unit: 'number',
    doc: 'Instances on this server, all services together.',
    whenFull: NO_NEW,
    min: 1,
    max: 10_000_000,
  },
  namespaces: { unit: 'number', doc: 'Namespaces besides `public`.', whenFull: NO_NEW, min: 0, max: 1_000_000 },
  pageSize: {
    unit: 'number',
    doc: 'Entries of one page of a listing.',
    whenFull: 'A larger page is cut to this size; the count of all entries stays right.',
    min: 1,
    max: 1_000_000,
  },
  batchInstances: {
    unit: 'number',
    doc: 'Instances that one batch request may name.',
    whenFull: REFUSED,
    min: 1,
    max: 1_000_000,
  },
  serviceSubscribers: {
    unit: 'number',
    doc: 'Subscribers of one service.',
    whenFull: NO_PUSH,
    min: 0,
    max: 1_000_000,
  },
  subscribers: {
    unit: 'number',
    doc: 'Subscriptions on this server, all services together.',
    whenFull: NO_PUSH,
    min: 0,
    max: 10_000_000,
  },
  subscriberLength: {
    unit: 'characters',
    doc: 'Length of what is kept of one subscriber: clusters, agent and application together.',
    whenFull: NO_PUSH,
    min: 64,
    max: 65_536,
  },
  pushAckBytes: {
    unit: 'bytes',
    doc: 'Size of a datagram that a subscriber sends as acknowledgement.',
    whenFull: 'The datagram is dropped and counted; nothing changes.',
    min: 64,
    max: 65_507,
  },
};

/** Key of the option that sets a limit: `metadataBytes` is set by `limitMetadataBytes`. */
export type LimitOptionKey = `limit${Capitalize<keyof Limits>}`;

/** All limits, in the order of the table. */
export const LIMIT_KEYS = Object.keys(LIMIT_NOTES) as readonly (keyof Limits)[];

/** The key of the option for a limit. */
export function limitOptionKey(limit: keyof Limits): LimitOptionKey {
  return `limit${limit.charAt(0).toUpperCase()}${limit.slice(1)}` as LimitOptionKey;
}

/** One option per limit. */
export const limitOptions = Object.fromEntries(
  LIMIT_KEYS.map((limit) => {
    const { unit, doc, min, max } = LIMIT_NOTES[limit];
    return [
      limitOptionKey(limit),
      integerOption({ group: 'Limits', doc, unit, min, max, default: DEFAULT_LIMITS[limit] }),
    ];
  }),
) as { readonly [K in LimitOptionKey]: Option<number> };

/** The limits out of a configuration. */
export function limitsOf(config: { readonly [K in LimitOptionKey]: number }): Limits {
  return Object.fromEntries(LIMIT_KEYS.map((limit) => [limit, config[limitOptionKey(limit)]])) as unknown as Limits;
}
