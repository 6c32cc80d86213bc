// L1: after a quiet time all nodes show the same.

import type { SimNode } from '../sim-node.js';
import { nameOf, shownText, type World } from '../world.js';
import { type Checker, Violation } from './checker.js';

/** Compares the views of all nodes. */
export class EqualityChecker implements Checker {
  readonly rule = 'L1';
  readonly #world: World;

  constructor(world: World) {
    this.#world = world;
  }

  atEnd(): void {
    const [first] = differences(this.#world);
    if (first !== undefined) throw new Violation(this.rule, first);
  }
}

/** What two nodes that run show differently, in words. */
export function differences({ nodes, keys, views }: World): string[] {
  const [first, ...others] = nodes.filter(({ state }) => state === 'running');
  if (first === undefined) return [];
  const textOf = (node: SimNode, key: (typeof keys)[number]) => {
    const shown = views.shown(node, key);
    return shown === undefined ? 'absent' : `${shownText(shown)}, weight ${shown.weight}, enabled ${shown.enabled}`;
  };
  const found: string[] = [];
  for (const other of others)
    for (const key of keys) {
      const [one, two] = [textOf(first, key), textOf(other, key)];
      if (one !== two) found.push(`node ${first.index} shows ${nameOf(key)} as ${one}, node ${other.index} as ${two}`);
    }
  return found;
}
