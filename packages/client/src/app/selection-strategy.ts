// Choosing one instance of a list. A strategy prepares itself once per list, so that a choice costs no more than a look-up;
// only instances that are healthy, enabled and have a weight are given to it.
// Source: Nacos 1.4.8 Balancer and Chooser (weighted random, contract client-1x 1.3), without its traps.

import type { Instance } from '../core/instance.js';

/** What one choice may depend on. */
export interface SelectRequest {
  /** Equal keys go to the same instance as long as it is there; for strategies that hash. */
  readonly key?: string | undefined;
}

/** Chooses one of the instances it was prepared for. */
export type Picker = (request: SelectRequest) => Instance | undefined;

/** A way to choose. A function of your own is one too. @param instances - usable ones, never empty, never changed */
export type SelectionStrategy = (instances: readonly Instance[]) => Picker;

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

/** One after the other, each as often as the others, weights ignored. The place in the round is kept when the list changes. */
export function roundRobin(): SelectionStrategy {
  let turn = 0;
  return (instances) => () => {
    turn = turn >= Number.MAX_SAFE_INTEGER ? 0 : turn + 1;
    return instances[turn % instances.length];
  };
}

/** Equal keys go to the same instance; when one comes or goes only its share of the keys moves. Needs `key`. */
export function consistentHash(): SelectionStrategy {
  return (instances) => {
    const seeds = instances.map((instance) => hashOf(`${instance.ip}:${instance.port}#${instance.cluster}`, 0));
    return ({ key = '' }) => {
      // Highest score wins (rendezvous hashing): no ring to build, and weights count.
      let best: Instance | undefined;
      let bestScore = Number.NEGATIVE_INFINITY;
      for (let i = 0; i < instances.length; i++) {
        const unit = (hashOf(key, seeds[i] as number) + 1) / 4_294_967_297;
        const score = -(instances[i] as Instance).weight / Math.log(unit);
        if (score <= bestScore) continue;
        best = instances[i];
        bestScore = score;
      }
      return best;
    };
  };
}

/** The instance with the fewest calls under way, by weight; see {@link LeastActive.begin}. */
export interface LeastActive {
  readonly strategy: SelectionStrategy;
  /** A call to the instance begins. @returns what to call when it has ended; more than once does nothing */
  begin(instance: Instance): () => void;
  /** Calls under way to the instance. */
  active(instance: Instance): number;
}

/** Counts calls under way and chooses by them. One object for all views of a service. */
export function leastActive(): LeastActive {
  const counts = new CallCounts();
  return {
    active: (instance) => counts.of(instance).active,
    strategy: (instances) => {
      let generation = counts.generation;
      let own = instances.map((instance) => counts.of(instance));
      return () => {
        if (generation !== counts.generation) {
          generation = counts.generation;
          own = instances.map((instance) => counts.of(instance));
        }
        return instances[leastBusy(instances, own)];
      };
    },
    begin(instance) {
      const count = counts.of(instance);
      count.active++;
      let ended = false;
      return () => {
        if (!ended) count.active--;
        ended = true;
      };
    },
  };
}

/** Addresses that are counted; those without calls are forgotten when there are more. */
const COUNTED_MAX = 10_000;

/** Calls under way by address. */
class CallCounts {
  readonly #counts = new Map<string, { active: number }>();
  /** Changes when counts were forgotten, so that whoever kept one looks again. */
  generation = 0;

  of(instance: Instance): { active: number } {
    const address = `${instance.ip}:${instance.port}`;
    let count = this.#counts.get(address);
    if (count === undefined) {
      if (this.#counts.size >= COUNTED_MAX) this.#forget();
      count = { active: 0 };
      this.#counts.set(address, count);
    }
    return count;
  }

  #forget(): void {
    this.generation++;
    for (const [address, { active }] of this.#counts) if (active === 0) this.#counts.delete(address);
  }
}

/** Place of the instance with the fewest calls by weight, the one about to begin included. */
function leastBusy(instances: readonly Instance[], counts: readonly { readonly active: number }[]): number {
  let best = 0;
  let bestLoad = Number.POSITIVE_INFINITY;
  for (let i = 0; i < instances.length; i++) {
    const load = ((counts[i] as { active: number }).active + 1) / (instances[i] as Instance).weight;
    if (load >= bestLoad) continue;
    best = i;
    bestLoad = load;
  }
  return best;
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

/** FNV-1a with a final mix, 32 bits. */
function hashOf(text: string, seed: number): number {
  let hash = 0x811c9dc5 ^ seed;
  for (let i = 0; i < text.length; i++) hash = Math.imul(hash ^ text.charCodeAt(i), 0x01000193);
  hash = Math.imul(hash ^ (hash >>> 16), 0x85ebca6b);
  hash = Math.imul(hash ^ (hash >>> 13), 0xc2b2ae35);
  return (hash ^ (hash >>> 16)) >>> 0;
}
