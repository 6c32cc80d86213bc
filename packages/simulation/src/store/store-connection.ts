// The store as the process of one node calls it: over a path that may end calls before and after their effect. An answer comes
// within 3 s or the outcome is unknown, as with the etcd client.

import type { KeyValueStore, Listing, Transaction, TransactionOutcome, WatchListener } from '@rollcall/server/internal';
import { later, type NodeProcess } from './node-process.js';
import type { PathUser, StorePath } from './store-path.js';
import type { StoreService, StoreWatcher } from './store-service.js';
import { StoreWatch } from './store-watch.js';

/** Longest wait for an answer. */
const CALL_MS_MAX = 3000;
const NO_ANSWER = `no answer within ${CALL_MS_MAX} ms`;
const WAY_MS_MAX = 5;
/** What was sent into a silent path comes through when it is mended, with this probability. */
const RESENT_SHARE = 0.5;
const FAILED_LISTING_SHARE = 0.3;
/** A request that nobody waits for any more may still arrive after this. */
const LATE_MS_MIN = 100;
const LATE_MS_MAX = 12_000;

/** What becomes of a request and of its answer while outcomes are unknown. */
type Fate = 'sound' | 'request-lost' | 'answer-lost' | 'late' | 'reset-before' | 'reset-after';

const FATES: readonly Fate[] = [
  'sound',
  'sound',
  'request-lost',
  'answer-lost',
  'late',
  'late',
  'reset-before',
  'reset-after',
];

/** A transaction under way. */
interface Call {
  readonly transaction: Transaction;
  readonly answer: (outcome: TransactionOutcome) => void;
}

/** The connection of one process. */
export class StoreConnection implements KeyValueStore, PathUser, StoreWatcher {
  readonly name = 'simulated store';
  readonly #process: NodeProcess;
  readonly #path: StorePath;
  readonly #service: StoreService;
  readonly #calls = new Set<Call>();
  readonly #listings = new Set<(reason: string) => void>();
  readonly #watches = new Set<StoreWatch>();
  /** Calls that wait in a silent path. */
  #stuck: Call[] = [];

  constructor(process: NodeProcess, path: StorePath, service: StoreService) {
    this.#process = process;
    this.#path = path;
    this.#service = service;
    path.add(this);
    service.watchers.add(this);
  }

  transact(transaction: Transaction): Promise<TransactionOutcome> {
    return new Promise((resolve) => {
      const answer = (outcome: TransactionOutcome) => {
        if (this.#calls.delete(call)) this.#process.resume(() => resolve(outcome));
      };
      const call: Call = { transaction, answer };
      this.#calls.add(call);
      if (!this.#path.isConnected) {
        this.#later(1, () => answer({ state: 'unavailable', reason: 'no connection' }));
        return;
      }
      this.#later(CALL_MS_MAX, () => answer({ state: 'unknown', reason: NO_ANSWER }));
      this.#send(call, this.#drawFate());
    });
  }

  list(): Promise<Listing> {
    return new Promise((resolve, reject) => {
      const fail = (reason: string) => {
        if (this.#listings.delete(fail)) this.#process.resume(() => reject(new Error(reason)));
      };
      this.#listings.add(fail);
      if (!this.#path.isConnected) return this.#later(1, () => fail('no connection'));
      this.#later(CALL_MS_MAX, () => fail(NO_ANSWER));
      this.#later(this.#way(), () => {
        if (this.#path.state !== 'open' || this.#service.has('no-quorum')) return;
        if (this.#service.has('unknown-outcomes') && this.#service.random.chance(FAILED_LISTING_SHARE))
          return fail('connection reset');
        const listing = this.#service.data.list();
        this.#answerLater(() => {
          if (this.#listings.delete(fail)) this.#process.resume(() => resolve(listing));
        });
      });
    });
  }

  watch(fromRevision: number, listener: WatchListener): () => void {
    const over = () => void this.#watches.delete(watch);
    const [process, path, service] = [this.#process, this.#path, this.#service];
    const watch = new StoreWatch(fromRevision, { process, path, service, listener, over });
    this.#watches.add(watch);
    if (!this.#path.isConnected) this.#later(1, () => watch.end({ type: 'lost', reason: 'no connection' }));
    return () => watch.close();
  }

  close(): void {
    this.leave();
  }

  /** The process has ended. */
  leave(): void {
    this.#path.remove(this);
    this.#service.watchers.delete(this);
    for (const watch of [...this.#watches]) watch.close();
  }

  onWritten(): void {
    for (const watch of this.#watches) watch.advance();
  }

  onQuorumLost(): void {
    this.breakWatches('no leader');
  }

  onBetter(): void {
    this.onWritten();
  }

  /** All watches end. */
  breakWatches(reason: string): void {
    for (const watch of [...this.#watches]) watch.end({ type: 'lost', reason });
  }

  onBroken(reason: string): void {
    this.#stuck = [];
    for (const { answer } of [...this.#calls]) answer({ state: 'unknown', reason });
    for (const fail of [...this.#listings]) fail(reason);
    this.breakWatches(reason);
  }

  onMended(): void {
    const stuck = this.#stuck;
    this.#stuck = [];
    for (const call of stuck) if (this.#service.random.chance(RESENT_SHARE)) this.#arrive(call, 'sound');
    this.onWritten();
  }

  #drawFate(): Fate {
    return this.#service.has('unknown-outcomes') ? this.#service.random.pick(FATES) : 'sound';
  }

  #send(call: Call, fate: Fate): void {
    if (fate === 'late') {
      this.#later(this.#service.random.integer(LATE_MS_MIN, LATE_MS_MAX), () => this.#arrive(call, fate));
      if (this.#service.random.chance(RESENT_SHARE)) this.#reset(call);
    } else if (fate === 'reset-before') this.#reset(call);
    else if (fate !== 'request-lost') this.#later(this.#way(), () => this.#arrive(call, fate));
  }

  #reset({ answer }: Call): void {
    this.#later(this.#way(), () => answer({ state: 'unknown', reason: 'connection reset' }));
  }

  /** A request comes to the store. */
  #arrive(call: Call, fate: Fate): void {
    if (this.#path.state === 'silent') this.#stuck.push(call);
    if (this.#path.state !== 'open') return;
    const outcome = this.#service.take(call.transaction);
    if (fate === 'reset-after') this.#reset(call);
    else if (outcome !== undefined && fate === 'sound') this.#answerLater(() => call.answer(outcome));
  }

  /** An answer gets through only while the path is open. */
  #answerLater(action: () => void): void {
    this.#later(this.#way(), () => {
      if (this.#path.state === 'open') action();
    });
  }

  #later(ms: number, action: () => void): void {
    later(this.#service.queue, ms, action);
  }

  #way(): number {
    return this.#service.random.integer(1, WAY_MS_MAX);
  }
}
