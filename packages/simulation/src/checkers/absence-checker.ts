// L3: after a quiet time nothing is listed but the living.

import type { SimClient } from '../clients/sim-client.js';
import { nameOf, shownText, type World } from '../world.js';
import { type Checker, Violation } from './checker.js';

/** Checks that nobody else is there. */
export class AbsenceChecker implements Checker {
  readonly rule = 'L3';
  readonly #world: World;
  readonly #clients: readonly SimClient[];

  constructor(world: World, clients: readonly SimClient[]) {
    this.#world = world;
    this.#clients = clients;
  }

  atEnd(): void {
    const living = new Set(this.#clients.filter(({ state }) => state === 'alive').map(({ key }) => key));
    for (const node of this.#world.running)
      for (const [key, { shown }] of this.#world.views.all(node))
        if (!living.has(key))
          throw new Violation(
            this.rule,
            `node ${node.index} still shows ${nameOf(key)} (${shownText(shown)}), whose client is gone`,
          );
  }
}
