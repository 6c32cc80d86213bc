import { describe, expect, it } from 'vitest';
import { slicedJsonArray } from './sliced-json.js';

async function written(entries: Iterable<string>): Promise<unknown> {
  return JSON.parse((await slicedJsonArray(entries, (entry) => entry)).toString());
}

describe('an array', () => {
  it.each<[string, readonly string[], unknown]>([
    ['of nothing', [], []],
    ['of entries', ['1', '"é"'], [1, 'é']],
    ['of several per text, and of none', ['', '1,2', '', '3', ''], [1, 2, 3]],
  ])('%s', async (_, entries, expected) => expect(await written(entries)).toEqual(expected));

  it('of many entries lets others have their turn', async () => {
    const entries = Array.from({ length: 20_000 }, (_, n) => `"${String(n).padStart(100)}"`);
    const done = written(entries).then((array) => {
      expect(array).toHaveLength(20_000);
      return 'done';
    });
    const others = (async () => {
      for (let turns = 0; turns < 5; turns++) await new Promise(setImmediate);
      return 'others';
    })();
    expect(await Promise.race([done, others])).toBe('others');
    await done;
  });
});
