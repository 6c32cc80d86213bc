// Records as the shared store holds them. Each transaction is marked with a key of its own below `op/`: which operation it was,
// and who made it. So every node knows who made a change, and a node that got no answer recognises its own.

import { type ServiceKey, serviceKey } from '@rollcall/protocol';
import type { Actor } from '../../../core/actor.js';
import { addressOf } from '../../../core/instance-address.js';
import type { StoreChange } from '../../../core/store-change.js';
import { changeOf, recordOf } from '../store-record.js';
import type { KeyEvent } from './key-value-store.js';

const OPERATION_PREFIX = 'op/';

/** One operation: its id, different from that of any other of any node, and who made it. */
export interface Operation {
  readonly id: string;
  readonly actor: Actor;
}

/** What a change writes. The value carries the id of the operation as its first member. */
export function writeOf(change: StoreChange, { id }: Operation): KeyEvent {
  const { key, json } = recordOf(change);
  return { key, value: json === undefined ? undefined : `{"op":${JSON.stringify(id)},${json.slice(1)}` };
}

/** Whether a key is the mark of an operation. */
export function isMark(key: string): boolean {
  return key.startsWith(OPERATION_PREFIX);
}

/** The mark of an operation. */
export function markOf({ id, actor }: Operation): { readonly key: string; readonly value: string } {
  return { key: OPERATION_PREFIX + id, value: JSON.stringify({ op: id, via: actor.via, address: actor.address }) };
}

/** Reads the value of a mark; undefined when somebody else wrote it. */
export function readOperation(value: string): Operation | undefined {
  const read = jsonObject(value) as { op?: unknown; via?: Actor['via']; address?: unknown } | undefined;
  if (typeof read?.op !== 'string' || typeof read.via !== 'string') return undefined;
  const { op: id, via, address } = read;
  return { id, actor: typeof address === 'string' ? { via, address } : { via } };
}

/** The change that set a value; undefined for what this version cannot read. */
export function readChange(value: string): StoreChange | undefined {
  try {
    return changeOf(value);
  } catch {
    return undefined;
  }
}

/** The change that removed a key; undefined for a key that is no record's. */
export function removalOf(key: string): StoreChange | undefined {
  const slash = key.indexOf('/');
  const parts = jsonObject(key.slice(slash + 1));
  if (slash < 1 || !Array.isArray(parts)) return undefined;
  const value = undefined;
  switch (key.slice(0, slash)) {
    case 'ns':
      return { type: 'namespace', id: parts[0], value };
    case 'svc':
      return { type: 'service', service: serviceOf(parts), value };
    case 'inst':
      return { type: 'persistent-instance', service: serviceOf(parts), address: placeOf(parts.slice(3)), value };
    case 'edit':
      return { type: 'edit', service: serviceOf(parts), kind: parts[3], address: placeOf(parts.slice(4)), value };
    case 'switch':
      return { type: 'switches', value };
    default:
      return undefined;
  }
}

/** Prefixes of the keys that must not exist when a change is made: what is deleted must be empty on all nodes. */
export function emptyBelow(change: StoreChange): readonly string[] {
  if (change.value !== undefined) return [];
  if (change.type === 'service') return [`inst/${openList(partsOf(change.service))}`];
  if (change.type === 'namespace') return [`svc/${openList([change.id])}`, `inst/${openList([change.id])}`];
  return [];
}

/** Key of the persistent instance that an edit is of, by the key of the edit; undefined for any other key. */
export function instanceKeyOf(key: string): string | undefined {
  const edit = key.startsWith('edit/') ? removalOf(key) : undefined;
  if (edit?.type !== 'edit' || edit.kind !== 'persistent') return undefined;
  const { service, address } = edit;
  return recordOf({ type: 'persistent-instance', service, address, value: undefined }).key;
}

/** A JSON list with its end left open, so that it is the beginning of all longer ones. */
function openList(parts: readonly string[]): string {
  return `${JSON.stringify(parts).slice(0, -1)},`;
}

function partsOf({ namespace, group, name }: ServiceKey): readonly string[] {
  return [namespace, group, name];
}

function serviceOf([namespace, group, name]: readonly string[]): ServiceKey {
  return serviceKey(namespace as string, group as string, name as string);
}

function placeOf([ip, port, cluster]: readonly unknown[]) {
  return addressOf(ip as string, port as number, cluster as string);
}

function jsonObject(text: string): unknown {
  try {
    const value: unknown = JSON.parse(text);
    return typeof value === 'object' && value !== null ? value : undefined;
  } catch {
    return undefined;
  }
}
