// I3: every content that a reader sees comes from a write that some node took, or from an operator's edit over it, and nothing
// in it is made up.

import type { EditLog } from '../edit-log.js';
import type { OperationLog } from '../operation-log.js';
import type { SimKey } from '../sim-key.js';
import { metadataText } from '../view-watch.js';
import { nameOf } from '../world.js';
import { type Checker, type Shown, type ViewChange, Violation } from './checker.js';

/** Checks where contents come from. */
export class OriginChecker implements Checker {
  readonly rule = 'I3';
  readonly #log: OperationLog;
  readonly #edits: EditLog;

  constructor(log: OperationLog, edits: EditLog) {
    this.#log = log;
    this.#edits = edits;
  }

  onView({ node, key, after }: ViewChange): void {
    const fault = after && this.#faultOf(key, after);
    if (fault !== undefined) throw new Violation(this.rule, `node ${node} shows ${nameOf(key)} with ${fault}`);
  }

  #faultOf(key: SimKey, after: Shown): string | undefined {
    const operation = this.#log.find(after.operation);
    if (operation === undefined) return `a content that nobody wrote (${after.operation ?? 'without a name'})`;
    if (operation.key !== key) return `the content of ${nameOf(operation.key)} (${operation.name})`;
    if (operation.arrivals.length === 0) return `${operation.name}, which no node has taken`;
    if (operation.content === undefined) return `${operation.name}, which is a deregistration`;
    const { weight, enabled, metadata } = operation.content;
    if (weight !== after.weight && this.#edits.ofWeight(after.weight)?.key !== key)
      return `weight ${after.weight}, ${operation.name} says ${weight}`;
    if (enabled !== after.enabled) return `enabled ${after.enabled}, ${operation.name} says ${enabled}`;
    const written = metadataText(metadata);
    return written === after.metadata ? undefined : `metadata ${after.metadata}, ${operation.name} says ${written}`;
  }
}
