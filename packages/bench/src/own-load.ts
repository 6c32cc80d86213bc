// What the load generator itself costs: figures of a run whose generator was at its end are the generator's, not the server's.
import { type IntervalHistogram, monitorEventLoopDelay } from 'node:perf_hooks';
import type { FigureRow } from './round-table.js';

const RESOLUTION_MS = 5;

/** Watches this process from its making to {@link rows}. */
export class OwnLoad {
  readonly #delay: IntervalHistogram = monitorEventLoopDelay({ resolution: RESOLUTION_MS });
  readonly #cpuBefore = process.cpuUsage();
  readonly #startedAtMs = performance.now();

  constructor() {
    this.#delay.enable();
  }

  /** Ends the watch. @param contender - under whose load it was @returns share of one core, and how late this process was */
  rows(contender: string): readonly FigureRow[] {
    this.#delay.disable();
    const { user, system } = process.cpuUsage(this.#cpuBefore);
    const share = (user + system) / 1000 / (performance.now() - this.#startedAtMs);
    const lateMs = (this.#delay.percentile(99) || 0) / 1e6;
    const row = (figure: string, unit: string, value: number): FigureRow => ({
      figure,
      contender,
      unit,
      value: { median: value, min: value, max: value },
    });
    return [
      row('load generator: share of one core', '', share),
      row('load generator: event-loop delay p99', 'ms', lateMs),
    ];
  }
}
