// Moves gRPC clients to other servers before this one stops: each is sent `ConnectResetRequest`, and new ones are told to
// look elsewhere. Clients connect to the other server first and leave this one then, so nothing of theirs is missing in
// between. Source: contract 6.4, 7; 2.5.1 ConnectResetRequest of its ConnectionManager.

import type { Clock, Logger, TimerHandle, Timers } from '@rollcall/runtime';
import type { MoveTarget } from '../operator/move-target.js';
import { sendConnectReset } from './connect-reset.js';
import type { GrpcConnection } from './grpc-connection.js';

/** All at once would be a storm on the servers that take them: 2,000 a second. */
const SLICE_CLIENTS = 100;
const SLICE_MS = 50;
/** How often a wait looks and reports. */
const LOOK_MS = 100;
const REPORT_MS = 1000;

/** How far a drain is. */
export interface DrainProgress {
  readonly draining: boolean;
  /** Epoch ms; undefined when there is no drain. */
  readonly startedAt: number | undefined;
  /** Clients that were asked to leave. */
  readonly asked: number;
  /** Clients that are still connected, by what they say they are. */
  readonly left: ReadonlyMap<string, number>;
}

/** The drain of one server. */
export class ConnectionDrain {
  readonly #connections: ReadonlyMap<string, GrpcConnection>;
  readonly #clock: Clock;
  readonly #timers: Timers;
  readonly #logger: Logger;
  readonly #asked = new Set<string>();
  #startedAt: number | undefined;
  #target: MoveTarget | undefined;
  #slices: TimerHandle | undefined;

  constructor(options: {
    readonly connections: ReadonlyMap<string, GrpcConnection>;
    readonly clock: Clock;
    readonly timers: Timers;
    readonly logger: Logger;
  }) {
    this.#connections = options.connections;
    this.#clock = options.clock;
    this.#timers = options.timers;
    this.#logger = options.logger;
  }

  /** Whether new clients are to look for another server. */
  get isDraining(): boolean {
    return this.#startedAt !== undefined;
  }

  /** Whether a connection was asked to leave in the drain that goes on. */
  hasAsked({ id }: GrpcConnection): boolean {
    return this.#asked.has(id);
  }

  /** Starts to move clients away; a drain that goes on asks those again who are still there. */
  begin(target: MoveTarget | undefined): void {
    this.#startedAt ??= this.#clock.now().wall;
    this.#target = target;
    this.#asked.clear();
    this.#logger.log('info', 'drain-started', { clients: this.#clients().length });
    this.#slices ??= this.#timers.every(SLICE_MS, () => this.#askSlice());
    this.#askSlice();
  }

  /** Ends the drain: new clients are welcome again. Those that were asked already go nevertheless. */
  end(): void {
    if (!this.isDraining) return;
    this.#startedAt = undefined;
    this.#slices?.cancel();
    this.#slices = undefined;
    this.#asked.clear();
    this.#logger.log('info', 'drain-ended', { left: this.#clients().length });
  }

  /** How far the drain is. */
  get progress(): DrainProgress {
    const left = new Map<string, number>();
    for (const { identity } of this.#clients()) {
      const version = identity?.version || 'unknown';
      left.set(version, (left.get(version) ?? 0) + 1);
    }
    return { draining: this.isDraining, startedAt: this.#startedAt, asked: this.#asked.size, left };
  }

  /**
   * Waits until all clients are gone, at most `waitMs`, and writes its progress to the log.
   *
   * @param canGo - whether there is another server for them; there is no use in waiting when not. True by default
   * @returns clients still there
   */
  untilEmpty(waitMs: number, canGo: () => boolean = () => true): Promise<number> {
    const startedAt = this.#clock.now().mono;
    let reportedMs = 0;
    return new Promise((resolve) => {
      const look = (): void => {
        const left = this.#clients().length;
        const waitedMs = this.#clock.now().mono - startedAt;
        if (left === 0 || waitedMs >= waitMs || !canGo()) {
          timer.cancel();
          resolve(left);
        } else if (waitedMs - reportedMs >= REPORT_MS) {
          reportedMs = waitedMs;
          this.#logger.log('info', 'drain-progress', { left, waitedMs: Math.round(waitedMs) });
        }
      };
      const timer = this.#timers.every(LOOK_MS, look);
      look();
    });
  }

  #askSlice(): void {
    let count = 0;
    for (const connection of this.#clients()) {
      if (this.#asked.has(connection.id)) continue;
      if (count === SLICE_CLIENTS) return;
      count += 1;
      this.#asked.add(connection.id);
      sendConnectReset(connection, this.#target);
    }
  }

  /** Connections that are set up; others find out by themselves that there is no way in. */
  #clients(): GrpcConnection[] {
    return [...this.#connections.values()].filter(({ identity }) => identity !== undefined);
  }
}
