// Long JSON arrays, written a part at a time: an answer of many megabytes would hold up all others while it is made.

import { setImmediate as turn } from 'node:timers/promises';

/** Characters that are written before others get their turn: a few milliseconds of work. */
const SLICE_LENGTH = 128 * 1024;

/**
 * Writes an array.
 *
 * @param entries - may change while the array is written; what comes, goes or changes meanwhile is in it or not
 * @param write - gives the JSON of an entry, of several with commas between them, or an empty text for none
 */
export async function slicedJsonArray<T>(entries: Iterable<T>, write: (entry: T) => string): Promise<Buffer> {
  const slices: Buffer[] = [];
  let slice = '[';
  let isFirst = true;
  for (const entry of entries) {
    const json = write(entry);
    if (json === '') continue;
    slice += isFirst ? json : `,${json}`;
    isFirst = false;
    if (slice.length < SLICE_LENGTH) continue;
    slices.push(Buffer.from(slice));
    slice = '';
    await turn();
  }
  slices.push(Buffer.from(`${slice}]`));
  return Buffer.concat(slices);
}
