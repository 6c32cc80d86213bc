// The store that all nodes of a cluster share, behind the store port. Reads come from this node's copy and never wait.
// A write is a transaction on condition that nobody changed its records since this node heard of them; it is acknowledged
// when the store has taken it and this node's copy shows it. No answer does not mean no effect: the same transaction is
// sent a second time, which cannot happen twice, and the operation id says whose effect it was that made it fail. A failure
// is final: before it is reported, a try that may still arrive is kept out.
// Source: cluster specification 7.6.

import { RegistryError } from '@rollcall/protocol';
import { after, type Clock, type Instant, type Logger, type Timers } from '@rollcall/runtime';
import { type Actor, SERVER } from '../../../core/actor.js';
import type { StoreChange } from '../../../core/store-change.js';
import type { CommitOutcome, DurableStore, StoreLane, StoreListener } from '../durable-store.js';
import { recordOf } from '../store-record.js';
import type { KeyEvent, KeyValueStore, Listing } from './key-value-store.js';
import { type CopyStep, type PlannedTransaction, RecordCopy } from './record-copy.js';
import { StoreFollower } from './store-follower.js';

/** How often a transaction is sent; each time at most the 3 s of a call. */
const TRIES = 2;
/** The last one is sent within this after the first: marks stay longer, also when this process stands still in between. */
const TRYING_MS_MAX = 20_000;
/** Longest wait for the copy to show what the store has. */
const COPY_MS_MAX = 1200;
/** For so long after a store did not answer, changes are refused without trying. */
const AWAY_MS = 1000;

/** What the store needs to work. */
export interface SharedStoreOptions {
  readonly keyValues: KeyValueStore;
  /** Keeps the copy over a restart, so that a node which starts while the store is away has what was there. */
  readonly copyOnDisk: Pick<DurableStore, 'load' | 'commit' | 'close'>;
  readonly clock: Clock;
  readonly timers: Timers;
  readonly logger: Logger;
  /** Different for each run of each node: begins the ids of operations. */
  readonly run: string;
}

/** For metrics. */
export interface SharedStoreFigures {
  /** Whether the copy follows the store. */
  readonly ready: boolean;
  /** Up to which revision the copy has everything. */
  readonly revision: number;
  readonly records: number;
}

/** What is known of a change that failed. */
type Effect = keyof typeof EFFECT_TEXTS;

const EFFECT_TEXTS = {
  'not-made': 'Change was not made',
  'in-doubt': 'It is not known whether the change was made (lists show it once it was)',
} as const;

/** Somebody who waits for the copy. */
interface Waiter {
  readonly isMet: () => boolean;
  readonly resolve: () => void;
}

/** A {@link DurableStore} on keys and values that nodes share. */
export class SharedStore implements DurableStore {
  readonly #options: SharedStoreOptions;
  readonly #copy = new RecordCopy();
  readonly #follower: StoreFollower;
  readonly #waiters = new Set<Waiter>();
  /** Operations of this node under way; true once the copy has shown one. */
  readonly #pending = new Map<string, boolean>();
  #listener: StoreListener = () => undefined;
  /** What the copy on disk lacks, and the work on it while there is any. */
  #unsaved = new Map<string, StoreChange>();
  #saving: Promise<void> | undefined;
  #operations = 0;
  /** Set while the store is another than the one that was listed first, or older. */
  #foreign: string | undefined;
  #away: { readonly until: Instant; readonly error: RegistryError } | undefined;

