// What a scenario is: a name, one sentence, and a run that gives figures and, when it broke, failures.
import type { Curve } from './curve.js';
import type { PeerSource } from './peer-server.js';
import type { FigureRow } from './round-table.js';

/** How a scenario is to be run. */
export interface BenchSetting {
  /** Rounds per contender, or repeated runs; at least 1. */
  readonly rounds: number;
  /** Length of one round in seconds, or of a steady load; above 0. */
  readonly seconds: number;
  /** `smoke` makes every amount small: it shows that the scenario works, its figures mean nothing. */
  readonly scale: 'full' | 'smoke';
  /** A Nacos-compatible server to compare with. */
  readonly peer: PeerSource | undefined;
  /** Progress, for people. */
  readonly log: (line: string) => void;
}

/** What a scenario found. */
export interface ScenarioReport {
  readonly rows: readonly FigureRow[];
  /** What went wrong; empty when the scenario worked. A slow result is no failure. */
  readonly failures: readonly string[];
  /** Figures over a number that grows, when it did. */
  readonly curves?: readonly Curve[];
}

/** One scenario. */
export interface Scenario {
  readonly name: string;
  /** One sentence for the list of scenarios. */
  readonly title: string;
  /** Rounds and seconds when none are asked for. */
  readonly defaults: { readonly rounds: number; readonly seconds: number };
  run(setting: BenchSetting): Promise<ScenarioReport>;
}
