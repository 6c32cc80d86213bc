// What a flow over a cluster is: something that happens to its nodes, and what clients must see meanwhile.
import type { ClusterScene } from './cluster-scene.js';
import type { Figure } from './figure.js';

/** One flow. */
export interface ClusterFlow {
  /** Number in the list of flows, for example `C3`. */
  readonly id: string;
  /** What must be seen, in one line. */
  readonly title: string;
  /** About how long it takes, in seconds. */
  readonly seconds: number;
  /** Whether the nodes share a store for what must be the same everywhere. */
  readonly needsStore?: boolean;
  /** Keeps figures in the scene; throws when it cannot go on. */
  run(scene: ClusterScene): Promise<void>;
}

/** How a flow ended: what it measured, and why it could not go on if it could not. */
export interface ClusterFlowResult {
  readonly flow: ClusterFlow;
  readonly figures: readonly Figure[];
  readonly seconds: number;
  /** Why it broke off; undefined when it came to its end. */
  readonly broken: string | undefined;
  /** What this machine lacks for it; it was not run then. */
  readonly skipped: string | undefined;
  /** For the search for a reason: refused beats, failed lists, and what the nodes printed. */
  readonly notes: readonly string[];
}
