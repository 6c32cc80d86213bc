// Entries as text: a line holds the entries of one write as a JSON array of arrays, each with a letter for its type in
// front. New types get new letters, new members come at the end; letters are never used again for something else.

import { type InstanceContent, type Metadata, NO_METADATA, type ServiceKey, serviceKey } from '@rollcall/protocol';
import { type Address, addressOf } from '../../core/instance-address.js';
import type { JournalEntry, ServiceEntry, UdpSubscriberRecord } from '../../core/journal-entry.js';
import type { Version } from '../../core/replication/replicated-record.js';

type Scalar = string | number | null;
/** Weight, enabled, healthy, application, then keys and values in turn; one text more is the id that a client gave. */
type ContentItems = readonly [
  weight: number,
  enabled: number,
  healthy: number,
  app: string | null,
  ...metadata: string[],
];
/** Version of a content in a cluster: hybrid clock, then the write that it comes from. */
type VersionItems = readonly [cv: number, node: string, epoch: number, sequence: number];
type Item = Scalar | ContentItems | VersionItems;
type Items = readonly Item[];

/** The JSON of some entries. */
export function entriesJson(entries: readonly JournalEntry[]): string {
  return JSON.stringify(entries.map(itemsOf));
}

/** What one line gave. */
export interface DecodedEntries {
  readonly entries: readonly JournalEntry[];
  /** Entries of types that this version does not know. */
  readonly unknown: number;
}

/** Reads the values of lines. Keeps the last service, since entries of a service mostly follow each other. */
export class JournalDecoder {
  #service: ServiceKey = serviceKey('', '', '');

  /** The entries of a line. @param items - parsed JSON of {@link entriesJson}, of this version or a newer one */
  decode(items: readonly Items[]): DecodedEntries {
    const entries: JournalEntry[] = [];
    for (const item of items) {
      const entry = this.#entryOf(item);
      if (entry !== undefined) entries.push(entry);
    }
    return { entries, unknown: items.length - entries.length };
  }

  #entryOf(items: Items): JournalEntry | undefined {
    if (items[0] === 'n') return { type: 'push-numbers', upTo: items[1] as number };
    const service = this.#serviceOf(items[1] as string, items[2] as string, items[3] as string);
    switch (items[0]) {
      case 'r':
        return registeredOf(service, items);
      case 'h':
        return { type: 'health', ...membershipOf(service, items), healthy: items[8] === 1 };
      case 'd':
        return { type: 'removed', ...membershipOf(service, items) };
      case 's': {
        const [ip, port, clusters, agent, app] = items.slice(4) as [string, number, string, string, string];
        return { type: 'subscribed', service, subscriber: { ip, port, clusters, agent, app } };
      }
      case 'u':
        return { type: 'unsubscribed', service, subscriberKey: items[4] as string };
      case 'v':
        return { type: 'list-version', service, refTime: items[4] as number };
      default:
        return undefined;
    }
  }

  #serviceOf(namespace: string, group: string, name: string): ServiceKey {
    const last = this.#service;
    if (last.name === name && last.group === group && last.namespace === namespace) return last;
    this.#service = serviceKey(namespace, group, name);
    return this.#service;
  }
}

function itemsOf(entry: JournalEntry): Items {
  return entry.type === 'push-numbers' ? ['n', entry.upTo] : serviceItemsOf(entry);
}

function serviceItemsOf(entry: ServiceEntry): Items {
  const { namespace, group, name } = entry.service;
  switch (entry.type) {
    case 'registered': {
      const { registered, base, instanceId, version } = entry;
      const items = [...membership('r', entry, entry.healthy), contentItems(registered)];
      if (base !== undefined || instanceId !== undefined || version !== undefined)
        items.push(base === undefined ? null : contentItems(base));
      if (instanceId !== undefined || version !== undefined) items.push(instanceId ?? null);
      if (version !== undefined) items.push([version.cv, ...version.op]);
      return items;
    }
    case 'health':
      return membership('h', entry, entry.healthy);
    case 'removed':
      return membership('d', entry, false);
    case 'subscribed':
      return ['s', namespace, group, name, ...subscriberItems(entry.subscriber)];
    case 'unsubscribed':
      return ['u', namespace, group, name, entry.subscriberKey];
    case 'list-version':
      return ['v', namespace, group, name, entry.refTime];
  }
}

function membership(
  letter: string,
  of: { service: ServiceKey; address: Address; publisher: string; refTime: number },
  healthy: boolean,
): Item[] {
  const { service, address, publisher, refTime } = of;
  const { namespace, group, name } = service;
  const { ip, port, cluster } = address;
  return [letter, namespace, group, name, ip, port, cluster, publisher, healthy ? 1 : 0, refTime];
}

function subscriberItems({ ip, port, clusters, agent, app }: UdpSubscriberRecord): Scalar[] {
  return [ip, port, clusters, agent, app];
}

function contentItems({ weight, enabled, healthy, app, metadata, instanceId }: InstanceContent): ContentItems {
  const items: [number, number, number, string | null, ...string[]] = [
    weight,
    enabled ? 1 : 0,
    healthy ? 1 : 0,
    app ?? null,
  ];
  for (const [key, value] of metadata) items.push(key, value);
  if (instanceId !== undefined) items.push(instanceId);
  return items;
}

// By index: taking lists of this length apart by patterns doubles the time of a start.

function membershipOf(service: ServiceKey, items: Items) {
  return {
    service,
    address: addressOf(items[4] as string, items[5] as number, items[6] as string),
    publisher: items[7] as string,
    refTime: items[9] as number,
  };
}

function registeredOf(service: ServiceKey, items: Items): JournalEntry {
  const { address, publisher, refTime } = membershipOf(service, items);
  const registered = contentOf(items[10] as ContentItems);
  const entry = {
    type: 'registered',
    service,
    address,
    publisher,
    registered,
    healthy: items[8] === 1,
    refTime,
  } as const;
  if (items.length === 11) return entry;
  const base = items[11] as ContentItems | null;
  const instanceId = (items[12] ?? undefined) as string | undefined;
  const version = items[13] as VersionItems | undefined;
  return {
    ...entry,
    ...(base !== null && { base: contentOf(base) }),
    ...(instanceId !== undefined && { instanceId }),
    ...(version !== undefined && { version: versionOf(version) }),
  };
}

function versionOf([cv, ...op]: VersionItems): Version {
  return { cv, op };
}

function contentOf(items: ContentItems): InstanceContent {
  return {
    weight: items[0],
    enabled: items[1] === 1,
    healthy: items[2] === 1,
    metadata: metadataOf(items),
    app: items[3] ?? undefined,
    ...(items.length % 2 === 1 && { instanceId: items[items.length - 1] as string }),
  };
}

function metadataOf(items: ContentItems): Metadata {
  if (items.length < 6) return NO_METADATA;
  const metadata = new Map<string, string>();
  for (let at = 4; at + 1 < items.length; at += 2) metadata.set(items[at] as string, items[at + 1] as string);
  return metadata;
}
