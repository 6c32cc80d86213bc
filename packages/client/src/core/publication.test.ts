import { serviceKey } from '@rollcall/protocol';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import type { CallEffect } from './client-effect.js';
import { CoreHarness } from './core-harness.test-support.js';
import { type RegisteredInstance, registeredInstance } from './instance.js';
import type { PublishCall } from './registry-call.js';

/** A core over a connection, with calls in short: `1,2` for the ports that are published. */
class Connected extends CoreHarness {
  constructor() {
    super({}, () => 0, 'connection');
  }

  publish(): (CallEffect & { call: PublishCall }) & { ports: string } {
    const effect = this.call('publish');
    return Object.assign(effect, { ports: portsOf(effect.call) });
  }

  answerPublish(): string {
    const effect = this.publish();
    this.answer(effect, undefined);
    return effect.ports;
  }

  lose(): void {
    this.step({ type: 'lost' });
  }

  open(): void {
    this.step({ type: 'opened', keeping: 'connection' });
  }
}

function portsOf(call: Pick<PublishCall, 'instances'>): string {
  return call.instances.map(({ port, weight }) => (weight === 1 ? String(port) : `${port}*${weight}`)).join();
}

describe('instances over a connection', () => {
  it('go whole, one call at a time: what comes meanwhile is in the next', () => {
    const core = new Connected();
    core.register({ port: 1 });
    const first = core.publish();
    core.register({ port: 2 });
    core.register({ port: 3 });
    expect([first.ports, core.callTypes(), core.outcomes()]).toEqual(['1', [], []]);
    core.answer(first, undefined);
    expect(core.outcomes()).toEqual(['1 done']);
    expect(core.answerPublish()).toBe('1,2,3');
    expect(core.outcomes()).toEqual(['2 done', '3 done']);
  });

  it('need no beats, and nothing is ever due while all is well', () => {
    const core = new Connected();
    core.register();
    core.answerPublish();
    core.advance(3_600_000);
    expect(core.callTypes()).toEqual([]);
    expect(core.core.nextDeadline()).toBeUndefined();
  });

  it('are changed by what was registered last', () => {
    const core = new Connected();
    core.register({ port: 1 });
    const first = core.publish();
    core.register({ port: 1, weight: 2 });
    core.register({ port: 1, weight: 3 });
    core.answer(first, undefined);
    expect(core.answerPublish()).toBe('1*3');
    expect(core.outcomes()).toEqual(['1 done', '2 done', '3 done']);
  });

  it('that are taken out leave the others, and the last leaves nothing', () => {
    const core = new Connected();
    core.register({ port: 8080 });
    core.answerPublish();
    core.register({ port: 2 });
    core.answerPublish();
    core.deregister({ awaitSubscribersMs: 700 });
    const left = core.publish();
    expect([left.ports, left.call.awaitSubscribersMs, left.call.removed?.port]).toEqual(['2', 700, 8080]);
    core.answer(left, { acknowledged: 3, pending: 0, waitedMs: 5 });
    const settled = core.effects.filter((effect) => effect.type === 'settled').at(-1);
    expect(settled?.outcome).toEqual({ type: 'done', subscribers: { acknowledged: 3, pending: 0, waitedMs: 5 } });
    core.deregister({ instance: { ...(core.core.wanted()[0]?.instance as RegisteredInstance) } });
    expect(core.answerPublish()).toBe('');
    expect(core.core.registrationCount).toBe(0);
  });

  it('that were never told to a server are taken out without a call', () => {
    const core = new Connected();
    core.lose();
    core.register();
    core.deregister();
    expect(core.outcomes()).toEqual(['1 closed', '2 done']);
    core.open();
    expect(core.callTypes()).toEqual([]);
    expect(core.core.registrationCount).toBe(0);
  });

  it('that are taken out while their call is on its way are taken out after it', () => {
    const core = new Connected();
    core.register();
    const first = core.publish();
    core.deregister();
    expect(core.outcomes()).toEqual(['1 closed']);
    core.answer(first, undefined);
    expect(core.answerPublish()).toBe('');
    expect(core.outcomes()).toEqual(['2 done']);
  });

  it('are held only while the connection is', () => {
    const core = new Connected();
    core.register();
    const held = () => core.core.wanted().map(({ service, instance }) => core.core.isHeld(service, instance));
    expect(held()).toEqual([false]);
    core.answerPublish();
    expect(held()).toEqual([true]);
    core.lose();
    expect(held()).toEqual([false]);
    core.open();
    expect(held()).toEqual([false]);
    core.answerPublish();
    expect(held()).toEqual([true]);
  });
});

