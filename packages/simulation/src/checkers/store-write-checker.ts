// I12, what operators are told of their changes of the shared store: an acknowledged one was made once and its node shows it by
// then, a refused one was not made and never is, any other was made once or not; who creates something finds its place empty, so
// that of competing creates one succeeds, and who is told that it exists is told the truth.

import type { Revision } from '../store/revision-store.js';
import type { SharedStores } from '../store/shared-stores.js';
import { INSTANCES, serviceOf } from '../store/store-deed.js';
import { operationOfMark, operationText, type StoreOperation } from '../store/store-operation.js';
import {
  editKey,
  instanceKey,
  namespaceKey,
  StoredStates,
  storedServiceKey,
  type Writers,
} from '../store/stored-records.js';
import { type Checker, Violation } from './checker.js';

/** How often a change may have been made, by what its operator was told. */
const TIMES_MADE: Readonly<Record<StoreOperation['end'], readonly number[]>> = {
  acknowledged: [1],
  made: [1],
  refused: [0],
  'in-doubt': [0, 1],
  unanswered: [0, 1],
};

/** Keys of instances, by those of their edits. */
const EDITED: ReadonlyMap<string, string> = new Map(
  Array.from({ length: INSTANCES }, (_, which) => [editKey(which), instanceKey(which)]),
);

/** Compares answers with the store. */
export class StoreWriteChecker implements Checker {
  readonly rule = 'I12';
  readonly #stores: SharedStores;
  readonly #states: StoredStates;
  /** Transactions of each operation, as far as the log of the store was read. */
  readonly #madeBy = new Map<number, Revision[]>();
  #read = 0;

  constructor(stores: SharedStores) {
    this.#stores = stores;
    this.#states = new StoredStates(stores.service.data);
  }

  onOperationEnd(operation: StoreOperation): void {
    if (operation.end !== 'acknowledged') return;
    const made = this.#made().get(operation.number)?.[0];
    const store = [...this.#stores.open].find(({ node }) => node.index === operation.node);
    const known = store?.shared.figures.revision ?? 0;
    if (made !== undefined && known < made.revision)
      this.#fail(`${operationText(operation)} was made at revision ${made.revision}, and its node knows ${known}`);
  }

  atEnd(): void {
    const made = this.#made();
    for (const operation of this.#stores.operations) {
      const revisions = made.get(operation.number) ?? [];
      this.#checkTimes(operation, revisions);
      for (const revision of revisions) this.#checkCondition(operation, revision);
      this.#checkRefusal(operation);
    }
  }

  /** Transactions of each operation. */
  #made(): ReadonlyMap<number, readonly Revision[]> {
    const { log } = this.#stores.service.data;
    for (; this.#read < log.length; this.#read += 1) this.#note(log[this.#read] as Revision);
    return this.#madeBy;
  }

  #note(revision: Revision): void {
    const marks = revision.events.filter(({ key }) => key.startsWith('op/'));
    // A mark alone says that its operation will not be made.
    if (marks.length === revision.events.length) return;
    for (const { value } of marks) {
      const number = value === undefined ? undefined : operationOfMark(value);
      if (number !== undefined) this.#madeBy.set(number, [...(this.#madeBy.get(number) ?? []), revision]);
      else if (value !== undefined) this.#checkForgotten(revision);
    }
  }

  /** What nobody asked for is that edits are forgotten: only when their instances are gone. */
  #checkForgotten({ revision, events }: Revision): void {
    const before = this.#states.at(revision - 1);
    for (const { key } of events) {
      const instance = EDITED.get(key);
      if (instance === undefined || !before.has(instance)) continue;
      this.#fail(`${key} was forgotten at revision ${revision}, when ${instance} was there`);
    }
  }

  #checkTimes(operation: StoreOperation, revisions: readonly Revision[]): void {
    const { end, planned } = operation;
    const allowed = end === 'acknowledged' && planned === 0 ? [0] : TIMES_MADE[end];
    if (allowed.includes(revisions.length)) return;
    if (end === 'acknowledged' && revisions.length === 0 && this.#foundNothing(operation)) return;
    const at = revisions.map(({ revision }) => revision).join(' and ');
    this.#fail(
      `${operationText(operation)} was made ${revisions.length} times${at === '' ? '' : `, at revision ${at}`}`,
    );
  }

  /** A removal may find that there is nothing to remove. */
  #foundNothing(operation: StoreOperation): boolean {
    return (
      operation.deed.does === 'remove' && this.#statesDuring(operation).some((state) => !state.has(keyOf(operation)))
    );
  }

  #checkCondition(operation: StoreOperation, { revision }: Revision): void {
    const { record, does, which } = operation.deed;
    const before = this.#states.at(revision - 1);
    const key = keyOf(operation);
    const writer = before.get(key);
    if (does === 'create' && (record === 'namespace' || record === 'service') && writer !== undefined)
      this.#fail(`${operationText(operation)} made ${key} at revision ${revision} over that of operation ${writer}`);
    if (does === 'change' && record === 'namespace' && writer === undefined)
      this.#fail(`${operationText(operation)} changed ${key} at revision ${revision}, which was not there`);
    if (does === 'remove' && record === 'service' && hasInstances(before, which))
      this.#fail(`${operationText(operation)} removed ${key} at revision ${revision}, which had instances`);
  }

  /** "There is one" is said only where there was one. */
  #checkRefusal(operation: StoreOperation): void {
    const { deed, end, text } = operation;
    if (deed.record !== 'namespace' || deed.does !== 'create' || end !== 'refused' || text !== '') return;
    if (!this.#statesDuring(operation).some((state) => state.has(keyOf(operation))))
      this.#fail(`${operationText(operation)} was told that ${keyOf(operation)} exists, which nobody had made`);
  }

  /** What the store held from what the node knew when it was asked until it answered; all before, when it knew nothing yet. */
  #statesDuring({ knownRevision, endRevision }: StoreOperation): Writers[] {
    return this.#states.between(Math.max(1, knownRevision), endRevision ?? this.#stores.service.data.revision);
  }

  #fail(found: string): never {
    throw new Violation(this.rule, found);
  }
}

function keyOf({ deed: { record, which } }: StoreOperation): string {
  switch (record) {
    case 'namespace':
      return namespaceKey(which);
    case 'service':
      return storedServiceKey(which);
    case 'instance':
      return instanceKey(which);
    case 'edit':
      return editKey(which);
  }
}

function hasInstances(state: Writers, which: number): boolean {
  const { id } = serviceOf(which);
  for (let other = 0; other < INSTANCES; other += 1)
    if (serviceOf(other).id === id && state.has(instanceKey(other))) return true;
  return false;
}
