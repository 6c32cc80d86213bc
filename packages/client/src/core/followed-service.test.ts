import { describe, expect, test } from 'vitest';
import { CoreHarness, listOf, ORDERS } from './core-harness.test-support.js';

function following(settings = {}, hosts: readonly string[] = ['a'], members = {}): CoreHarness {
  const harness = new CoreHarness(settings);
  harness.step({ type: 'follow', service: ORDERS });
  harness.list(hosts, members);
  harness.shown();
  return harness;
}

describe('the first list', () => {
  test('is shown with everything added', () => {
    const harness = new CoreHarness();
    harness.step({ type: 'follow', service: ORDERS });
    expect(harness.core.instances(ORDERS)).toBeUndefined();
    harness.list(['a', 'b']);
    expect(harness.shown()).toEqual([{ ips: ['a', 'b'], added: ['a', 'b'], removed: [], modified: [] }]);
    expect(harness.core.instances(ORDERS)).toHaveLength(2);
  });

  test('is shown when it is empty too, so that nobody waits for ever', () => {
    const harness = new CoreHarness();
    harness.step({ type: 'follow', service: ORDERS });
    harness.list([]);
    expect(harness.shown()).toEqual([{ ips: [], added: [], removed: [], modified: [] }]);
  });

  test('comes when the server does, without a new subscription', () => {
    const harness = new CoreHarness();
    harness.step({ type: 'follow', service: ORDERS });
    harness.fail(harness.call('list'));
    harness.advance(500);
    harness.fail(harness.call('list'), 'unexpected-answer');
    harness.advance(1000);
    harness.list(['a']);
    expect(harness.shown()).toHaveLength(1);
    expect(harness.notes()).toEqual(['list-failed', 'list-recovered']);
  });
});

describe('polls', () => {
  test.each([
    ['no jitter', 0, 10_000],
    ['most jitter', 1, 9000],
  ])('come after cacheMillis, up to a tenth earlier: %s', (_name, random, waitMs) => {
    const harness = new CoreHarness({}, () => random);
    harness.step({ type: 'follow', service: ORDERS });
    harness.list(['a']);
    expect(harness.core.nextDeadline()).toBe(waitMs);
  });

  test('follow what the server says last, within bounds', () => {
    const harness = following({}, ['a'], { cacheMillis: 3000 });
    harness.advance(3000);
    harness.list(['a'], { cacheMillis: 500_000 });
    harness.advance(59_999);
    expect(harness.callTypes()).toEqual([]);
    harness.advance(1);
    harness.list(['a'], { cacheMillis: 0 });
    harness.advance(100);
    expect(harness.callTypes()).toEqual(['list']);
  });

  test('of an empty service go on at the same pace', () => {
    const harness = following({}, []);
    for (let round = 0; round < 5; round++) {
      harness.advance(10_000);
      harness.list([]);
    }
    expect(harness.nowMs).toBe(50_000);
  });

  test('that fail are repeated after 2, 4, 8, 16, 32, then 60 s (half of it with no jitter), and the list stays', () => {
    const harness = following();
    harness.advance(10_000);
    const waits: number[] = [];
    for (let round = 0; round < 7; round++) {
      harness.fail(harness.call('list'));
      const from = harness.nowMs;
      harness.advance((harness.core.nextDeadline() as number) - from);
      waits.push(harness.nowMs - from);
    }
    expect(waits).toEqual([1000, 2000, 4000, 8000, 16_000, 30_000, 30_000]);
    expect(harness.core.instances(ORDERS)).toHaveLength(1);
  });

  test('stop when nobody wants the list any more, even one that is on its way', () => {
    const harness = following();
    harness.advance(10_000);
    const poll = harness.call('list');
    harness.step({ type: 'unfollow', service: ORDERS });
    harness.answer(poll, { ...listOf(['b']), source: 's1' });
    harness.advance(600_000);
    expect(harness.callTypes()).toEqual([]);
    expect(harness.shown()).toEqual([]);
    expect(harness.core.nextDeadline()).toBeUndefined();
  });

  test('go on once, not twice, after unsubscribing and subscribing again', () => {
    const harness = following();
    harness.step({ type: 'unfollow', service: ORDERS });
    harness.step({ type: 'follow', service: ORDERS });
    harness.list(['a']);
    harness.advance(10_000);
    expect(harness.callTypes()).toEqual(['list']);
  });
});

