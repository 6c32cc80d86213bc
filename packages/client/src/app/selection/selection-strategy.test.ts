import { describe, expect, test } from 'vitest';
import { type Instance, NO_INSTANCE_METADATA } from '../../core/instance.js';
import { consistentHash } from './consistent-hash.js';
import { leastActive } from './least-active.js';
import { roundRobin } from './round-robin.js';
import { weightedRandom } from './weighted-random.js';

function instances(weights: readonly number[]): Instance[] {
  return weights.map((weight, i) => ({
    id: '',
    ip: `10.0.0.${i}`,
    port: 80,
    cluster: 'DEFAULT',
    weight,
    healthy: true,
    enabled: true,
    ephemeral: true,
    metadata: NO_INSTANCE_METADATA,
  }));
}

function seeded(seed: number): () => number {
  let state = seed;
  return () => {
    state = (Math.imul(state, 1_664_525) + 1_013_904_223) >>> 0;
    return state / 4_294_967_296;
  };
}

function counts(list: readonly Instance[], choices: number, pick: () => Instance | undefined): number[] {
  const found = new Map<Instance | undefined, number>();
  for (let i = 0; i < choices; i++) {
    const chosen = pick();
    found.set(chosen, (found.get(chosen) ?? 0) + 1);
  }
  return list.map((instance) => found.get(instance) ?? 0);
}

describe('weightedRandom', () => {
  test.each([[[1, 1, 1, 1]], [[1, 9]], [[0.3, 0.7]], [[1e-9, 1e4]], [[5, 1, 2, 8, 4]], [[7]]])(
    'BR-131 weights %j get their share within 3 sigma',
    (weights) => {
      const list = instances(weights);
      const pick = weightedRandom(seeded(7))(list);
      const choices = 10_000;
      const sum = weights.reduce((total, weight) => total + weight, 0);
      counts(list, choices, () => pick({})).forEach((count, i) => {
        const share = (weights[i] as number) / sum;
        const sigma = Math.sqrt(choices * share * (1 - share));
        expect(Math.abs(count - choices * share)).toBeLessThanOrEqual(3 * sigma + 1e-6);
      });
    },
  );
});

describe('every strategy', () => {
  const strategies = {
    weightedRandom: weightedRandom(seeded(3)),
    roundRobin: roundRobin(),
    consistentHash: consistentHash(),
    leastActive: leastActive().strategy,
  };

  test.each(Object.entries(strategies))('BR-155 gives calls to small weights, too: %s', (name, strategy) => {
    const list = instances([0.3, 0.5, 1, 1.49]);
    const pick = strategy(list);
    let key = 0;
    const found = counts(list, 4000, () => pick({ key: `user-${key++}` }));
    // Least active takes the same one as long as no call begins.
    if (name === 'leastActive') expect(found.filter((count) => count > 0)).toHaveLength(1);
    else for (const count of found) expect(count).toBeGreaterThan(200);
    if (name !== 'roundRobin') expect(found).toEqual([...found].sort((a, b) => a - b));
  });

  test.each(Object.entries(strategies))(
    'BR-130 takes the only one there is, and a hundred thousand: %s',
    (_name, strategy) => {
      const [only] = instances([1e-9]);
      expect(strategy([only as Instance])({})).toBe(only);
      const many = instances(Array.from({ length: 100_000 }, (_, i) => 1 + (i % 7)));
      expect(many).toContain(strategy(many)({ key: 'k' }));
    },
  );
});

test('roundRobin gives each the same, whatever the weights, and keeps its place when the list changes', () => {
  const strategy = roundRobin();
  const list = instances([1, 5, 9]);
  expect(counts(list, 300, () => strategy(list)({}))).toEqual([100, 100, 100]);
});

describe('consistentHash', () => {
  const keys = Array.from({ length: 2000 }, (_, i) => `user-${i}`);

  test('equal keys go to the same instance; one that leaves moves only its own keys', () => {
    const list = instances([1, 1, 1, 1]);
    const before = consistentHash()(list);
    const after = consistentHash()(list.slice(1));
    const moved = keys.filter((key) => before({ key }) !== after({ key }));
    expect(moved.every((key) => before({ key }) === list[0])).toBe(true);
    expect(moved.length).toBeGreaterThan(350);
    expect(moved.length).toBeLessThan(650);
  });

  test('each of a hundred instances has its share of many keys', () => {
    const list = instances(Array.from({ length: 100 }, () => 1));
    const pick = consistentHash()(list);
    let key = 0;
    for (const count of counts(list, 100_000, () => pick({ key: `user-${key++}` }))) {
      expect(count).toBeGreaterThan(800);
      expect(count).toBeLessThan(1200);
    }
  });

  test('a weight that changes moves only keys to or from its instance', () => {
    const [one, two, three] = instances([1, 1, 1]) as [Instance, Instance, Instance];
    const before = consistentHash()([one, two, three]);
    const heavier = { ...two, weight: 2 };
    const after = consistentHash()([one, heavier, three]);
    const moved = keys.filter((key) => before({ key })?.ip !== after({ key })?.ip);
    expect(moved.every((key) => after({ key }) === heavier)).toBe(true);
    expect(moved.length / keys.length).toBeGreaterThan(0.1);
  });

  test('weights count', () => {
    const list = instances([1, 3]);
    const pick = consistentHash()(list);
    const heavy = keys.filter((key) => pick({ key }) === list[1]).length / keys.length;
    expect(heavy).toBeGreaterThan(0.7);
    expect(heavy).toBeLessThan(0.8);
  });
});

test('leastActive chooses by calls under way and weight, and counts an end once', () => {
  const { strategy, begin, active } = leastActive();
  const [one, two] = instances([1, 2]) as [Instance, Instance];
  const pick = strategy([one, two]);
  expect(pick({})).toBe(two);
  const end = begin(two);
  begin(two);
  expect(pick({})).toBe(one);
  begin(one);
  expect(active(two)).toBe(2);
  end();
  end();
  expect(active(two)).toBe(1);
  expect(pick({})).toBe(two);
});

test('leastActive lets instances that are equally busy take turns', () => {
  const { strategy, begin } = leastActive();
  const list = instances([1, 1, 1, 1]);
  const pick = strategy(list);
  expect(counts(list, 400, () => pick({}))).toEqual([100, 100, 100, 100]);
  begin(list[0] as Instance);
  expect(counts(list, 400, () => pick({}))[0]).toBe(0);
});

test('leastActive keeps its counts when it forgets addresses without calls', () => {
  const { strategy, begin, active } = leastActive();
  const [one, two] = instances([1, 1]) as [Instance, Instance];
  const pick = strategy([one, two]);
  const end = begin(one);
  for (let port = 0; port < 25_000; port++) begin({ ...one, port: port + 100 })();
  begin(two);
  begin(two);
  expect(active(one)).toBe(1);
  expect(pick({})).toBe(one);
  end();
  expect(active(one)).toBe(0);
});
