// A shared store in memory with the faults of a real one: no answer before or after the effect, a watch that tells late,
// breaks or comes too late, and a store that was replaced. Several nodes connect to one.

import type {
  Compare,
  KeyEvent,
  KeyValue,
  KeyValueStore,
  Listing,
  Transaction,
  TransactionOutcome,
  WatchEnd,
  WatchListener,
} from '../adapters/store/shared/key-value-store.js';

/**
 * What happens to the next transaction: nothing special, it is not made, it is made or not without an answer, or it is made after the next
 * one has been answered, or once held ones are let through.
 */
export type TransactionFault =
  | 'none'
  | 'unavailable'
  | 'unknown-done'
  | 'unknown-not-done'
  | 'unknown-late'
  | 'unknown-held'
  | 'refused';

interface Revision {
  readonly revision: number;
  readonly events: readonly KeyEvent[];
}

interface FakeWatch {
  readonly listener: WatchListener;
  next: number;
}

/** What nodes share. */
export class FakeKeyValues {
  /** While false nothing answers and no watch stays. */
  reachable = true;
  /** While true watches tell nothing. */
  late = false;
  /** While set, answers to transactions wait for it; their effects do not. */
  answers: Promise<unknown> | undefined;
  /** Identity that listings carry. */
  store = '1';
  /** Faults of the next transactions, the first first. */
  readonly faults: TransactionFault[] = [];
  /** Everything that was ever written, transaction by transaction. */
  readonly log: (readonly KeyEvent[])[] = [];
  readonly #values = new Map<string, KeyValue>();
  readonly #history: Revision[] = [];
  readonly #watches = new Set<FakeWatch>();
  #compacted = 0;
  #revision = 1;
  #delayed: Transaction | undefined;
  #held: Transaction[] = [];

  get revision(): number {
    return this.#revision;
  }

  /** A node's connection. @param name - for messages */
  connect(name = 'fake://store'): KeyValueStore {
    return {
      name,
      transact: async (transaction) => {
        const outcome = this.#transact(transaction);
        await this.answers;
        return outcome;
      },
      list: async () => this.#list(),
      watch: (fromRevision, listener) => this.#watch(fromRevision, listener),
      close: () => undefined,
    };
  }

  /** Forgets history up to now; watches that are behind end. */
  compact(): void {
    this.#compacted = this.#revision;
    this.#history.length = 0;
    for (const watch of [...this.#watches]) this.#serve(watch);
  }

  /** Ends all watches. */
  breakWatches(): void {
    for (const watch of [...this.#watches]) this.#end(watch, { type: 'lost', reason: 'the watch broke' });
  }

  /** Goes on after {@link late}. */
  tell(): void {
    this.late = false;
    for (const watch of [...this.#watches]) this.#serve(watch);
  }

  /** Lets transactions through that were held. */
  letThrough(): void {
    const held = this.#held;
    this.#held = [];
    for (const transaction of held) this.#make(transaction);
  }

  /** Goes back to an empty store, as one that was made anew. */
  reset(): void {
    this.#values.clear();
    this.#history.length = 0;
    this.#revision = 1;
  }

  #transact(transaction: Transaction): TransactionOutcome {
    if (!this.reachable) return { state: 'unavailable', reason: 'no connection' };
    const fault = this.faults.shift();
    switch (fault) {
      case 'unavailable':
      case 'refused':
        return { state: fault, reason: `fault "${fault}"` };
      case 'unknown-late':
        this.#delayed = transaction;
        return { state: 'unknown', reason: 'no answer in time' };
      case 'unknown-held':
        this.#held.push(transaction);
        return { state: 'unknown', reason: 'no answer in time' };
      case 'unknown-not-done':
        return { state: 'unknown', reason: 'no answer in time' };
      case 'unknown-done':
        this.#make(transaction);
        return { state: 'unknown', reason: 'no answer in time' };
      default: {
        const outcome = this.#make(transaction);
        if (this.#delayed !== undefined) this.#make(this.#delayed);
        this.#delayed = undefined;
        return outcome;
      }
    }
  }

  #make({ compares, writes: records, mark }: Transaction): TransactionOutcome {
    const isMade = mark !== undefined && this.#values.has(mark.key);
    const writes = mark === undefined ? records : [...records, mark];
    if (isMade || !compares.every((compare) => this.#holds(compare)))
      return { state: 'conflict', revision: this.#revision };
    this.#revision += 1;
    const revision = this.#revision;
    for (const { key, value } of writes) {
      if (value === undefined) this.#values.delete(key);
      else this.#values.set(key, { key, value, modRevision: revision });
    }
    this.#history.push({ revision, events: writes });
    this.log.push(writes);
    // As over a network: watches hear of it later than whoever made it, or earlier.
    queueMicrotask(() => {
      for (const watch of [...this.#watches]) this.#serve(watch);
    });
    return { state: 'written', revision };
  }

  #holds(compare: Compare): boolean {
    if (compare.type === 'unchanged') return (this.#values.get(compare.key)?.modRevision ?? 0) === compare.modRevision;
    return ![...this.#values.keys()].some((key) => key.startsWith(compare.prefix));
  }

  #list(): Listing {
    if (!this.reachable) throw new Error('no connection');
    return { store: this.store, revision: this.#revision, entries: [...this.#values.values()] };
  }

  #watch(fromRevision: number, listener: WatchListener): () => void {
    const watch: FakeWatch = { listener, next: fromRevision };
    this.#watches.add(watch);
    queueMicrotask(() => {
      if (!this.#watches.has(watch)) return;
      if (!this.reachable) return this.#end(watch, { type: 'lost', reason: 'no connection' });
      listener.onStarted({ store: this.store, revision: this.#revision });
      this.#serve(watch);
    });
    return () => void this.#watches.delete(watch);
  }

  #serve(watch: FakeWatch): void {
    if (this.late || !this.reachable) return;
    if (watch.next <= this.#compacted) {
      this.#end(watch, { type: 'compacted', reason: `revision ${watch.next} is compacted` });
      return;
    }
    for (const { revision, events } of this.#history) {
      if (revision < watch.next || !this.#watches.has(watch)) continue;
      watch.next = revision + 1;
      watch.listener.onEvents(revision, events);
    }
  }

  #end(watch: FakeWatch, end: WatchEnd): void {
    if (this.#watches.delete(watch)) watch.listener.onEnded(end);
  }
}
