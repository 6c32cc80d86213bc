// What one run of the bench found, as it is written and drawn.
import type { MachineShape } from './machine-shape.js';
import type { ScenarioReport } from './scenario.js';

/** The report of a run. */
export interface BenchResult {
  readonly machine: MachineShape;
  /** By name, in the order in which they ran. */
  readonly scenarios: Readonly<Record<string, ScenarioReport>>;
}
