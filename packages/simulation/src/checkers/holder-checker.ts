// L4: after a quiet time each key that is leased over HTTP has exactly one lease among all current sets, and all nodes name
// the same holder.

import { keyText, type MirroredRecord } from '../set-mirror.js';
import { nameOf, type World } from '../world.js';
import { type Checker, Violation } from './checker.js';

const HTTP_PUBLISHER = 'http';

/** Checks that each lease has one holder. */
export class HolderChecker implements Checker {
  readonly rule = 'L4';
  readonly #world: World;

  constructor(world: World) {
    this.#world = world;
  }

  atEnd(): void {
    this.#checkHolders();
    this.#checkLeases();
  }

  #checkHolders(): void {
    const running = this.#world.nodes.filter(({ state }) => state === 'running');
    for (const key of this.#world.keys) {
      const holders = running.map(({ core }) => core?.replication?.holderOf(key.service.id, key.address.key));
      if (new Set(holders).size > 1)
        throw new Violation(this.rule, `the nodes name different holders of ${nameOf(key)}: ${holders.join(', ')}`);
    }
  }

  #checkLeases(): void {
    const leases = new Map<string, MirroredRecord>();
    for (const { ownSet: own } of this.#world.nodes) {
      for (const lease of (own && this.#world.mirror.get(own)?.records.values()) ?? []) {
        if (lease.record.state !== 'live' || lease.key[6] !== HTTP_PUBLISHER) continue;
        const place = keyText(lease.key);
        if (leases.has(place))
          throw new Violation(
            this.rule,
            `${lease.key[3]} of "${lease.key[2]}" has more than one lease, one at ${own?.node}`,
          );
        leases.set(place, lease);
      }
    }
  }
}
