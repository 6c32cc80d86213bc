// I6: after a deregistration that no registration followed, a node that has seen it never shows the key again. A node has
// seen it when it took it, or when its own events say that the instance went because of it.

import type { RegistryEvent } from '@rollcall/server/internal';
import type { Operation } from '../operation.js';
import type { OperationLog } from '../operation-log.js';
import type { SimKey } from '../sim-key.js';
import { nameOf } from '../world.js';
import { type Checker, type ViewChange, Violation } from './checker.js';

/** Checks that what left stays away. */
export class RemovalChecker implements Checker {
  readonly rule = 'I6';
  readonly #log: OperationLog;
  readonly #keys: ReadonlyMap<string, SimKey>;
  readonly #isChecked: (key: SimKey) => boolean;
  /** Deregistrations that each run of a node has seen, by `node/run/key`. */
  readonly #seen = new Map<string, { readonly operation: Operation; readonly upTo: number }>();

  /** @param isChecked - whether a key is held by a lease over HTTP */
  constructor(log: OperationLog, keys: readonly SimKey[], isChecked: (key: SimKey) => boolean) {
    this.#log = log;
    this.#keys = new Map(keys.map((key) => [`${key.service.id}/${key.address.key}`, key]));
    this.#isChecked = isChecked;
  }

  onArrival(operation: Operation, node: number, run: number): void {
    if (operation.content === undefined) this.#see(operation, node, run);
  }

  onEvent(node: number, run: number, event: RegistryEvent): void {
    if (event.type !== 'instance-removed' || event.cause !== 'deregistered') return;
    const key = this.#keys.get(`${event.service.id}/${event.address.key}`);
    if (key === undefined) return;
    const last = this.#log
      .of(key)
      .filter(({ content, arrivals }) => content === undefined && arrivals.length > 0)
      .at(-1);
    if (last !== undefined) this.#see(last, node, run);
  }

  onView({ node, run, key, after }: ViewChange): void {
    const shown = this.#log.find(after?.operation);
    if (shown === undefined || !this.#isChecked(key)) return;
    const seen = this.#seen.get(`${node}/${run}/${key.index}`);
    if (seen === undefined || seen.operation.lost) return;
    if (!this.#log.overrules(seen.operation, shown, seen.upTo)) return;
    throw new Violation(
      this.rule,
      `node ${node} shows ${nameOf(key)} again, as ${shown.name}, although it has seen the deregistration ${seen.operation.name}`,
    );
  }

  #see(operation: Operation, node: number, run: number): void {
    this.#seen.set(`${node}/${run}/${operation.key.index}`, { operation, upTo: this.#log.lastOrder });
  }
}
