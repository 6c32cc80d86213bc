import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { type Instance, instanceKey, isSameContent } from './instance.js';
import { mergeInstances } from './instance-change.js';

function instance(ip: string, members: Partial<Instance> = {}): Instance {
  const usual = { id: '', port: 80, cluster: 'A', weight: 1, healthy: true, enabled: true, ephemeral: true };
  return { ...usual, ip, metadata: {}, ...members };
}

/** Few addresses and contents, so that lists often meet. */
const anInstance = fc
  .record({
    ip: fc.constantFrom('a', 'b', 'c', 'd', 'e'),
    cluster: fc.constantFrom('A', 'B'),
    ephemeral: fc.boolean(),
    weight: fc.constantFrom(1, 2),
    metadata: fc.constantFrom({}, { k: 'v' }, { k: 'w' }, { l: 'v' }),
  })
  .map(({ ip, ...members }) => instance(ip, members));
const aList = fc.array(anInstance, { maxLength: 8 });
const uniqueList = aList.map((list) => mergeInstances([], list).instances);

const keysOf = (list: readonly Instance[]): string[] => list.map(instanceKey);

describe('mergeInstances', () => {
  test('for any two lists: each address once with its last content, what is the same is kept, the parts add up', () => {
    fc.assert(
      fc.property(uniqueList, aList, fc.boolean(), (before, other, isSamePlaces) => {
        const next = isSamePlaces ? before.map((one, i) => ({ ...one, ...contentOf(other[i]) })) : other;
        const { instances, change } = mergeInstances(before, next);
        const wanted = new Map(next.map((one) => [instanceKey(one), one]));
        const old = new Map(before.map((one) => [instanceKey(one), one]));
        expect(new Set(keysOf(instances))).toEqual(new Set(wanted.keys()));
        expect(instances).toHaveLength(wanted.size);
        for (const one of instances) {
          const known = old.get(instanceKey(one));
          const last = wanted.get(instanceKey(one)) as Instance;
          expect(one).toBe(known !== undefined && isSameContent(known, last) ? known : last);
        }
        const { added = [], removed = [], modified = [] } = change ?? {};
        expect(keysOf(added)).toEqual([...wanted.keys()].filter((key) => !old.has(key)));
        expect(keysOf(removed)).toEqual([...old.keys()].filter((key) => !wanted.has(key)));
        expect(modified).toEqual(instances.filter((one) => old.has(instanceKey(one)) && !before.includes(one)));
        if (change === undefined) expect(instances).toBe(before);
      }),
    );
  });

  test('another order of hosts, or of metadata keys, is no change', () => {
    const before = [instance('a', { metadata: { x: '1', y: '2' } }), instance('b')];
    expect(
      mergeInstances(before, [instance('b'), instance('a', { metadata: { y: '2', x: '1' } })]).change,
    ).toBeUndefined();
    expect(
      mergeInstances(before, [instance('a', { metadata: { y: '2', x: '1' } }), instance('b')]).change,
    ).toBeUndefined();
  });

  test.each([{ enabled: false }, { weight: 2 }, { healthy: false }, { metadata: { zone: 'b' } }])(
    'BR-110 a change of %o alone is one, and BR-152 the same list again is none',
    (members) => {
      const first = instance('a', { metadata: { zone: 'a' } });
      const { instances, change } = mergeInstances([first], [{ ...first, ...members }]);
      expect(change).toEqual({ added: [], removed: [], modified: [{ ...first, ...members }] });
      expect(mergeInstances(instances, [{ ...first, ...members }]).change).toBeUndefined();
    },
  );

  test('a metadata key that is a name of every object is a key like others', () => {
    const before = [instance('a', { metadata: { constructor: 'x' } })];
    expect(mergeInstances(before, [instance('a', { metadata: { y: 'x' } })]).change?.modified).toHaveLength(1);
    expect(mergeInstances(before, [instance('a', { metadata: { toString: 'x' } })]).change?.modified).toHaveLength(1);
  });
});

function contentOf(other: Instance | undefined): Partial<Instance> {
  return other === undefined ? {} : { weight: other.weight, metadata: other.metadata };
}
