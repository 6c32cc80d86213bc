// Choice by key: highest random weight (rendezvous hashing), for which no ring is built and weights count. A key falls into one
// of a fixed number of slots and the slot has the score, so that the instances are gone through once for each slot and list.

import type { Instance } from '../../core/instance.js';
import type { SelectionStrategy } from './selection-strategy.js';

/** Slots of keys. Never fewer for a short list: another number would move nearly every key. */
const SLOTS = 65_536;

/**
 * Equal keys go to the same instance; when one comes or goes only its share of the keys moves. Needs `key`. Shares are even to a few
 * percent up to some hundred instances.
 */
export function consistentHash(): SelectionStrategy {
  return (instances) => {
    const seeds = instances.map((instance) => hashOf(`${instance.ip}:${instance.port}#${instance.cluster}`));
    // Place in the list plus one; 0 for slots that no key fell into yet.
    const places = new Int32Array(SLOTS);
    return ({ key = '' }) => {
      const slot = hashOf(key) % SLOTS;
      if (places[slot] === 0) places[slot] = highestScore(slot, instances, seeds) + 1;
      return instances[(places[slot] as number) - 1];
    };
  };
}

/** Place of the instance that the slot falls to. */
function highestScore(slot: number, instances: readonly Instance[], seeds: readonly number[]): number {
  let best = 0;
  let bestScore = Number.NEGATIVE_INFINITY;
  for (let i = 0; i < instances.length; i++) {
    const unit = (mixed(Math.imul(slot + 1, 0x9e3779b1) ^ (seeds[i] as number)) + 1) / 4_294_967_297;
    const score = -(instances[i] as Instance).weight / Math.log(unit);
    if (score <= bestScore) continue;
    best = i;
    bestScore = score;
  }
  return best;
}

/** FNV-1a with a final mix, 32 bits. */
function hashOf(text: string): number {
  let hash = 0x811c9dc5;
  for (let i = 0; i < text.length; i++) hash = Math.imul(hash ^ text.charCodeAt(i), 0x01000193);
  return mixed(hash);
}

/** Spreads the bits: the final mix of MurmurHash3. */
function mixed(bits: number): number {
  let hash = Math.imul(bits ^ (bits >>> 16), 0x85ebca6b);
  hash = Math.imul(hash ^ (hash >>> 13), 0xc2b2ae35);
  return (hash ^ (hash >>> 16)) >>> 0;
}
