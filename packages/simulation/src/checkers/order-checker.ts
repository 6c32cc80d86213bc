// I5: of two writes that passed the same node, or of which the later one was made knowing the earlier, the earlier never
// wins: a node that has shown or taken the later one does not go back. For leases over HTTP; a connection's publications
// are ordered by the connection.

import type { Operation } from '../operation.js';
import type { OperationLog } from '../operation-log.js';
import type { SimKey } from '../sim-key.js';
import { nameOf } from '../world.js';
import { type Checker, type ViewChange, Violation } from './checker.js';

/** Checks that no node goes back to an overruled content. */
export class OrderChecker implements Checker {
  readonly rule = 'I5';
  readonly #log: OperationLog;
  readonly #isChecked: (key: SimKey) => boolean;
  /** What each run of a node has taken or shown, by `node/run/key`, and up to which arrival. */
  readonly #known = new Map<string, Map<Operation, number>>();

  /** @param isChecked - whether a key is held by a lease over HTTP */
  constructor(log: OperationLog, isChecked: (key: SimKey) => boolean) {
    this.#log = log;
    this.#isChecked = isChecked;
  }

  onArrival(operation: Operation, node: number, run: number): void {
    if (operation.content !== undefined) this.#knownBy(node, run, operation.key).set(operation, this.#log.lastOrder);
  }

  onView({ node, run, key, after }: ViewChange): void {
    const shown = this.#log.find(after?.operation);
    if (shown === undefined || !this.#isChecked(key)) return;
    const known = this.#knownBy(node, run, key);
    for (const [other, upTo] of known) {
      if (other.lost || !this.#log.overrules(other, shown, upTo)) continue;
      throw new Violation(
        this.rule,
        `node ${node} shows ${nameOf(key)} as ${shown.name} although it knew ${other.name}, which came after it`,
      );
    }
    known.set(shown, this.#log.lastOrder);
  }

  #knownBy(node: number, run: number, key: SimKey): Map<Operation, number> {
    const name = `${node}/${run}/${key.index}`;
    let known = this.#known.get(name);
    if (known === undefined) {
      known = new Map();
      this.#known.set(name, known);
    }
    return known;
  }
}
