import { describe, expect, test } from 'vitest';
import { CoreHarness, ORDERS } from './core-harness.test-support.js';

function held(options = {}): CoreHarness {
  const harness = new CoreHarness();
  harness.register(options);
  harness.accept();
  harness.outcomes();
  return harness;
}

describe('beats', () => {
  test('the first comes one interval after the answer, not after 10 s as in npm nacos; it is full, then light', () => {
    const harness = held();
    harness.advance(4999);
    expect(harness.callTypes()).toEqual([]);
    harness.advance(1);
    expect(harness.nowMs).toBe(5000);
    harness.beat();
    harness.advance(5000);
    expect(harness.callTypes()).toEqual(['light beat']);
  });

  test('the next comes one interval after the answer, however late that is', () => {
    const harness = held();
    harness.advance(5000);
    const beat = harness.call('beat');
    harness.advance(12_000);
    expect(harness.callTypes()).toEqual([]);
    harness.answer(beat, { intervalMs: 5000, instance: 'known', lightBeats: true });
    harness.advance(4999);
    expect(harness.callTypes()).toEqual([]);
    harness.advance(1);
    expect(harness.callTypes()).toEqual(['light beat']);
  });

  test('the interval is the one that the server gave last', () => {
    const harness = held();
    harness.advance(5000);
    harness.beat({ intervalMs: 2000 });
    harness.advance(2000);
    harness.beat({ intervalMs: 9000 });
    harness.advance(8999);
    expect(harness.callTypes()).toEqual([]);
    harness.advance(1);
    expect(harness.callTypes()).toEqual(['light beat']);
  });

  test('the interval of the metadata holds for the first beat and after failures', () => {
    const harness = held({ metadata: { 'preserved.heart.beat.interval': '3000' } });
    harness.advance(3000);
    harness.fail(harness.call('beat'));
    harness.advance(3000);
    expect(harness.callTypes()).toEqual(['full beat']);
  });

  test('a server that does not offer light beats gets full ones', () => {
    const harness = held();
    for (let round = 0; round < 3; round++) {
      harness.advance(5000);
      const beat = harness.call('beat');
      expect(beat.call.form).toBe('full');
      harness.answer(beat, { intervalMs: 5000, instance: 'known', lightBeats: false });
    }
  });

  test('one slow beat holds up no other', () => {
    const harness = held();
    harness.register({ port: 8081 });
    harness.accept();
    harness.advance(5000);
    const [first, second] = harness.calls();
    if (first === undefined || second?.call.type !== 'beat') throw new Error('expected two beats');
    harness.answer(second as never, { intervalMs: 5000, instance: 'known', lightBeats: true } as never);
    harness.advance(5000);
    expect(harness.call('beat').call.instance.port).toBe(8081);
  });

  test('a persistent instance has none', () => {
    const harness = held({ ephemeral: false });
    harness.advance(600_000);
    expect(harness.callTypes()).toEqual([]);
  });
});

describe('an instance that the server does not know any more', () => {
  test('BR-122 is registered at once with all that was registered first', () => {
    const options = { cluster: 'c1', weight: 2.5, enabled: false, metadata: { a: '1' } };
    const harness = held(options);
    harness.advance(5000);
    harness.beat({ instance: 'unknown', lightBeats: false });
    const { call } = harness.call('register');
    expect(call.instance).toMatchObject({ ...options, ip: '10.0.0.1', port: 8080, ephemeral: true });
    expect(call.service).toEqual(ORDERS);
  });

  test('BR-125 is registered with what it was changed to, and so are its beats', () => {
    const harness = held({ metadata: { v: '1' } });
    harness.register({ metadata: { v: '2' } });
    harness.accept();
    harness.advance(5000);
    const beat = harness.call('beat');
    expect(beat.call).toMatchObject({ form: 'full', instance: { metadata: { v: '2' } } });
    harness.answer(beat, { intervalMs: 5000, instance: 'unknown', lightBeats: false });
    expect(harness.call('register').call.instance.metadata).toEqual({ v: '2' });
  });

  test('beats go on after it was registered again, and after tries that failed', () => {
    const harness = held();
    harness.advance(5000);
    harness.beat({ instance: 'unknown', lightBeats: false });
    harness.fail(harness.call('register'), 'access-denied');
    harness.advance(500);
    harness.accept();
    harness.advance(5000);
    expect(harness.callTypes()).toEqual(['full beat']);
  });
});

