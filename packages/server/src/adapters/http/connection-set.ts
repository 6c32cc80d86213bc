// All open connections of the HTTP side, looked at once a second: thousands of idle ones cost no timers of their own.

import type { Socket } from 'node:net';
import type { Clock, TimerHandle, Timers } from '@rollcall/runtime';

/** How often connections are looked at; every timeout of a connection is late or early by at most this. */
const SWEEP_MS = 1000;

/** One connection in the state it is in. */
export interface TrackedConnection {
  /** Closes the connection when it has exceeded one of its times. @param nowMs - the set's coarse clock */
  sweep(nowMs: number): void;
  /** Ends the connection as soon as the requests in progress are answered, at once when there are none. */
  finish(): void;
}

/** Holds the connections and the coarse clock that their times are measured by. */
export class ConnectionSet {
  readonly #clock: Clock;
  readonly #timers: Timers;
  readonly #tracked = new Map<Socket, TrackedConnection>();
  #timer: TimerHandle | undefined;

  /** Monotonic ms of the last sweep, at most one second old while there are connections. */
  nowMs = 0;
  /** Wall clock of the last sweep, epoch ms. */
  wallMs = 0;

  constructor(clock: Clock, timers: Timers) {
    this.#clock = clock;
    this.#timers = timers;
    this.#readClock();
  }

  /** Number of open connections. */
  get size(): number {
    return this.#tracked.size;
  }

  /** The open sockets. */
  sockets(): Iterable<Socket> {
    return this.#tracked.keys();
  }

  /** Tracks a connection, or replaces its state when it is tracked already. Sweeping starts with the first one. */
  set(socket: Socket, connection: TrackedConnection): void {
    if (this.#timer === undefined) {
      this.#readClock();
      this.#timer = this.#timers.every(SWEEP_MS, () => this.#sweep());
    }
    this.#tracked.set(socket, connection);
  }

  /** Forgets a closed connection. Sweeping stops with the last one. */
  delete(socket: Socket): void {
    this.#tracked.delete(socket);
    if (this.#tracked.size > 0) return;
    this.#timer?.cancel();
    this.#timer = undefined;
  }

  /** Asks all connections to end. */
  finishAll(): void {
    for (const connection of [...this.#tracked.values()]) connection.finish();
  }

  /** Cuts all connections that are open then. @param delayMs - ms from now */
  cutAfter(delayMs: number): TimerHandle {
    return this.#timers.once(delayMs, () => {
      for (const socket of [...this.#tracked.keys()]) socket.destroy();
    });
  }

  #sweep(): void {
    this.#readClock();
    for (const connection of this.#tracked.values()) connection.sweep(this.nowMs);
  }

  #readClock(): void {
    const { mono, wall } = this.#clock.now();
    this.nowMs = mono;
    this.wallMs = wall;
  }
}
