// What the metrics of one page are read from: the sources, and what was counted for this page alone.

import type { Now } from '@rollcall/runtime';
import type { Figures } from '../operator/process-figures.js';
import type { MetricSources } from './metric-sources.js';
import type { RegistryFigures } from './registry-figures.js';

/** One reading. */
export interface MetricReading extends MetricSources {
  /** When it was taken. */
  readonly at: Now;
  readonly registry: RegistryFigures;
  readonly machine: Figures;
}