describe('changes', () => {
  test('show what was added, removed and modified', () => {
    const harness = following({}, ['a', 'b', 'c']);
    harness.push(['b', { ip: 'c', weight: 5 }, 'd'], { lastRefTime: 2 });
    expect(harness.shown()).toEqual([{ ips: ['b', 'c', 'd'], added: ['d'], removed: ['a'], modified: ['c'] }]);
  });

  test.each([
    ['enabled', { enabled: false }],
    ['weight', { weight: 2 }],
    ['health', { healthy: false }],
    ['metadata', { metadata: { x: '1' } }],
  ])('of %s are seen once', (_name, members) => {
    const harness = following();
    harness.push([{ ip: 'a', ...members }], { lastRefTime: 2 });
    harness.push([{ ip: 'a', ...members }], { lastRefTime: 3 });
    expect(harness.shown()).toEqual([{ ips: ['a'], added: [], removed: [], modified: ['a'] }]);
  });

  test('of the order of hosts or of metadata keys are none', () => {
    const harness = following({}, []);
    harness.push([{ ip: 'a', metadata: { x: '1', y: '2' } }, 'b'], { lastRefTime: 2 });
    harness.shown();
    const before = harness.core.instances(ORDERS);
    harness.push(['b', { ip: 'a', metadata: { y: '2', x: '1' } }], { lastRefTime: 3 });
    expect(harness.shown()).toEqual([]);
    expect(harness.core.instances(ORDERS)).toBe(before);
  });

  test('BR-107 to an empty list are taken: the last instance that goes is gone', () => {
    const harness = following();
    harness.push([], { lastRefTime: 2 });
    expect(harness.shown()).toEqual([{ ips: [], added: [], removed: ['a'], modified: [] }]);
    expect(harness.core.instances(ORDERS)).toEqual([]);
  });

  test('keep the objects of instances that did not change', () => {
    const harness = following({}, ['a', 'b']);
    const [first] = harness.core.instances(ORDERS) ?? [];
    harness.push(['a', 'c'], { lastRefTime: 2 });
    expect(harness.core.instances(ORDERS)?.[0]).toBe(first);
  });

  test('go to the disk as the server sent them, and only when something changed', () => {
    const harness = following();
    harness.advance(10_000);
    harness.list(['a'], { lastRefTime: 9 });
    const kept = harness.effects.filter((effect) => effect.type === 'keep');
    expect(kept.map(({ text }) => text)).toEqual([listOf(['a']).text]);
  });

  test('of a service that nobody follows are ignored', () => {
    const harness = new CoreHarness();
    harness.push(['a']);
    expect(harness.effects).toEqual([]);
  });
});

describe('which list wins', () => {
  test('a poll answer that a push overtook does not bring the older list back, and the next question comes at once', () => {
    const harness = following({}, ['a'], { lastRefTime: 10 });
    harness.advance(10_000);
    const poll = harness.call('list');
    harness.advance(5);
    harness.push(['b'], { lastRefTime: 12 });
    harness.answer(poll, { ...listOf(['a'], { lastRefTime: 10 }), source: 's1' });
    expect(harness.core.instances(ORDERS)?.map(({ ip }) => ip)).toEqual(['b']);
    harness.advance(200);
    harness.list(['b'], { lastRefTime: 12 });
    expect(harness.shown()).toHaveLength(1);
  });

  test('the first poll answer after a push is taken, not dropped', () => {
    const harness = following({}, ['a'], { lastRefTime: 10 });
    harness.push(['b'], { lastRefTime: 12 });
    harness.advance(10_000);
    harness.list(['c'], { lastRefTime: 13 });
    expect(harness.core.instances(ORDERS)?.map(({ ip }) => ip)).toEqual(['c']);
  });

  test('BR-112 a push of an older version from the same server is refused and asked about', () => {
    const harness = following({}, ['a'], { lastRefTime: 10 });
    harness.push(['b'], { lastRefTime: 13 });
    harness.push(['a'], { lastRefTime: 12 });
    expect(harness.core.instances(ORDERS)?.map(({ ip }) => ip)).toEqual(['b']);
    harness.advance(200);
    expect(harness.callTypes()).toEqual(['list']);
  });

  test('BR-111 clocks of different servers are not compared', () => {
    const harness = following({}, ['a'], { lastRefTime: 1000 });
    harness.push(['b'], { lastRefTime: 5 }, 's2');
    expect(harness.core.instances(ORDERS)?.map(({ ip }) => ip)).toEqual(['b']);
  });

  test.each([
    ['one server', 's1', 's1'],
    ['two servers', 's1', 's2'],
  ])('BR-111 each content is shown once, whatever the versions of %s say', (_name, one, other) => {
    const harness = following({}, []);
    harness.push(['a'], { lastRefTime: 10 }, one);
    harness.push(['a'], { lastRefTime: 12 }, one);
    harness.push(['b'], { lastRefTime: 11 }, other);
    harness.push(['b'], { lastRefTime: 13 }, other);
    expect(harness.shown().map(({ ips }) => ips)).toEqual([['a'], ['b']]);
  });

  test('BR-112 a version an hour ahead freezes nothing: the next answer is taken', () => {
    const harness = following({}, ['a'], { lastRefTime: 3_600_000 });
    harness.push(['b'], { lastRefTime: 10 });
    harness.advance(200);
    harness.list(['b'], { lastRefTime: 10 });
    expect(harness.core.instances(ORDERS)?.map(({ ip }) => ip)).toEqual(['b']);
    harness.push(['c'], { lastRefTime: 11 });
    expect(harness.core.instances(ORDERS)?.map(({ ip }) => ip)).toEqual(['c']);
  });

  test('ten thousand pushes in a second end with the last one and one question', () => {
    const harness = following();
    for (let version = 2; version <= 10_001; version++) harness.push([`h${version}`], { lastRefTime: version });
    expect(harness.core.instances(ORDERS)?.map(({ ip }) => ip)).toEqual(['h10001']);
    expect(harness.callTypes()).toEqual([]);
  });
});

