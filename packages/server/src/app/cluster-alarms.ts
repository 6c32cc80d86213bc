// Alarms of the core: each is counted; the log has the first of a kind, then at most one per minute with how many were left
// out, since what a peer gets wrong it often says again each second.

import type { Clock, Logger } from '@rollcall/runtime';
import type { AlarmKind } from '../core/replication/alarm-kind.js';

const AGAIN_MS = 60_000;

/** Counts and logs them. */
export class ClusterAlarms {
  /** Alarms since the start. */
  readonly counts: Record<AlarmKind, number> = {
    'digest-mismatch': 0,
    'two-runs': 0,
    'clock-ahead': 0,
    limit: 0,
    'too-many-sets': 0,
    'not-admitted': 0,
    'epoch-leap': 0,
  };
  readonly #clock: Clock;
  readonly #logger: Logger;
  /** What was logged last of a kind: when, and the count then. */
  readonly #logged = new Map<AlarmKind, { readonly at: number; readonly count: number }>();

  constructor(clock: Clock, logger: Logger) {
    this.#clock = clock;
    this.#logger = logger;
  }

  /** Takes one. @param message - what was found */
  raise(kind: AlarmKind, message: string): void {
    this.counts[kind] += 1;
    const at = this.#clock.now().mono;
    const count = this.counts[kind];
    const last = this.#logged.get(kind);
    if (last !== undefined && at - last.at < AGAIN_MS) return;
    this.#logged.set(kind, { at, count });
    const leftOut = count - 1 - (last?.count ?? 0);
    this.#logger.log('error', 'cluster-alarm', { kind, message, ...(leftOut > 0 && { leftOut }) });
  }
}
