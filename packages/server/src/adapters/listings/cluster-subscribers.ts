// Subscribers of all nodes: each node knows its own, and asks the others when somebody wants all of them. A node that does
// not answer costs its part of the list and a log line, not the answer. Source: Nacos 2.5 SubscribeManager (aggregation).

import { type ServiceKey, type ShownSubscriber, serviceKey, splitGroupedName } from '@rollcall/protocol';
import { boundedText } from '../bounded-fetch.js';
import type { ClusterView } from '../operator/cluster-view.js';
import type { PeerNotices } from '../peer/peer-notices.js';

/** Who subscribes at other nodes. Never rejects. */
export type SubscribersElsewhere = (wanted: ServiceKey) => Promise<readonly ShownSubscriber[]>;

/** Subscribers of one node that are taken: the longest page that a node gives. */
const TAKEN_MAX = 10_000;
const BOUNDS = { charactersMax: 16 * 1024 * 1024, waitMs: 2000 };

/** What it asks with. */
export interface ClusterSubscribersOptions {
  readonly cluster: Pick<ClusterView, 'members'>;
  /** In front of all paths of v1, the same on all nodes. */
  readonly contextPath: () => string;
  readonly notices: PeerNotices;
}

/** Asks all other members at once. */
export function clusterSubscribers({ cluster, contextPath, notices }: ClusterSubscribersOptions): SubscribersElsewhere {
  const ask = async (address: string, wanted: ServiceKey): Promise<readonly ShownSubscriber[]> => {
    const { namespace: namespaceId, group: groupName, name: serviceName } = wanted;
    const page = { aggregation: 'false', pageNo: '1', pageSize: String(TAKEN_MAX) };
    const query = new URLSearchParams({ namespaceId, groupName, serviceName, ...page });
    try {
      const text = await boundedText(`http://${address}${contextPath()}/v1/ns/service/subscribers?${query}`, BOUNDS);
      return readSubscribers(JSON.parse(text));
    } catch (error) {
      notices.warn('subscribers-incomplete', address, { reason: reasonOf(error) });
      return [];
    }
  };
  return async (wanted) => {
    const others = cluster.members().filter(({ isSelf }) => !isSelf);
    const lists = await Promise.all(others.map(({ address }) => ask(address, wanted)));
    return lists.flat();
  };
}

/** The subscribers here and elsewhere; equal ones are one. */
export function joinedSubscribers(lists: readonly (readonly ShownSubscriber[])[]): readonly ShownSubscriber[] {
  const lines = new Map<string, ShownSubscriber>();
  for (const subscriber of lists.flat()) {
    const { service, ip, port, agent, app } = subscriber;
    lines.set(JSON.stringify([service.id, ip, port, agent, app]), subscriber);
  }
  return [...lines.values()];
}

/** The subscribers of an answer of v1. @throws Error when it is none */
function readSubscribers(answer: unknown): readonly ShownSubscriber[] {
  const { subscribers } = answer as { readonly subscribers?: unknown };
  if (!Array.isArray(subscribers)) throw new Error('found an answer without subscribers');
  return subscribers.slice(0, TAKEN_MAX).map((entry: Readonly<Record<string, unknown>>): ShownSubscriber => {
    const { group, name } = splitGroupedName(textOf(entry, 'serviceName'));
    return {
      service: serviceKey(textOf(entry, 'namespaceId'), group, name),
      ip: textOf(entry, 'ip'),
      port: typeof entry.port === 'number' ? entry.port : 0,
      agent: textOf(entry, 'agent'),
      app: textOf(entry, 'app'),
      clusters: textOf(entry, 'cluster'),
    };
  });
}

function textOf(entry: Readonly<Record<string, unknown>>, member: string): string {
  const value = entry[member];
  if (typeof value === 'string') return value;
  throw new Error(`found a subscriber without "${member}"`);
}

/** The network's own word where there is one. */
function reasonOf(error: unknown): string {
  const { cause, message } = error as { readonly cause?: NodeJS.ErrnoException; readonly message: string };
  return cause?.code ?? message;
}
