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
    const difference = firstDifference(this.#world);
    if (difference !== undefined) throw new Violation(this.rule, difference);
  }
}

/** What two nodes that run show differently, in words; undefined when all show the same. */
export function firstDifference({ nodes, keys, views }: World): string | undefined {
  const [first, ...others] = nodes.filter(({ state }) => state === 'running');
  if (first === undefined) return undefined;
  const textOf = (node: SimNode, key: (typeof keys)[number]) => {
    const shown = views.shown(node, key);
    return shown === undefined ? 'absent' : `${shownText(shown)}, weight ${shown.weight}, enabled ${shown.enabled}`;
  };
  for (const other of others)
    for (const key of keys) {
      const [one, two] = [textOf(first, key), textOf(other, key)];
      if (one !== two) return `node ${first.index} shows ${nameOf(key)} as ${one}, node ${other.index} as ${two}`;
    }
  return undefined;
}
