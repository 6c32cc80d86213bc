// What became of all beats of a flow.
import type { CallOutcome } from './cluster-calls.js';

const EXAMPLES_KEPT = 5;

/** Counts of beats. */
export class BeatAccount {
  beats = 0;
  /** Tries that a node refused or did not answer in 3 s. */
  refusedTries = 0;
  /** Beats that no node took. */
  refusedByAll = 0;
  /** Answers 20404: the node does not know the instance. */
  unknown = 0;
  /** Slowest beat with all its tries, in milliseconds. */
  slowestMs = 0;
  /** Some of the refusals, in words. */
  readonly examples: string[] = [];

  /** Adds a beat. */
  add({ body, refusals, durationMs }: CallOutcome): void {
    this.beats += 1;
    this.refusedTries += refusals.length;
    if (body === undefined) this.refusedByAll += 1;
    this.slowestMs = Math.max(this.slowestMs, durationMs);
    if (body === undefined) this.examples.push(...refusals.slice(0, Math.max(0, EXAMPLES_KEPT - this.examples.length)));
  }

  /** Begins anew. */
  clear(): void {
    this.beats = 0;
    this.refusedTries = 0;
    this.refusedByAll = 0;
    this.unknown = 0;
    this.slowestMs = 0;
    this.examples.length = 0;
  }
}
