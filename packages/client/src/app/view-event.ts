// A change of a live view, and two of them joined for a reader who is slow.

import type { ServiceKey } from '@rollcall/protocol';
import { type Instance, instanceKey } from '../core/instance.js';
import type { InstanceChange } from '../core/instance-change.js';

/** A change of the list, with the list that it led to. */
export interface ViewEvent extends InstanceChange {
  readonly service: ServiceKey;
  /** The list after the change. */
  readonly instances: readonly Instance[];
  /** Where the list comes from: a server, the cache on disk, or a fail-over file. */
  readonly origin: 'server' | 'cache' | 'failover';
}

/** Two changes in a row as one: what came and went in between is in neither. */
export function mergeEvents(first: ViewEvent, second: ViewEvent): ViewEvent {
  const added = new Map(first.added.map((instance) => [instanceKey(instance), instance]));
  const removed = new Map(first.removed.map((instance) => [instanceKey(instance), instance]));
  const modified = new Map(first.modified.map((instance) => [instanceKey(instance), instance]));
  for (const instance of second.removed) {
    const key = instanceKey(instance);
    modified.delete(key);
    if (!added.delete(key)) removed.set(key, instance);
  }
  for (const instance of second.modified)
    (added.has(instanceKey(instance)) ? added : modified).set(instanceKey(instance), instance);
  for (const instance of second.added)
    (removed.delete(instanceKey(instance)) ? modified : added).set(instanceKey(instance), instance);
  return { ...second, added: [...added.values()], removed: [...removed.values()], modified: [...modified.values()] };
}
