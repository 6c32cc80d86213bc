// Follows a shared store: lists it once, then watches from there. A watch that is lost goes on from where it was; one that
// comes too late for the store's memory (compaction) begins with a new listing.

import type { Logger, TimerHandle, Timers } from '@rollcall/runtime';
import type { KeyEvent, KeyValueStore, Listing, StorePosition, WatchEnd } from './key-value-store.js';

/** Pause before the next try: doubled with each failure, from the first to the last. */
const PAUSE_MS_MIN = 100;
const PAUSE_MS_MAX = 3000;

/** What a follower tells. */
export interface FollowerListener {
  /** @returns why the listing cannot be taken, if so; it is read again later */
  onListing(listing: Listing): string | undefined;
  onEvents(revision: number, events: readonly KeyEvent[]): void;
  /** Why a store is not the one that was listed, if so; it is listed again. */
  problemOf(at: StorePosition): string | undefined;
  /** The watch is in place: from now on changes come as they are made. */
  onFollowing(): void;
}

/** What a follower works with. */
export interface FollowerOptions {
  readonly keyValues: KeyValueStore;
  readonly timers: Timers;
  readonly logger: Logger;
  readonly listener: FollowerListener;
  /** Up to where everything is known. */
  readonly revision: () => number;
}

/** Keeps following until it is stopped. */
export class StoreFollower {
  readonly #options: FollowerOptions;
  #pauseMs = PAUSE_MS_MIN;
  #pause: TimerHandle | undefined;
  #endWatch: (() => void) | undefined;
  #listed = false;
  #following = false;
  #stopped = false;
  #lossLogged = false;
  #problem = 'not reached yet since the start';

  constructor(options: FollowerOptions) {
    this.#options = options;
  }

  /** Whether changes come as they are made. */
  get following(): boolean {
    return this.#following;
  }

  /** Whether everything has been read once. */
  get listed(): boolean {
    return this.#listed;
  }

  /** Why it is not following. */
  get problem(): string {
    return this.#problem;
  }

  /** Begins. */
  start(): void {
    if (!this.#listed) void this.#list();
    else this.#watch();
  }

  /** Opens the watch again: it told nothing although something had happened. */
  renew(reason: string): void {
    if (!this.#following) return;
    this.#endWatch?.();
    this.#onLost({ type: 'lost', reason });
  }

  stop(): void {
    this.#stopped = true;
    this.#following = false;
    this.#pause?.cancel();
    this.#endWatch?.();
  }

  async #list(): Promise<void> {
    let problem: string | undefined;
    try {
      const listing = await this.#options.keyValues.list();
      if (this.#stopped) return;
      problem = this.#options.listener.onListing(listing);
    } catch (error) {
      problem = (error as Error).message;
    }
    if (this.#stopped) return;
    if (problem === undefined) {
      this.#listed = true;
      this.#watch();
    } else this.#onLost({ type: 'compacted', reason: problem });
  }

  #watch(): void {
    const { keyValues, listener, revision } = this.#options;
    this.#endWatch = keyValues.watch(revision() + 1, {
      onStarted: (at) => this.#onStarted(at),
      onEvents: (at, events) => listener.onEvents(at, events),
      onEnded: (end) => this.#onLost(end),
    });
  }

  #onStarted(at: StorePosition): void {
    const { logger, keyValues, listener, revision } = this.#options;
    const reason = listener.problemOf(at);
    if (reason !== undefined) {
      this.#endWatch?.();
      this.#onLost({ type: 'compacted', reason });
      return;
    }
    this.#following = true;
    this.#lossLogged = false;
    this.#pauseMs = PAUSE_MS_MIN;
    this.#problem = '';
    logger.log('info', 'store-followed', { store: keyValues.name, revision: revision() });
    listener.onFollowing();
  }

  /** Said once for each time that it is lost, not at each try. */
  #onLost({ type, reason }: WatchEnd): void {
    const { logger, keyValues, timers } = this.#options;
    if (!this.#lossLogged) logger.log('warn', 'store-lost', { store: keyValues.name, reason });
    this.#lossLogged = true;
    this.#following = false;
    this.#problem = reason;
    this.#endWatch = undefined;
    const next = () => (type === 'compacted' ? void this.#list() : this.start());
    this.#pause = timers.once(this.#pauseMs, next);
    this.#pauseMs = Math.min(PAUSE_MS_MAX, this.#pauseMs * 2);
  }
}
