// FNV-1a over UTF-16 units: short, quick, the same on every machine. Not against malice.

const OFFSET = 0x811c9dc5;
const PRIME = 0x01000193;

/**
 * Hash of a text, 0 to 2^32 - 1.
 *
 * @param text - any text
 * @param from - hash of what came before it; default: nothing
 */
export function hashOf(text: string, from: number = OFFSET): number {
  let hash = from;
  for (let index = 0; index < text.length; index += 1) hash = Math.imul(hash ^ text.charCodeAt(index), PRIME);
  return hash >>> 0;
}
