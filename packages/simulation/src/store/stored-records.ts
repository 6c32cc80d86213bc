// Durable records as a checker compares them: who wrote each, by the key that it has in the store. Once from what the store
// wrote, revision by revision, once from what a registry shows.

import { changeOf, type RegistryCore, recordOf, type StoreChange } from '@rollcall/server/internal';
import { EDIT_WEIGHT, WRITER } from './operators.js';
import { FIRST_REVISION, type Revision, type RevisionStore } from './revision-store.js';
import { addressOfInstance, INSTANCES, NAMESPACES, namespaceOf, SERVICES, serviceOf } from './store-deed.js';

/** Number of the operation that wrote a record, by key of the store. */
export type Writers = ReadonlyMap<string, string>;

/** What stood in the store at each of its revisions. */
export class StoredStates {
  readonly #data: RevisionStore;
  readonly #states: Writers[] = [new Map()];

  constructor(data: RevisionStore) {
    this.#data = data;
  }

  /** The records at a revision; those of the first revision when it is 0. */
  at(revision: number): Writers {
    const { log } = this.#data;
    for (let next = this.#states.length; next <= log.length; next += 1)
      this.#states.push(stateAfter(this.#states.at(-1) as Writers, log[next - 1] as Revision));
    return this.#states[Math.max(0, revision - FIRST_REVISION)] as Writers;
  }

  /** All states from one revision to another, both included. */
  between(from: number, to: number): Writers[] {
    return Array.from({ length: to - from + 1 }, (_, index) => this.at(from + index));
  }
}

function stateAfter(before: Writers, { events }: Revision): Writers {
  const state = new Map(before);
  for (const { key, value } of events) {
    const change = value === undefined ? undefined : changeOf(value);
    if (value === undefined) state.delete(key);
    else if (change !== undefined) state.set(key, writerOf(change));
  }
  return state;
}

function writerOf({ type, value }: StoreChange): string {
  switch (type) {
    case 'namespace':
      return value?.name ?? '';
    case 'service':
      return value?.metadata.get(WRITER) ?? '';
    case 'persistent-instance':
      return value?.registered.metadata.get(WRITER) ?? '';
    case 'edit':
      return String((value?.weight ?? 0) - EDIT_WEIGHT);
    case 'switches':
      return '';
  }
}

/** Key of a namespace in the store. */
export function namespaceKey(which: number): string {
  return recordOf({ type: 'namespace', id: namespaceOf(which), value: undefined }).key;
}

/** Key of a service. */
export function storedServiceKey(which: number): string {
  return recordOf({ type: 'service', service: serviceOf(which), value: undefined }).key;
}

/** Key of an instance. */
export function instanceKey(which: number): string {
  return recordOf({ type: 'persistent-instance', ...placeOf(which), value: undefined }).key;
}

/** Key of an operator's edit of an instance. */
export function editKey(which: number): string {
  return recordOf({ type: 'edit', kind: 'persistent', ...placeOf(which), value: undefined }).key;
}

function placeOf(which: number) {
  return { service: serviceOf(which), address: addressOfInstance(which) };
}

const PLACES = Array.from({ length: INSTANCES }, (_, which) => ({
  ...placeOf(which),
  instance: instanceKey(which),
  edit: editKey(which),
}));
const SERVICE_PLACES = Array.from({ length: SERVICES }, (_, which) => ({
  id: serviceOf(which).id,
  key: storedServiceKey(which),
}));
const NAMESPACE_PLACES = Array.from({ length: NAMESPACES }, (_, which) => ({
  id: namespaceOf(which),
  key: namespaceKey(which),
}));

/** What a registry shows, and what edits it has of instances that are gone. */
export function writersShown(core: RegistryCore): Map<string, string> {
  const shown = new Map<string, string>();
  const note = (key: string, writer: string | undefined) => {
    if (writer !== undefined) shown.set(key, writer);
  };
  for (const { id, key } of NAMESPACE_PLACES) note(key, core.namespaces.get(id)?.name);
  for (const { id, key } of SERVICE_PLACES) note(key, core.service(id)?.definition.metadata.get(WRITER));
  for (const { service, address, instance, edit } of PLACES) {
    const record = core.instance(service.id, 'persistent', address.key);
    note(instance, record?.registered.metadata.get(WRITER));
    const weight = (record === undefined ? core.edit(service.id, 'persistent', address.key) : record.overlay)?.weight;
    if (weight !== undefined) shown.set(edit, String(weight - EDIT_WEIGHT));
  }
  return shown;
}