describe('registering', () => {
  test('a refusal reaches the caller and nothing is kept', () => {
    const harness = new CoreHarness();
    harness.register();
    harness.fail(harness.call('register'), 'access-denied');
    expect(harness.outcomes()).toEqual(['1 access-denied']);
    expect(harness.core.registrationCount).toBe(0);
    harness.advance(600_000);
    expect(harness.callTypes()).toEqual([]);
  });

  test('without a server it is tried again, waiting longer each time, and the caller is told once it works', () => {
    const harness = new CoreHarness({}, () => 0.999_999);
    harness.register();
    const waits: number[] = [];
    for (let round = 0; round < 7; round++) {
      harness.fail(harness.call('register'));
      const from = harness.nowMs;
      harness.advance((harness.core.nextDeadline() as number) - from);
      waits.push(harness.nowMs - from);
    }
    expect(waits).toEqual([1000, 2000, 4000, 8000, 16_000, 30_000, 30_000]);
    expect(harness.outcomes()).toEqual([]);
    harness.accept();
    expect(harness.outcomes()).toEqual(['1 done']);
    expect(harness.notes()).toEqual(['registration-failed', 'instance-registered']);
  });

  test('jitter spreads a thousand clients over half of the wait', () => {
    let seed = 1;
    const random = () => {
      seed = (seed * 16_807) % 2_147_483_647;
      return seed / 2_147_483_647;
    };
    const buckets = new Array<number>(5).fill(0);
    for (let client = 0; client < 1000; client++) {
      const harness = new CoreHarness({}, random);
      harness.register();
      harness.fail(harness.call('register'));
      const waitMs = harness.core.nextDeadline() as number;
      expect(waitMs).toBeGreaterThanOrEqual(500);
      expect(waitMs).toBeLessThanOrEqual(1000);
      buckets[Math.min(4, Math.floor((waitMs - 500) / 100))] =
        (buckets[Math.min(4, Math.floor((waitMs - 500) / 100))] ?? 0) + 1;
    }
    for (const count of buckets) expect(count).toBeGreaterThan(120);
  });

  test('at most 64 are on their way; the others follow in order', () => {
    const harness = new CoreHarness();
    for (let port = 1; port <= 100; port++) harness.register({ port });
    const first = harness.calls();
    expect(first).toHaveLength(64);
    harness.answer(first[0] as never, undefined as never);
    expect(harness.call('register').call.instance.port).toBe(65);
  });

  test('BR-120 twice for one address is one registration with the second content, and one stream of beats', () => {
    const harness = held();
    harness.register({ weight: 7 });
    harness.accept();
    harness.advance(5000);
    const beat = harness.call('beat');
    expect(beat.call.instance.weight).toBe(7);
    harness.answer(beat, { intervalMs: 5000, instance: 'known', lightBeats: true });
    harness.deregister();
    harness.answer(harness.call('deregister'), undefined);
    harness.advance(60_000);
    expect(harness.callTypes()).toEqual([]);
  });

  test('a change while the first is on its way is sent after it, and both callers are told then', () => {
    const harness = new CoreHarness();
    harness.register();
    harness.register({ weight: 2 });
    harness.register({ weight: 3 });
    harness.accept();
    const second = harness.call('register');
    expect(second.call.instance.weight).toBe(3);
    expect(harness.outcomes()).toEqual([]);
    harness.answer(second, undefined);
    expect(harness.outcomes()).toEqual(['1 done', '2 done', '3 done']);
  });
});