  constructor(options: SharedStoreOptions) {
    this.#options = options;
    this.#follower = new StoreFollower({
      ...options,
      revision: () => this.#copy.revision,
      listener: {
        onListing: (listing) => this.#takeListing(listing),
        onEvents: (revision, events) => this.#takeEvents(revision, events),
        problemOf: (at) => this.#copy.problemOf(at),
        onFollowing: () => {
          this.#away = undefined;
          this.#foreign = undefined;
          this.#wake();
        },
      },
    });
  }

  /** Figures of now. */
  get figures(): SharedStoreFigures {
    return { ready: this.#follower.following, revision: this.#copy.revision, records: this.#copy.size };
  }

  *load(): Generator<StoreChange> {
    for (const change of this.#options.copyOnDisk.load()) {
      this.#copy.remember(change);
      yield change;
    }
    this.#follower.start();
  }

  follow(listener: StoreListener): void {
    this.#listener = listener;
  }

  laneOf(): StoreLane {
    return 'shared';
  }

  async commit(changes: readonly StoreChange[], actor: Actor): Promise<CommitOutcome> {
    if (this.#away !== undefined && this.#now < this.#away.until) throw this.#away.error;
    if (this.#foreign !== undefined) {
      throw this.#failed(`is not the one that this node follows: ${this.#foreign}; a restart takes it as it is`);
    }
    if (!this.#follower.listed) {
      await this.#untilListed();
      // What was planned before this node knew the store may be wrong about what stands there.
      return 'conflict';
    }
    const id = `${this.#options.run}.${++this.#operations}`;
    const transaction = this.#copy.transactionOf(changes, { id, actor });
    if (transaction === undefined) return 'written';
    this.#pending.set(id, false);
    try {
      return await this.#make(transaction);
    } finally {
      this.#pending.delete(id);
    }
  }

  async close(): Promise<void> {
    this.#follower.stop();
    this.#options.keyValues.close();
    await this.#saving;
    await this.#options.copyOnDisk.close();
  }

  get #now(): Instant {
    return this.#options.clock.now().mono;
  }

  async #make(transaction: PlannedTransaction): Promise<CommitOutcome> {
    const { operation, compares } = transaction;
    let effect: Effect = 'not-made';
    let reason = '';
    const until = after(this.#now, TRYING_MS_MAX);
    let tries = 0;
    while (tries < TRIES && this.#now < until) {
      tries += 1;
      const outcome = await this.#options.keyValues.transact(transaction);
      switch (outcome.state) {
        case 'written':
          await this.#untilCopy(() => this.#copy.revision >= outcome.revision, 'The change was made');
          return 'written';
        case 'conflict':
          // Whatever broke the condition reaches the copy too, an earlier try of this operation among it. The revision
          // alone would not do: it may be that of a change which is none of ours, so that no event comes.
          await this.#untilCopy(
            () => this.#copy.revision >= outcome.revision || !this.#copy.holds(compares),
            `${EFFECT_TEXTS[effect]}: another node was first`,
          );
          if (this.#pending.get(operation.id) === true) return 'written';
          return effect === 'not-made' ? 'conflict' : this.#preventLateTry(transaction);
        case 'refused':
          throw this.#failed(`refuses the change: ${outcome.reason}`, effect);
        default:
          // The copy may have shown it while the answer was waited for.
          if (this.#pending.get(operation.id) === true) return 'written';
          if (outcome.state === 'unknown') effect = 'in-doubt';
          reason = outcome.reason;
      }
    }
    this.#away = {
      until: after(this.#now, AWAY_MS),
      error: this.#failed(`does not answer (tried before: ${reason})`),
    };
    throw this.#failed(`does not answer (tried ${tries} times: ${reason})`, effect);
  }

  /**
   * Another node was first, but an earlier try without an answer may still arrive, and find its condition met once that node's
   * record is gone. The mark of the operation, written alone, keeps it out; when it is there already, that try was made.
   */
  async #preventLateTry({ operation, mark }: PlannedTransaction): Promise<CommitOutcome> {
    const outcome = await this.#options.keyValues.transact({ compares: [], writes: [], ...(mark && { mark }) });
    switch (outcome.state) {
      case 'written':
        return 'conflict';
      case 'conflict':
        await this.#untilCopy(() => this.#pending.get(operation.id) === true, 'The change was made');
        return 'written';
      default:
        throw this.#failed(`does not answer (${outcome.reason})`, 'in-doubt');
    }
  }

  #failed(found: string, effect: Effect = 'not-made'): RegistryError {
    const message = `${EFFECT_TEXTS[effect]}: the store "${this.#options.keyValues.name}" ${found}`;
    return new RegistryError('storage-failed', message);
  }

  async #untilListed(): Promise<void> {
    if (await this.#waitFor(() => this.#follower.listed)) return;
    throw this.#failed(`was not read yet: ${this.#follower.problem}`);
  }

  /** @param state - how things are when the copy does not come that far in time */
  async #untilCopy(isMet: () => boolean, state: string): Promise<void> {
    if (await this.#waitFor(isMet)) return;
    const found = `this node has not heard of it from the store "${this.#options.keyValues.name}" within ${COPY_MS_MAX} ms`;
    this.#follower.renew('told nothing of a change that was made');
    throw new RegistryError('storage-failed', `${state}, but ${found}`);
  }

  #waitFor(isMet: () => boolean): Promise<boolean> {
    if (isMet()) return Promise.resolve(true);
    return new Promise((resolve) => {
      const end = (met: boolean) => {
        timer.cancel();
        this.#waiters.delete(waiter);
        resolve(met);
      };
      const waiter = { isMet, resolve: () => end(true) };
      const timer = this.#options.timers.once(COPY_MS_MAX, () => end(false));
      this.#waiters.add(waiter);
    });
  }

  #takeListing(listing: Listing): string | undefined {
    const step = this.#copy.takeListing(listing);
    if ('refused' in step) {
      this.#noteForeign(step.refused);
      return step.refused;
    }
    // The history between is not known, but the last operation of each record stands in its value.
    for (const { value } of listing.entries) this.#notePending(/^\{"op":"([^"]*)"/.exec(value)?.[1]);
    this.#tell(step);
    return undefined;
  }

  #noteForeign(reason: string): void {
    const { keyValues, logger } = this.#options;
    if (this.#foreign === undefined) logger.log('error', 'store-foreign', { store: keyValues.name, reason });
    this.#foreign = reason;
  }

  #takeEvents(revision: number, events: readonly KeyEvent[]): void {
    const step = this.#copy.takeEvents(revision, events);
    if (step === undefined) return;
    this.#notePending(step.operation?.id);
    this.#tell(step);
  }

  #notePending(id: string | undefined): void {
    if (id !== undefined && this.#pending.has(id)) this.#pending.set(id, true);
  }

  #tell({ changes, operation }: CopyStep): void {
    if (changes.length > 0) {
      this.#listener(changes, operation?.actor ?? SERVER);
      this.#save(changes);
    }
    this.#wake();
  }

  /** Who waits goes on after what it waited for has entered the core. */
  #wake(): void {
    for (const waiter of [...this.#waiters]) if (waiter.isMet()) waiter.resolve();
  }

  #save(changes: readonly StoreChange[]): void {
    for (const change of changes) this.#unsaved.set(recordOf(change).key, change);
    this.#saving ??= this.#saveAll().finally(() => {
      this.#saving = undefined;
    });
  }

  async #saveAll(): Promise<void> {
    while (this.#unsaved.size > 0) {
      const changes = [...this.#unsaved.values()];
      this.#unsaved.clear();
      try {
        await this.#options.copyOnDisk.commit(changes, SERVER);
      } catch (error) {
        // The store has it; only a start while it is away would miss it.
        this.#options.logger.log('warn', 'store-copy-not-saved', { reason: String(error) });
      }
    }
  }
}