describe('a new connection', () => {
  it('is told everything at once', () => {
    const core = new Connected();
    for (const port of [1, 2]) {
      core.register({ port });
      core.answerPublish();
    }
    core.lose();
    core.advance(600_000);
    expect(core.callTypes()).toEqual([]);
    core.open();
    expect(core.answerPublish()).toBe('1,2');
  });

  it('BR-067 is told those that were left, not those that were there once', () => {
    const core = new Connected();
    for (const port of [1, 2, 3]) {
      core.register({ port });
      core.answerPublish();
    }
    const deregister = (port: number) => core.deregister({ instance: registeredInstance({ ip: '10.0.0.1', port }) });
    deregister(2);
    expect(core.answerPublish()).toBe('1,3');
    core.lose();
    core.open();
    expect(core.answerPublish()).toBe('1,3');
    deregister(1);
    expect(core.answerPublish()).toBe('3');
    deregister(3);
    expect(core.answerPublish()).toBe('');
    core.lose();
    core.open();
    expect(core.callTypes()).toEqual([]);
  });

  it('BR-114 is told the newest content, and nothing that was replaced or taken out', () => {
    const core = new Connected();
    for (const options of [{ port: 8080 }, { port: 2 }, { port: 2, weight: 5 }]) {
      core.register(options);
      core.answerPublish();
    }
    core.deregister();
    core.answerPublish();
    core.lose();
    core.open();
    expect(core.answerPublish()).toBe('2*5');
  });

  it('is told again what the former one took while it ended', () => {
    const core = new Connected();
    core.register();
    const first = core.publish();
    core.lose();
    core.open();
    expect(core.callTypes()).toEqual([]);
    core.fail(first);
    expect(core.answerPublish()).toBe('8080');
    expect(core.outcomes()).toEqual(['1 done']);
  });

  it('that replaces one without a loss is told everything too, and an answer over the former counts for nothing', () => {
    const core = new Connected();
    core.register();
    const first = core.publish();
    core.open();
    core.answer(first, undefined);
    expect(core.outcomes()).toEqual([]);
    expect(core.answerPublish()).toBe('8080');
    expect(core.outcomes()).toEqual(['1 done']);
  });

  it('BR-121 takes nothing out: what was on its way out went with the former one', () => {
    const core = new Connected();
    core.register();
    core.answerPublish();
    core.outcomes();
    core.deregister();
    const leaving = core.publish();
    core.lose();
    core.fail(leaving);
    expect(core.outcomes()).toEqual(['2 done']);
    core.open();
    expect(core.callTypes()).toEqual([]);
  });
});

it('BR-121 what waited for the former connection is not told to the new one when it is not wanted any more', () => {
  const core = new Connected();
  const instance = registeredInstance({ ip: '10.0.0.1', port: 8080 });
  for (let i = 0; i < 64; i++) {
    const service = serviceKey('public', 'DEFAULT_GROUP', `busy${i}`);
    core.step({ type: 'register', operation: 1000 + i, service, instance });
  }
  const busy = core.calls();
  expect(busy).toHaveLength(64);
  core.register();
  expect(core.callTypes()).toEqual([]);
  core.lose();
  core.deregister();
  core.open();
  for (const call of busy) core.fail(call);
  const services = core.calls().map(({ call }) => (call.type === 'publish' ? call.service.name : call.type));
  expect(services).toHaveLength(64);
  expect(services).not.toContain('orders');
});

