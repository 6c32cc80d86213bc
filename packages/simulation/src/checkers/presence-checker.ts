// L2: after a quiet time every client that is alive is listed and healthy on every node, with its last content; an earlier
// one only where the later may have been lost with the nodes that had it, or where neither write could know of the other.

import type { SimClient } from '../clients/sim-client.js';
import type { Operation } from '../operation.js';
import type { SimKey } from '../sim-key.js';
import type { SimNode } from '../sim-node.js';
import { nameOf, type World } from '../world.js';
import { type Checker, Violation } from './checker.js';

/** Checks that the living are there. */
export class PresenceChecker implements Checker {
  readonly rule = 'L2';
  readonly #world: World;
  readonly #clients: readonly SimClient[];

  constructor(world: World, clients: readonly SimClient[]) {
    this.#world = world;
    this.#clients = clients;
  }

  atEnd(): void {
    for (const client of this.#clients)
      if (client.state === 'alive') for (const node of this.#world.running) this.#check(client, node);
  }

  #check({ name, key, protocol }: SimClient, node: SimNode): void {
    // What came over an earlier connection went with it; only the present one's last word counts.
    const candidates = protocol === '2.x' ? this.#world.log.of(key).slice(-1) : this.#world.log.candidates(key);
    const fault = this.#faultOf(key, node, candidates);
    if (fault === undefined) return;
    throw new Violation(this.rule, `${name} is alive, but node ${node.index} shows ${nameOf(key)} ${fault}`);
  }

  #faultOf(key: SimKey, node: SimNode, candidates: readonly Operation[]): string | undefined {
    const shown = this.#world.views.shown(node, key);
    if (shown === undefined) return 'not at all';
    if (!shown.healthy) return 'as unhealthy';
    if (candidates.some(({ name }) => name === shown.operation)) return undefined;
    return `as ${shown.operation}; its last content is ${candidates.map(({ name }) => name).join(' or ')}`;
  }
}
