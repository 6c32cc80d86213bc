// What probes did since the start, as plain numbers: probes only add, metrics read.

import type { HealthChecker } from '@rollcall/protocol';
import type { ProbeOutcome } from './probe-outcome.js';

/** Checkers that probe. */
export type ProbeType = Exclude<HealthChecker['type'], 'NONE'>;

/** Counters since the start. */
export class ProbeCounters {
  /** Findings by checker: the counts of `tcpHealthCheck` and its like in Nacos. */
  readonly probes: Record<ProbeType, number> = { TCP: 0, HTTP: 0, MYSQL: 0 };
  /** Findings by what was found. */
  readonly outcomes: Record<ProbeOutcome['type'], number> = {
    ok: 0,
    timeout: 0,
    refused: 0,
    'sql-error': 0,
    'bad-status': 0,
    error: 0,
    'not-probed': 0,
  };
  /** Instances that probes made healthy, and unhealthy. */
  readonly flips = { healthy: 0, unhealthy: 0 };
  /** Time that probes took, ms in all. */
  tookMs = 0;

  /** One more finding. */
  count(type: ProbeType, outcome: ProbeOutcome): void {
    this.probes[type] += 1;
    this.outcomes[outcome.type] += 1;
    this.tookMs += outcome.ms;
  }
}