describe('deregistering', () => {
  test('BR-121 nothing registers after it: a beat that was on its way comes back with "not found"', () => {
    const harness = held();
    harness.advance(5000);
    harness.beat();
    harness.advance(5000);
    const beat = harness.call('beat');
    expect(beat.call.form).toBe('light');
    harness.deregister();
    harness.answer(harness.call('deregister'), undefined);
    harness.answer(beat, { intervalMs: 5000, instance: 'unknown', lightBeats: false });
    harness.advance(60_000);
    expect(harness.callTypes()).toEqual([]);
    expect(harness.outcomes()).toEqual(['2 done']);
    expect(harness.core.registrationCount).toBe(0);
  });

  test('a full beat that was on its way is followed by a second deregistration', () => {
    const harness = held();
    harness.advance(5000);
    const beat = harness.call('beat');
    harness.deregister();
    harness.answer(harness.call('deregister'), undefined);
    expect(harness.outcomes()).toEqual(['2 done']);
    harness.answer(beat, { intervalMs: 5000, instance: 'known', lightBeats: true });
    harness.answer(harness.call('deregister'), undefined);
    expect(harness.core.registrationCount).toBe(0);
    expect(harness.core.nextDeadline()).toBeUndefined();
  });

  test('while the register call is on its way it waits for the answer, whatever that is', () => {
    const harness = new CoreHarness();
    harness.register();
    const register = harness.call('register');
    harness.deregister();
    expect(harness.callTypes()).toEqual([]);
    harness.fail(register, 'deadline-exceeded');
    harness.answer(harness.call('deregister'), undefined);
    expect(harness.outcomes()).toEqual(['1 closed', '2 done']);
  });

  test('before anything was sent there is nothing to send', () => {
    const harness = new CoreHarness();
    for (let port = 1; port <= 64; port++) harness.register({ port });
    harness.calls();
    harness.register();
    const operation = harness.deregister();
    expect(harness.outcomes()).toEqual(['65 closed', `${operation} done`]);
    expect(harness.callTypes()).toEqual([]);
  });

  test('tells what the server says of its subscribers, and passes the wait on', () => {
    const harness = held();
    harness.deregister({ awaitSubscribersMs: 3000 });
    const call = harness.call('deregister');
    expect(call.call.awaitSubscribersMs).toBe(3000);
    const subscribers = { acknowledged: 4, pending: 1, waitedMs: 38 };
    harness.answer(call, subscribers);
    expect(harness.effects).toContainEqual({ type: 'settled', operation: 2, outcome: { type: 'done', subscribers } });
  });

  test('a failure reaches the caller, and beats stay away', () => {
    const harness = held();
    harness.deregister();
    harness.fail(harness.call('deregister'));
    expect(harness.outcomes()).toEqual(['2 unreachable']);
    harness.advance(60_000);
    expect(harness.callTypes()).toEqual([]);
  });

  test('registered again while it goes: it is registered after the answer', () => {
    const harness = held();
    harness.deregister();
    harness.register({ weight: 3 });
    harness.answer(harness.call('deregister'), undefined);
    expect(harness.call('register').call.instance.weight).toBe(3);
    expect(harness.outcomes()).toEqual(['2 done']);
  });

  test('the end of an older registration leaves a newer one for the same address alone', () => {
    const harness = held();
    harness.register({ weight: 2 });
    harness.accept();
    harness.outcomes();
    harness.deregister({ onlyOf: 1 });
    expect(harness.outcomes()).toEqual(['3 done']);
    expect(harness.callTypes()).toEqual([]);
    harness.deregister({ onlyOf: 2 });
    expect(harness.callTypes()).toEqual(['deregister']);
  });

  test('an instance that this client never registered can be deregistered', () => {
    const harness = new CoreHarness();
    harness.deregister();
    harness.answer(harness.call('deregister'), undefined);
    expect(harness.outcomes()).toEqual(['1 done']);
  });
});
