// B5 and B10, where a scenario says how long: who died or left is listed nowhere any more after that time.

import type { SimClient } from '../clients/sim-client.js';
import { nameOf, type World } from '../world.js';
import { type Checker, Violation } from './checker.js';

/** Checks that the dead go. */
export class GoneChecker implements Checker {
  readonly rule = 'B5';
  readonly #world: World;
  readonly #clients: readonly SimClient[];
  readonly #goneAfterMs: number;

  constructor(world: World, clients: readonly SimClient[], goneAfterMs: number) {
    this.#world = world;
    this.#clients = clients;
    this.#goneAfterMs = goneAfterMs;
  }

  onSample(): void {
    const { now, running, views } = this.#world;
    for (const { goneSince, key, name } of this.#clients) {
      if (goneSince === undefined || now - goneSince <= this.#goneAfterMs) continue;
      for (const node of running)
        if (views.shown(node, key) !== undefined)
          throw new Violation(
            this.rule,
            `node ${node.index} shows ${nameOf(key)} ${now - goneSince} ms after ${name} died or left`,
          );
    }
  }
}
