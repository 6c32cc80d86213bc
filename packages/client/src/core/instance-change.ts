// What changed between two lists of one service. Content decides, never a time stamp: the same hosts in another order, or
// with metadata keys in another order, are no change. Source: Nacos 2.4 InstancesDiff; bug reports on lost and needless events.
// A server keeps the order of its list, so that most lists have the addresses of the one before at the same places; then no
// address needs to be looked up.

import { type Instance, instanceKey, isSameAddress, isSameContent } from './instance.js';

/** The difference between two lists; at least one part is not empty. */
export interface InstanceChange {
  /** Addresses that were not there before. */
  readonly added: readonly Instance[];
  /** Addresses that are gone, as they were last. */
  readonly removed: readonly Instance[];
  /** Addresses whose weight, health, switch or metadata changed, as they are now. */
  readonly modified: readonly Instance[];
}

/** A list joined with the one before it. */
export interface MergedList {
  /** The new list; objects that did not change are those of the old list. */
  readonly instances: readonly Instance[];
  /** Undefined when nothing changed; then `instances` is the old list itself. */
  readonly change: InstanceChange | undefined;
}

/**
 * Finds the difference.
 *
 * @param before - the list in force, each address once
 * @param next - the list that came in; of equal addresses the last wins
 */
export function mergeInstances(before: readonly Instance[], next: readonly Instance[]): MergedList {
  return hasSameAddresses(before, next) ? mergeByPlace(before, next) : mergeByKey(before, next);
}

function hasSameAddresses(before: readonly Instance[], next: readonly Instance[]): boolean {
  return before.length === next.length && before.every((known, place) => isSameAddress(known, next[place] as Instance));
}

function mergeByPlace(before: readonly Instance[], next: readonly Instance[]): MergedList {
  const modified: Instance[] = [];
  const instances = before.map((known, place) => {
    const instance = next[place] as Instance;
    if (isSameContent(known, instance)) return known;
    modified.push(instance);
    return instance;
  });
  if (modified.length === 0) return { instances: before, change: undefined };
  return { instances, change: { added: [], removed: [], modified } };
}

function mergeByKey(before: readonly Instance[], next: readonly Instance[]): MergedList {
  const old = new Map(before.map((instance) => [instanceKey(instance), instance]));
  const current = new Map<string, Instance>();
  for (const instance of next) current.set(instanceKey(instance), instance);
  const added: Instance[] = [];
  const modified: Instance[] = [];
  for (const [key, instance] of current) {
    const known = old.get(key);
    if (known === undefined) added.push(instance);
    else if (isSameContent(known, instance)) current.set(key, known);
    else modified.push(instance);
    old.delete(key);
  }
  if (added.length === 0 && modified.length === 0 && old.size === 0) return { instances: before, change: undefined };
  return { instances: [...current.values()], change: { added, removed: [...old.values()], modified } };
}
