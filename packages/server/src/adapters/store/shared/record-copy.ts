// What this node knows of the shared store: the revision up to which it has everything, and which revision set each record.
// The records themselves are in the core. The revision never goes back.

import type { StoreChange } from '../../../core/store-change.js';
import { recordOf } from '../store-record.js';
import type { Compare, KeyEvent, Listing, StorePosition, Transaction } from './key-value-store.js';
import {
  emptyBelow,
  instanceKeyOf,
  isMark,
  markOf,
  type Operation,
  readChange,
  readOperation,
  removalOf,
  writeOf,
} from './shared-record.js';

const REFERENCE_ORDER: readonly StoreChange['type'][] = [
  'namespace',
  'service',
  'persistent-instance',
  'edit',
  'switches',
];

/** What entered the copy together, with the operation that caused it, as far as that is known. */
export interface CopyStep {
  readonly changes: readonly StoreChange[];
  readonly operation?: Operation | undefined;
}

/** A transaction of this node, and the ids by which its effects are recognised. */
export interface PlannedTransaction extends Transaction {
  readonly operation: Operation;
}

/** The copy. Filled by listings and events, asked by commits. */
export class RecordCopy {
  /** Revision that set a record, or the text of a record that was only read from the copy on disk. */
  readonly #known = new Map<string, number | string>();
  #store: string | undefined;
  #revision = 0;

  /** Everything up to this revision is in the copy; 0 before the first listing. */
  get revision(): number {
    return this.#revision;
  }

  /** Records in the copy. */
  get size(): number {
    return this.#known.size;
  }

  /** Takes a record that was saved on disk earlier; the first listing decides about it. */
  remember(change: StoreChange): void {
    const { key, json } = recordOf(change);
    if (json !== undefined) this.#known.set(key, json);
  }

  /** Why a store cannot be the one that was copied: it is another, or it is behind the copy. */
  problemOf({ store, revision }: StorePosition): string | undefined {
    if (this.#store !== undefined && store !== this.#store) {
      return `found another store (id ${store}) than before (id ${this.#store})`;
    }
    if (revision < this.#revision) return `found revision ${revision}, but ${this.#revision} was seen before`;
    return undefined;
  }

  /**
   * Takes everything that the store holds, and finds the difference.
   *
   * @returns the difference, or why the listing cannot be taken: it is older than the copy, or of another store
   */
  takeListing({ store, revision, entries }: Listing): CopyStep | { readonly refused: string } {
    const refused = this.problemOf({ store, revision });
    if (refused !== undefined) return { refused };
    const gone = new Set(this.#known.keys());
    const present = new Set(entries.map(({ key }) => key));
    const changes: StoreChange[] = [];
    for (const { key, value, modRevision } of entries) {
      if (isMark(key)) continue;
      gone.delete(key);
      // An edit without its instance is told anew: the instance may have been there meanwhile, and the time after it begins again.
      const isNews = this.#isNews(key, value, modRevision) || !present.has(instanceKeyOf(key) ?? key);
      if (isNews) pushDefined(changes, readChange(value));
      this.#known.set(key, modRevision);
    }
    for (const key of gone) {
      this.#known.delete(key);
      pushDefined(changes, removalOf(key));
    }
    this.#store = store;
    this.#revision = revision;
    return { changes: changes.sort(byReference) };
  }

  /** Takes the events of one revision; undefined when the copy has that revision already. */
  takeEvents(revision: number, events: readonly KeyEvent[]): CopyStep | undefined {
    if (revision <= this.#revision) return undefined;
    const changes: StoreChange[] = [];
    let operation: Operation | undefined;
    for (const { key, value } of events) {
      if (isMark(key)) {
        if (value !== undefined) operation = readOperation(value);
        continue;
      }
      if (value === undefined) this.#known.delete(key);
      else this.#known.set(key, revision);
      pushDefined(changes, value === undefined ? removalOf(key) : readChange(value));
    }
    this.#revision = revision;
    return { changes, operation };
  }

  /**
   * The transaction that makes changes, on condition that the copy is right about their records.
   *
   * @returns undefined when there is nothing to write: removals of records that are not there
   */
  transactionOf(changes: readonly StoreChange[], operation: Operation): PlannedTransaction | undefined {
    const writes = new Map<string, KeyEvent>();
    const compares = new Map<string, Compare>();
    for (const change of changes) {
      const write = writeOf(change, operation);
      const { key } = write;
      const modRevision = this.#revisionOf(key);
      if (write.value === undefined && modRevision === 0 && !writes.has(key)) continue;
      // A record that is changed twice is written once, as the last change leaves it.
      writes.set(key, write);
      compares.set(key, { type: 'unchanged', key, modRevision });
      // An edit that is forgotten after its instance: not when that is back, and this node has not heard of it.
      const instance = write.value === undefined ? instanceKeyOf(key) : undefined;
      if (instance !== undefined && this.#revisionOf(instance) === 0) {
        compares.set(instance, { type: 'unchanged', key: instance, modRevision: 0 });
      }
      for (const prefix of emptyBelow(change)) compares.set(prefix, { type: 'none-below', prefix });
    }
    if (writes.size === 0) return undefined;
    return {
      operation,
      compares: [...compares.values()],
      writes: [...writes.values()],
      mark: markOf(operation),
    };
  }

  /** Whether compares hold in the copy. */
  holds(compares: readonly Compare[]): boolean {
    return compares.every((compare) => {
      if (compare.type === 'unchanged') return this.#revisionOf(compare.key) === compare.modRevision;
      for (const key of this.#known.keys()) if (key.startsWith(compare.prefix)) return false;
      return true;
    });
  }

  #revisionOf(key: string): number {
    const known = this.#known.get(key);
    return typeof known === 'number' ? known : 0;
  }

  #isNews(key: string, value: string, modRevision: number): boolean {
    const known = this.#known.get(key);
    if (typeof known !== 'string') return known !== modRevision;
    const change = readChange(value);
    return change !== undefined && recordOf(change).json !== known;
  }
}

function pushDefined<T>(list: T[], item: T | undefined): void {
  if (item !== undefined) list.push(item);
}

/** Records that others refer to come first, and go last. */
function byReference(a: StoreChange, b: StoreChange): number {
  return placeOf(a) - placeOf(b);
}

function placeOf({ type, value }: StoreChange): number {
  return value === undefined ? -REFERENCE_ORDER.indexOf(type) : 1 + REFERENCE_ORDER.indexOf(type);
}
