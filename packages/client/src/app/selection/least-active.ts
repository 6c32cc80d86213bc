// Choice by calls under way, which the caller counts.

import type { Instance } from '../../core/instance.js';
import type { SelectionStrategy } from './selection-strategy.js';

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
      const weighing = weighingOf(instances);
      let generation = counts.generation;
      let own = instances.map((instance) => counts.of(instance));
      let turn = -1;
      return () => {
        if (generation !== counts.generation) {
          generation = counts.generation;
          own = instances.map((instance) => counts.of(instance));
        }
        turn = turn + 1 < own.length ? turn + 1 : 0;
        return instances[leastBusy(own, weighing, turn)];
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
  readonly #counts = new Map<string, CallCount>();
  /** The same by instance: lists keep their objects, and an object is found sooner than an address is written. */
  #known = new WeakMap<Instance, CallCount>();
  /** Changes when counts were forgotten, so that whoever kept one looks again. */
  generation = 0;

  of(instance: Instance): CallCount {
    let count = this.#known.get(instance);
    if (count === undefined) {
      count = this.#ofAddress(instance);
      this.#known.set(instance, count);
    }
    return count;
  }

  #ofAddress(instance: Instance): CallCount {
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
    this.#known = new WeakMap();
    for (const [address, { active }] of this.#counts) if (active === 0) this.#counts.delete(address);
  }
}

/** Calls under way to one address. */
interface CallCount {
  active: number;
}

/** What a list of instances weighs: a call to each of them counts `perWeight`, the least of which is `lowest`. */
interface Weighing {
  readonly perWeight: Float64Array;
  readonly lowest: number;
}

function weighingOf(instances: readonly Instance[]): Weighing {
  const perWeight = Float64Array.from(instances, ({ weight }) => 1 / weight);
  return { perWeight, lowest: perWeight.reduce((least, value) => Math.min(least, value), Number.POSITIVE_INFINITY) };
}

/**
 * Place of the instance with the fewest calls by weight, the one about to begin included. Looked for from `start` on, which moves,
 * so that instances that are equally busy take turns; an idle one of the highest weight cannot be beaten and ends the search.
 */
function leastBusy(counts: readonly CallCount[], { perWeight, lowest }: Weighing, start: number): number {
  let best = start;
  let bestLoad = Number.POSITIVE_INFINITY;
  for (let step = 0, i = start; step < counts.length; step++, i = i + 1 < counts.length ? i + 1 : 0) {
    const load = ((counts[i] as CallCount).active + 1) * (perWeight[i] as number);
    if (load >= bestLoad) continue;
    best = i;
    bestLoad = load;
    if (load <= lowest) break;
  }
  return best;
}
