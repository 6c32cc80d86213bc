// Random choice by weight, the default.
// Source: Nacos 1.4.8 Balancer and Chooser (contract client-1x 1.3), without its traps; Walker's alias method.

import type { SelectionStrategy } from './selection-strategy.js';

/** Each instance gets a share of the choices equal to its share of the weight. The default. @param random - uniform in [0, 1) */
export function weightedRandom(random: () => number = Math.random): SelectionStrategy {
  return (instances) => {
    const [first] = instances;
    if (instances.every(({ weight }) => weight === first?.weight)) {
      return () => instances[Math.floor(random() * instances.length)];
    }
    const table = aliasTable(instances.map(({ weight }) => weight));
    return () => {
      const point = random() * instances.length;
      const slot = Math.floor(point);
      return instances[point - slot < (table.share[slot] as number) ? slot : (table.other[slot] as number)];
    };
  };
}

/** Walker's alias method: a choice in constant time, whatever the weights. */
function aliasTable(weights: readonly number[]): {
  readonly share: readonly number[];
  readonly other: readonly number[];
} {
  const largest = Math.max(...weights);
  const sum = weights.reduce((total, weight) => total + weight / largest, 0);
  const share = weights.map((weight) => ((weight / largest) * weights.length) / sum);
  const other = weights.map((_, index) => index);
  const small = share.flatMap((value, index) => (value < 1 ? [index] : []));
  const large = share.flatMap((value, index) => (value < 1 ? [] : [index]));
  for (let low = small.pop(), high = large.pop(); low !== undefined && high !== undefined; ) {
    other[low] = high;
    share[high] = (share[high] as number) + (share[low] as number) - 1;
    low = (share[high] as number) < 1 ? high : small.pop();
    if (low === high) high = large.pop();
  }
  return { share, other };
}
