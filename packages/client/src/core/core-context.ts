// What the parts of the client's core share.

import type { AlarmClock } from './alarm-clock.js';
import type { BackOffSettings } from './back-off.js';
import type { CallLane } from './call-lane.js';
import type { ClientEffectSink } from './client-effect.js';

/** Choices of the caller that the core needs. */
export interface CoreSettings {
  /** Waits between tries to register or to follow. Default 1 s to 30 s. */
  readonly backOff: BackOffSettings;
  /** Longest time between two polls of a list, ms. Default 60000, as the Java client. */
  readonly pollLongestMs: number;
  /** `keep` ignores lists without a usable host, `accept` takes them. Default `accept`. */
  readonly emptyLists: 'accept' | 'keep';
}

/** Settings of a client that is not configured otherwise. */
export const DEFAULT_CORE_SETTINGS: CoreSettings = {
  backOff: { firstMs: 1000, longestMs: 30_000 },
  pollLongestMs: 60_000,
  emptyLists: 'accept',
};

/** The way to the servers as it is now. */
export interface Session {
  /** Counts connections, from 1; 0 before the first. Stays 1 without connections. */
  number: number;
  /** Whether calls can be sent. */
  state: 'open' | 'closed';
  /** `unknown` until a server was found. */
  keeping: 'unknown' | 'beats' | 'connection';
}

/** Shared by the parts of one core. */
export interface CoreContext {
  readonly sink: ClientEffectSink;
  readonly lane: CallLane;
  readonly clock: AlarmClock;
  /** Changed by the core only. */
  readonly session: Session;
  readonly settings: CoreSettings;
  /** Uniform in [0, 1). */
  readonly random: () => number;
}
