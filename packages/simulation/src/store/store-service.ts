// The store as nodes reach it: it may have no quorum, no room, slow watches, and answers that are not heard. All of that is
// switched on and off by deeds; when it hits whom is drawn from the seed.

import type { Transaction, TransactionOutcome } from '@rollcall/server/internal';
import type { EventQueue } from '../event-queue.js';
import type { SeededRandom } from '../seeded-random.js';
import { later } from './node-process.js';
import { RevisionStore } from './revision-store.js';

/** How long a mark stays, at least and at most: longer than any transaction is under way here. */
const MARK_MS = 30_000;
const MARK_ROUND_MS = 10_000;
/** What waits for a quorum is made once there is one with this probability, else it is lost. */
const KEPT_SHARE = 0.5;

/** What can be wrong with all of the store. */
export type StoreTrouble = 'no-quorum' | 'no-room' | 'unknown-outcomes' | 'late-watches';

/** Somebody who follows the store and is told of each thing that happens to it. */
export interface StoreWatcher {
  /** Something was written. */
  onWritten(): void;
  /** The store lost its quorum: it ends all watches. */
  onQuorumLost(): void;
  /** Whatever was wrong may be right again. */
  onBetter(): void;
}

/** The store and what is wrong with it. */
export class StoreService {
  readonly queue: EventQueue;
  readonly random: SeededRandom;
  readonly data = new RevisionStore();
  readonly watchers = new Set<StoreWatcher>();
  readonly #troubles = new Set<StoreTrouble>();
  #waiting: (() => void)[] = [];

  constructor(queue: EventQueue, random: SeededRandom) {
    this.queue = queue;
    this.random = random;
    this.#endMarksInTime();
  }

  /** Whether something is wrong at present. */
  has(trouble: StoreTrouble): boolean {
    return this.#troubles.has(trouble);
  }

  /** Something goes wrong. */
  begin(trouble: StoreTrouble): void {
    this.#troubles.add(trouble);
    if (trouble === 'no-quorum') for (const watcher of [...this.watchers]) watcher.onQuorumLost();
  }

  /** It is right again. */
  end(trouble: StoreTrouble): void {
    if (!this.#troubles.delete(trouble)) return;
    const waiting = this.#waiting;
    if (trouble === 'no-quorum') this.#waiting = [];
    if (trouble === 'no-quorum') for (const make of waiting) if (this.random.chance(KEPT_SHARE)) make();
    for (const watcher of [...this.watchers]) watcher.onBetter();
  }

  /** Everything is right again. */
  heal(): void {
    for (const trouble of [...this.#troubles]) this.end(trouble);
  }

  /** A transaction has arrived. @returns undefined while there is no answer: without quorum it waits, and may be made later */
  take(transaction: Transaction): TransactionOutcome | undefined {
    if (this.has('no-room')) return { state: 'refused', reason: 'there is no room' };
    if (this.has('no-quorum')) {
      this.#waiting.push(() => void this.#make(transaction));
      return undefined;
    }
    return this.#make(transaction);
  }

  #make(transaction: Transaction): TransactionOutcome {
    const outcome = this.data.transact(transaction, this.queue.now);
    if (outcome.state === 'written') this.#tell();
    return outcome;
  }

  #tell(): void {
    for (const watcher of [...this.watchers]) watcher.onWritten();
  }

  #endMarksInTime(): void {
    later(this.queue, MARK_ROUND_MS, () => {
      const { revision } = this.data;
      if (!this.has('no-quorum')) this.data.endMarks(this.queue.now - MARK_MS, this.queue.now);
      if (this.data.revision > revision) this.#tell();
      this.#endMarksInTime();
    });
  }
}
