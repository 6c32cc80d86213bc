// I5: of two writes that passed the same node, or of which the later one was made knowing the earlier, the earlier never
// wins: a node that has shown or taken the later one does not go back. For leases over HTTP; a connection's publications
// are ordered by the connection.

import type { Operation } from '../operation.js';
import type { OperationLog, Sight } from '../operation-log.js';
import type { SimKey } from '../sim-key.js';
import { nameOf } from '../world.js';
import { type Checker, type ViewChange, Violation } from './checker.js';

/** Checks that no node goes back to an overruled content. */
export class OrderChecker implements Checker {
  readonly rule = 'I5';
  readonly #log: OperationLog;
  readonly #isChecked: (key: SimKey) => boolean;
  /** What each run of a node has taken or shown, by `node/run/key`. */
  readonly #known = new Map<string, Sights>();

  /** @param isChecked - whether a key is held by a lease over HTTP */
  constructor(log: OperationLog, isChecked: (key: SimKey) => boolean) {
    this.#log = log;
    this.#isChecked = isChecked;
  }

  onArrival(operation: Operation, node: number, run: number): void {
    if (operation.content === undefined) return;
    const arrivals = operation.arrivals.filter((arrival) => arrival.node === node && arrival.run === run);
    this.#knownBy(node, run, operation.key).taken.set(operation, { how: 'taken', arrivals });
  }

  onView({ node, run, key, after }: ViewChange): void {
    const shown = this.#log.find(after?.operation);
    if (shown === undefined || !this.#isChecked(key)) return;
    const known = this.#knownBy(node, run, key);
    for (const sights of [known.taken, known.told])
      for (const [other, sight] of sights) {
        if (!this.#log.sightOverrules(sight, shown)) continue;
        throw new Violation(
          this.rule,
          `node ${node} shows ${nameOf(key)} as ${shown.name} although it knew ${other.name}, which came after it`,
        );
      }
    // The first sight says most: the fewer arrivals there were, the surer it is which one was seen.
    if (!known.told.has(shown)) known.told.set(shown, { how: 'told', arrivals: [...shown.arrivals] });
  }

  #knownBy(node: number, run: number, key: SimKey): Sights {
    const name = `${node}/${run}/${key.index}`;
    let known = this.#known.get(name);
    if (known === undefined) {
      known = { taken: new Map(), told: new Map() };
      this.#known.set(name, known);
    }
    return known;
  }
}

/** What one run of a node knows of a key, by write. */
interface Sights {
  readonly taken: Map<Operation, Sight>;
  readonly told: Map<Operation, Sight>;
}
