// What operators do with durable records.

import { serviceKey } from '@rollcall/protocol';
import { addressOf } from '@rollcall/server/internal';

/** Namespaces that operators work on. */
export const NAMESPACES = 2;
/** Services that operators work on; each is in one of the namespaces. */
export const SERVICES = 3;
/** Instances that operators work on. */
export const INSTANCES = 6;

/** A request of an operator at a node. For instances and edits `create` and `change` are the same: both set what there is. */
export interface StoreDeed {
  readonly record: 'namespace' | 'service' | 'instance' | 'edit';
  readonly which: number;
  readonly does: 'create' | 'change' | 'remove';
}

/** Id of a namespace. */
export function namespaceOf(which: number): string {
  return `space-${which % NAMESPACES}`;
}

/** A service of durable records only. */
export function serviceOf(which: number) {
  return serviceKey(namespaceOf(which), 'DEFAULT_GROUP', `stored-${which % SERVICES}`);
}

/** Address of an instance; its service is that of the same number. */
export function addressOfInstance(which: number) {
  return addressOf(`10.2.0.${(which % INSTANCES) + 1}`, 8080, 'DEFAULT');
}
