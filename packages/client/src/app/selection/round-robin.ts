// Choice in turn.

import type { SelectionStrategy } from './selection-strategy.js';

/** One after the other, each as often as the others, weights ignored. The place in the round is kept when the list changes. */
export function roundRobin(): SelectionStrategy {
  let turn = 0;
  return (instances) => () => {
    turn = turn >= Number.MAX_SAFE_INTEGER ? 0 : turn + 1;
    return instances[turn % instances.length];
  };
}
