// The way between a node's machine and the store. It outlives processes.

import { later } from './node-process.js';
import type { StoreService } from './store-service.js';

/** A connection that brings nothing is given up after this (keepalive of the etcd client: 10 s and 3 s). */
const DEAD_MS = 13_000;

/**
 * `refused`: connections end, and no new one comes about. `silent`: nothing comes through any more and nobody says so, as when
 * a cable is pulled; what was sent comes through when it is put back, unless the connection was given up before.
 */
export type PathState = 'open' | 'refused' | 'silent';

/** Who uses a path. */
export interface PathUser {
  /** Its connection has ended. */
  onBroken(reason: string): void;
  /** What was sent comes through now. */
  onMended(): void;
}

/** A path. */
export class StorePath {
  readonly #service: StoreService;
  readonly #users = new Set<PathUser>();
  #state: PathState = 'open';
  /** Whether there is a connection; a silent path keeps it for a while. */
  #isConnected = true;
  #changes = 0;

  constructor(service: StoreService) {
    this.#service = service;
  }

  get state(): PathState {
    return this.#state;
  }

  /** Whether something can be sent, wherever it may end. */
  get isConnected(): boolean {
    return this.#isConnected;
  }

  /** Tells somebody what becomes of the path. */
  add(user: PathUser): void {
    this.#users.add(user);
  }

  /** The process of a user has ended. */
  remove(user: PathUser): void {
    this.#users.delete(user);
  }

  /** The path becomes another one. */
  set(state: PathState): void {
    if (state === this.#state) return;
    this.#state = state;
    this.#changes += 1;
    if (state === 'open') this.#mend();
    else if (state === 'refused') this.#break('connection refused');
    else this.#breakUnlessMended(this.#changes);
  }

  #breakUnlessMended(change: number): void {
    later(this.#service.queue, DEAD_MS, () => {
      if (this.#changes === change) this.#break('keepalive timeout');
    });
  }

  #break(reason: string): void {
    this.#isConnected = false;
    for (const user of [...this.#users]) user.onBroken(reason);
  }

  #mend(): void {
    this.#isConnected = true;
    for (const user of [...this.#users]) user.onMended();
  }
}
