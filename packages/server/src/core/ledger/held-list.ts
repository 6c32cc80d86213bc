// The list that a subscriber held at a moment: the newest version it had been told by then, made by taking back every later
// change from the present list. What the bounds have dropped cannot be taken back, and is said so.

import type { Fact, InstanceFact } from './fact.js';
import { isInstanceFact, isSubscriberFact } from './fact.js';

/** One instance as a list showed it. */
export interface HeldInstance {
  readonly ip: string;
  readonly port: number;
  readonly cluster: string;
  readonly kind: 'ephemeral' | 'persistent';
  readonly healthy: boolean;
  readonly enabled: boolean;
  readonly weight: number;
}

/** What is asked. */
export interface HeldListQuestion {
  /** Name or address of the subscriber. */
  readonly subscriber: string;
  readonly facts: readonly Fact[];
  /** As `Fact.at`. */
  readonly at: number;
  /** Time of the newest fact that the bounds dropped, as `Fact.at`; 0 when none was. */
  readonly droppedUntil: number;
  /** The list now. */
  readonly present: readonly HeldInstance[];
  /** What the registry knows of the subscriber now, for those that were told before the history begins. */
  readonly known?: { readonly version: number; readonly clusters: string } | undefined;
}

/** What it held. */
export interface HeldList {
  /** Epoch ms; 0 when it is not known to have been told any list. */
  readonly version: number;
  readonly how: 'pushed' | 'polled' | 'unknown';
  /** When it was told, as `Fact.at`; null when that is not known. */
  readonly since: number | null;
  readonly clusters: string;
  /** Enabled ones in its clusters. */
  readonly instances: readonly HeldInstance[];
  /** Whether nothing that is needed was dropped. */
  readonly complete: boolean;
}

/** Finds it. */
export function heldList(question: HeldListQuestion): HeldList {
  const { facts, at, droppedUntil, known } = question;
  const own = facts.filter(
    (fact) => isSubscriberFact(fact) && (fact.subscriber === question.subscriber || fact.ip === question.subscriber),
  );
  const told = own.findLast(
    (fact) => fact.at <= at && (fact.type === 'push-acknowledged' || fact.type === 'list-polled'),
  );
  const fact = told !== undefined && isSubscriberFact(told) ? told : undefined;
  const last = own.at(-1);
  const clusters = known?.clusters ?? (last !== undefined && isSubscriberFact(last) ? last.clusters : '');
  const version = fact?.version ?? known?.version ?? 0;
  const how = fact === undefined ? 'unknown' : fact.type === 'list-polled' ? 'polled' : 'pushed';
  const isIn = (cluster: string) => clusters === '' || clusters.split(',').includes(cluster);
  const listed = version === 0 ? [] : listAt(question, version);
  return {
    version,
    how,
    since: fact?.at ?? null,
    clusters,
    instances: listed.filter(({ enabled, cluster }) => enabled && isIn(cluster)),
    complete: version > 0 && droppedUntil < version,
  };
}

function listAt({ facts, present }: HeldListQuestion, version: number): HeldInstance[] {
  const list = new Map(present.map((instance) => [keyOf(instance), instance]));
  const changes = facts.filter((fact): fact is InstanceFact => isInstanceFact(fact) && fact.cause !== undefined);
  for (let i = changes.length - 1; i >= 0; i -= 1) {
    const change = changes[i] as InstanceFact;
    if (change.version <= version) continue;
    const key = keyOf(change);
    const before = changes.slice(0, i).findLast((fact) => keyOf(fact) === key);
    if (change.type === 'instance-registered') list.delete(key);
    else list.set(key, heldInstance(before ?? change, before === undefined ? undone(change) : {}));
  }
  return [...list.values()].sort((a, b) => (keyOf(a) < keyOf(b) ? -1 : 1));
}

/** What was before a change of health is known even when nothing older is. */
function undone({ type }: InstanceFact): Partial<HeldInstance> {
  if (type === 'instance-unhealthy') return { healthy: true };
  return type === 'instance-healthy' ? { healthy: false } : {};
}

function heldInstance(fact: InstanceFact, other: Partial<HeldInstance>): HeldInstance {
  const { ip, port, cluster, kind, healthy, enabled, weight } = fact;
  return { ip, port, cluster, kind, healthy, enabled, weight, ...other };
}

function keyOf({ kind, ip, port, cluster }: HeldInstance): string {
  return `${kind}/${ip}#${port}#${cluster}`;
}
