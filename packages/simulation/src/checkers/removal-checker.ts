// I6: after a deregistration that no registration followed, a node that has seen it never shows the key again. A node has
// seen it when it took it, or when its own events say that the instance went because of one.

import type { RegistryEvent } from '@rollcall/server/internal';
import type { Operation } from '../operation.js';
import type { OperationLog, Sight } from '../operation-log.js';
import type { SimKey } from '../sim-key.js';
import { nameOf, type World } from '../world.js';
import { type Checker, type ViewChange, Violation } from './checker.js';

/** Checks that what left stays away. */
export class RemovalChecker implements Checker {
  readonly rule = 'I6';
  readonly #world: World;
  readonly #log: OperationLog;
  readonly #isChecked: (key: SimKey) => boolean;
  /** Deregistrations that each run of a node has seen, by `node/run/key`. */
  readonly #seen = new Map<string, Seen>();

  /** @param isChecked - whether a key is held by a lease over HTTP */
  constructor(world: World, isChecked: (key: SimKey) => boolean) {
    this.#world = world;
    this.#log = world.log;
    this.#isChecked = isChecked;
  }

  onArrival(operation: Operation, node: number, run: number): void {
    if (operation.content !== undefined) return;
    const arrivals = operation.arrivals.filter((arrival) => arrival.node === node && arrival.run === run);
    this.#seenBy(node, run, operation.key).taken = { how: 'taken', arrivals };
  }

  onEvent(node: number, run: number, event: RegistryEvent): void {
    if (event.type !== 'instance-removed' || event.cause !== 'deregistered') return;
    const key = this.#world.keyAt(event);
    if (key === undefined) return;
    const seen = this.#seenBy(node, run, key);
    const arrivals = this.#log
      .of(key)
      .filter(({ content }) => content === undefined)
      .flatMap((operation) => operation.arrivals)
      .filter((arrival) => seen.shown === undefined || !this.#log.isSurelyBefore(arrival, seen.shown));
    seen.told = { how: 'told', arrivals };
  }

  onView({ node, run, key, after }: ViewChange): void {
    const shown = this.#log.find(after?.operation);
    const seen = this.#seenBy(node, run, key);
    seen.shown = shown;
    if (shown === undefined || !this.#isChecked(key)) return;
    for (const sight of [seen.taken, seen.told]) {
      if (sight === undefined || !this.#log.sightOverrules(sight, shown)) continue;
      const names = [...new Set(sight.arrivals.map(({ operation }) => operation.name))].join(' or ');
      throw new Violation(
        this.rule,
        `node ${node} shows ${nameOf(key)} again, as ${shown.name}, although it has seen the deregistration ${names}`,
      );
    }
  }

  #seenBy(node: number, run: number, key: SimKey): Seen {
    const place = `${node}/${run}/${key.index}`;
    let seen = this.#seen.get(place);
    if (seen === undefined) {
      seen = { taken: undefined, told: undefined, shown: undefined };
      this.#seen.set(place, seen);
    }
    return seen;
  }
}

/** What one run of a node has seen of a key. */
interface Seen {
  taken: Sight | undefined;
  told: Sight | undefined;
  /** What its readers see now. */
  shown: Operation | undefined;
}
