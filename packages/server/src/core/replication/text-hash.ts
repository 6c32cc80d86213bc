// A fixed 32-bit hash of text: the same on every node and in every version, since it decides who owns what and tells
// whether two copies are equal. FNV-1a over UTF-16 units, then the final mix of MurmurHash3 so that all bits are used.

const FNV_OFFSET = 0x811c9dc5;
const FNV_PRIME = 0x01000193;

/**
 * Hashes a text.
 *
 * @param text - any text
 * @param seed - value to go on from; another one gives an independent hash
 * @returns 0 to 2^32 - 1
 */
export function textHash(text: string, seed: number = FNV_OFFSET): number {
  let hash = seed;
  for (let index = 0; index < text.length; index += 1) hash = Math.imul(hash ^ text.charCodeAt(index), FNV_PRIME);
  return finalMix(hash);
}

/** Spreads the bits of a 32-bit value over all of them. Returns 0 to 2^32 - 1. */
export function finalMix(value: number): number {
  let mixed = value;
  mixed = Math.imul(mixed ^ (mixed >>> 16), 0x85ebca6b);
  mixed = Math.imul(mixed ^ (mixed >>> 13), 0xc2b2ae35);
  return (mixed ^ (mixed >>> 16)) >>> 0;
}