describe('a server that does not take it', () => {
  it('for the moment is asked again, later each time', () => {
    const core = new Connected();
    core.register();
    const waits: number[] = [];
    for (let i = 0; i < 7; i++) {
      core.fail(core.publish(), 'unavailable');
      waits.push((core.core.nextDeadline() ?? 0) - core.nowMs);
      core.advance(waits.at(-1) ?? 0);
    }
    expect(waits).toEqual([500, 1000, 2000, 4000, 8000, 15_000, 15_000]);
    core.answerPublish();
    expect(core.outcomes()).toEqual(['1 done']);
    expect(core.notes()).toEqual(['registration-failed', 'instances-registered']);
  });

  it('refuses one of many: that one fails, the others are registered', () => {
    const core = new Connected();
    core.register({ port: 1 });
    const first = core.publish();
    for (const port of [2, 3, 4]) core.register({ port });
    core.answer(first, undefined);
    core.outcomes();
    const sent: string[] = [];
    while (core.effects.some((effect) => effect.type === 'call')) {
      const call = core.publish();
      sent.push(call.ports);
      if (call.ports.includes('3')) core.fail(call, 'invalid-parameter');
      else core.answer(call, undefined);
    }
    expect(sent).toEqual(['1,2,3,4', '1,2', '1,2,3', '1,2,4']);
    expect(core.outcomes().sort()).toEqual(['2 done', '3 invalid-parameter', '4 done']);
    expect(core.notes().filter((event) => event === 'registration-failed')).toHaveLength(1);
    expect(core.core.wanted().map(({ instance }) => instance.port)).toEqual([1, 2, 4]);
  });

  it('refuses another content: the former stays', () => {
    const core = new Connected();
    core.register({ weight: 2 });
    core.answerPublish();
    core.register({ weight: 3 });
    core.fail(core.publish(), 'invalid-weight');
    expect(core.outcomes()).toEqual(['1 done', '2 invalid-weight']);
    core.lose();
    core.open();
    expect(core.answerPublish()).toBe('8080*2');
  });

  it('refuses what it took before: it is asked again, nothing is given up', () => {
    const core = new Connected();
    core.register();
    core.answerPublish();
    core.lose();
    core.open();
    core.fail(core.publish(), 'access-denied');
    expect(core.core.wanted()).toHaveLength(1);
    core.advance(500);
    expect(core.answerPublish()).toBe('8080');
  });
});

it('whatever happens, the server ends with exactly what is wanted, and each operation ends once', () => {
  const wish = fc.record({
    kind: fc.constantFrom('register', 'deregister'),
    port: fc.integer({ min: 1, max: 4 }),
    weight: fc.integer({ min: 1, max: 3 }),
  });
  const world = fc.record({
    kind: fc.constantFrom('answer', 'fail', 'refuse', 'lose', 'open', 'wait'),
    port: fc.constant(0),
    weight: fc.constant(0),
  });
  fc.assert(
    fc.property(fc.array(fc.oneof(wish, world), { maxLength: 60 }), (events) => {
      const core = new Connected();
      const settled = new Map<string, number>();
      let operations = 0;
      let isOpen = true;
      let atServer = '';
      const onTheirWay: CallEffect[] = [];
      const take = (): void => {
        onTheirWay.push(...core.calls());
        for (const outcome of core.outcomes()) {
          const number = outcome.split(' ')[0] as string;
          settled.set(number, (settled.get(number) ?? 0) + 1);
        }
      };
      const answer = (refuse: boolean): void => {
        const [effect] = onTheirWay.splice(0, 1);
        if (effect === undefined) return;
        if (effect.call.type !== 'publish' || !isOpen) core.fail(effect, 'not-found');
        else if (refuse && effect.call.instances.length > 0) core.fail(effect, 'invalid-parameter');
        else {
          atServer = portsOf(effect.call);
          core.answer(effect as CallEffect & { call: PublishCall }, undefined);
        }
      };
      const lose = (): void => {
        if (!isOpen) return;
        isOpen = false;
        atServer = '';
        core.lose();
        for (const effect of onTheirWay.splice(0)) core.fail(effect);
      };
      const open = (): void => {
        if (isOpen) return;
        isOpen = true;
        core.open();
      };
      for (const { kind, port, weight } of events) {
        if (kind === 'register' || kind === 'deregister') operations++;
        if (kind === 'register') core.register({ port, weight });
        else if (kind === 'deregister') core.deregister({ instance: registeredInstance({ ip: '10.0.0.1', port }) });
        else if (kind === 'answer') answer(false);
        else if (kind === 'refuse') answer(true);
        else if (kind === 'fail') {
          const [effect] = onTheirWay.splice(0, 1);
          if (effect !== undefined) core.fail(effect, 'unavailable');
        } else if (kind === 'lose') lose();
        else if (kind === 'open') open();
        else core.advance(1000);
        take();
        expect(onTheirWay.filter(({ call }) => call.type === 'publish').length).toBeLessThanOrEqual(1);
      }
      open();
      take();
      for (let i = 0; i < 40; i++) {
        answer(false);
        take();
        if (onTheirWay.length === 0) core.advance(1000);
        take();
      }
      const wanted = core.core.wanted().map(({ instance }) => instance);
      expect(atServer).toBe(portsOf({ instances: wanted }));
      expect(settled.size).toBe(operations);
      expect([...settled.values()].every((times) => times === 1)).toBe(true);
    }),
    { numRuns: 300 },
  );
});