describe('protection against empty lists', () => {
  test('BR-108 keeps what was there while no host is usable, and takes the next usable list', () => {
    const harness = following({ emptyLists: 'keep' }, ['a', 'b', 'c']);
    harness.push([], { lastRefTime: 2 });
    harness.push([], { lastRefTime: 3, hosts: null });
    harness.push(
      [
        { ip: 'a', healthy: false },
        { ip: 'b', weight: 0 },
      ],
      { lastRefTime: 4 },
    );
    expect(harness.shown()).toEqual([]);
    expect(harness.notes()).toEqual(Array(3).fill('empty-list-ignored'));
    harness.push(['d'], { lastRefTime: 5 });
    expect(harness.core.instances(ORDERS)?.map(({ ip }) => ip)).toEqual(['d']);
    harness.push(['a', 'b'], { lastRefTime: 6 });
    expect(harness.core.instances(ORDERS)).toHaveLength(2);
  });

  test('takes an empty list that says it is complete', () => {
    const harness = following({ emptyLists: 'keep' });
    harness.push([], { lastRefTime: 2, allIPs: true });
    expect(harness.core.instances(ORDERS)).toEqual([]);
  });
});

describe('fail-over and cache', () => {
  const lists = (hosts: string[]) => new Map([[ORDERS.grouped, listOf(hosts).list]]);

  test('fail-over lists go before everything; live changes show when it is off again', () => {
    const harness = following();
    harness.step({ type: 'failover', lists: lists(['f']) });
    expect(harness.shown()).toEqual([{ ips: ['f'], added: ['f'], removed: ['a'], modified: [] }]);
    harness.push(['b'], { lastRefTime: 2 });
    expect(harness.shown()).toEqual([]);
    harness.step({ type: 'failover', lists: undefined });
    expect(harness.shown()).toEqual([{ ips: ['b'], added: ['b'], removed: ['f'], modified: [] }]);
  });

  test('a service without a fail-over list, or with an empty one, keeps its live list', () => {
    const harness = following();
    harness.step({ type: 'failover', lists: new Map() });
    harness.step({ type: 'failover', lists: lists([]) });
    expect(harness.core.instances(ORDERS)?.map(({ ip }) => ip)).toEqual(['a']);
  });

  test('a service followed during fail-over has its list at once', () => {
    const harness = new CoreHarness();
    harness.step({ type: 'failover', lists: lists(['f']) });
    harness.step({ type: 'follow', service: ORDERS });
    expect(harness.core.instances(ORDERS)?.map(({ ip }) => ip)).toEqual(['f']);
    harness.list(['a']);
    expect(harness.core.instances(ORDERS)?.map(({ ip }) => ip)).toEqual(['f']);
  });

  test('BR-142 a list from the disk is used until a server answers, and never after', () => {
    const harness = new CoreHarness();
    harness.step({ type: 'cached', lists: [listOf(['old']).list] });
    harness.step({ type: 'follow', service: ORDERS });
    expect(harness.shown()).toMatchObject([{ ips: ['old'] }]);
    harness.list(['new']);
    harness.step({ type: 'cached', lists: [listOf(['old']).list] });
    expect(harness.core.instances(ORDERS)?.map(({ ip }) => ip)).toEqual(['new']);
  });
});
