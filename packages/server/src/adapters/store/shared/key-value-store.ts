// What a shared store must do below records: keys and values with revisions, transactions with compares, and a watch. etcd
// does it, and a fake with faults for tests. Source: etcd v3 API; cluster specification 7.6.

/** A value with the revision that set it; revisions count the transactions of the whole store. */
export interface KeyValue {
  readonly key: string;
  readonly value: string;
  readonly modRevision: number;
}

/** A key that was set, or (without value) removed. */
export interface KeyEvent {
  readonly key: string;
  readonly value: string | undefined;
}

/** What must hold for a transaction to be made. `unchanged` with revision 0: there is no such key. */
export type Compare =
  | { readonly type: 'unchanged'; readonly key: string; readonly modRevision: number }
  | { readonly type: 'none-below'; readonly prefix: string };

/** Writes that happen together, or not at all when a compare fails. */
export interface Transaction {
  readonly compares: readonly Compare[];
  readonly writes: readonly KeyEvent[];
  /**
   * A key that says that this was made: it is written along, goes by itself after some minutes, and while it is there the
   * same cannot be made again, by a second try or by one that arrives late.
   */
  readonly mark?: { readonly key: string; readonly value: string };
}

/**
 * How a transaction ended. `conflict`: a compare failed at that revision. `refused`: the store will not make it, now or
 * later. `unavailable`: it was not made, the store could not be reached. `unknown`: it may have been made, or may be later.
 */
export type TransactionOutcome =
  | { readonly state: 'written' | 'conflict'; readonly revision: number }
  | { readonly state: 'refused' | 'unavailable' | 'unknown'; readonly reason: string };

/** How far which store is. */
export interface StorePosition {
  /** Identity of the store; another one has a history of its own. */
  readonly store: string;
  readonly revision: number;
}

/** Everything that the store held at a revision. */
export interface Listing extends StorePosition {
  readonly entries: readonly KeyValue[];
}

/** Why a watch ended. `compacted`: what it wanted to see is forgotten; list again. `lost`: watch again from where it was. */
export interface WatchEnd {
  readonly type: 'compacted' | 'lost';
  readonly reason: string;
}

/** Takes what a watch sees. */
export interface WatchListener {
  /** The watch is in place. @param at - how far the store is, at least where the watch is */
  onStarted(at: StorePosition): void;
  /** All events of one revision, in order of revisions. */
  onEvents(revision: number, events: readonly KeyEvent[]): void;
  /** Comes once, unless the watch was closed. */
  onEnded(end: WatchEnd): void;
}

/** A store below records. Keys are those of `recordOf`; a root above them is the store's own business. */
export interface KeyValueStore {
  /** Name for messages, as the operator gave it. */
  readonly name: string;
  /** Makes a transaction; ends within the deadline of a call (3 s). Never rejects. */
  transact(transaction: Transaction): Promise<TransactionOutcome>;
  /** Reads everything at one revision. @throws Error whose message says what was found */
  list(): Promise<Listing>;
  /** Watches all keys. @param fromRevision - the first that is wanted. @returns ends the watch */
  watch(fromRevision: number, listener: WatchListener): () => void;
  /** Gives connections back. */
  close(): void;
}
