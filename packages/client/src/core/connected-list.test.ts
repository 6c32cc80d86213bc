import { describe, expect, it } from 'vitest';
import { CoreHarness, listOf, ORDERS } from './core-harness.test-support.js';

function following(): CoreHarness {
  const core = new CoreHarness({}, () => 0, 'connection');
  core.step({ type: 'follow', service: ORDERS });
  core.list(['a'], {}, 'server#1');
  core.shown();
  return core;
}

describe('a list that is followed over a connection', () => {
  it('is asked for once a minute only: what changes is pushed', () => {
    const core = following();
    core.advance(59_999);
    expect(core.callTypes()).toEqual([]);
    core.advance(1);
    expect(core.callTypes()).toEqual(['list']);
  });

  it('is asked for again at once over a new connection, and stays as it was meanwhile', () => {
    const core = following();
    core.step({ type: 'lost' });
    core.advance(10_000);
    expect([core.callTypes(), core.shown()]).toEqual([[], []]);
    expect(core.core.instances(ORDERS)?.map(({ ip }) => ip)).toEqual(['a']);
    core.step({ type: 'opened', keeping: 'connection' });
    core.list(['b'], { lastRefTime: 0 }, 'server#2');
    expect(core.shown()).toMatchObject([{ ips: ['b'] }]);
  });

  it('is asked for again when the answer over the former connection comes after the new one', () => {
    const core = new CoreHarness({}, () => 0, 'connection');
    core.step({ type: 'follow', service: ORDERS });
    const first = core.call('list');
    core.step({ type: 'opened', keeping: 'connection' });
    core.answer(first, { ...listOf(['old']), source: 'server#1' });
    expect(core.shown()).toEqual([]);
    core.list(['new'], {}, 'server#2');
    expect(core.shown()).toMatchObject([{ ips: ['new'] }]);
  });

  it('is unsubscribed when nobody wants it, unless the connection is gone', () => {
    const core = following();
    core.step({ type: 'unfollow', service: ORDERS });
    expect(core.callTypes()).toEqual(['unfollow']);
    core.step({ type: 'unfollow', service: ORDERS });
    expect(core.callTypes()).toEqual([]);
    const gone = following();
    gone.step({ type: 'lost' });
    gone.step({ type: 'unfollow', service: ORDERS });
    gone.step({ type: 'opened', keeping: 'connection' });
    expect(gone.callTypes()).toEqual([]);
  });
});

describe('before it is known what keeps instances', () => {
  function undecided(): CoreHarness {
    return new CoreHarness({}, () => 0, 'unknown');
  }

  it('they wait, and are kept by beats when that is what the server wants', () => {
    const core = undecided();
    core.register();
    core.register({ port: 2 });
    core.register({ port: 2, weight: 2 });
    core.step({ type: 'follow', service: ORDERS });
    expect(core.callTypes()).toEqual([]);
    core.step({ type: 'opened', keeping: 'beats' });
    const calls = core.calls();
    expect(calls.map(({ call }) => call.type)).toEqual(['list', 'register', 'register']);
    expect(core.core.registrationCount).toBe(2);
  });

  it('one that is not wanted any more is never registered', () => {
    const core = undecided();
    core.register();
    core.deregister();
    expect(core.outcomes()).toEqual(['1 closed', '2 done']);
    core.step({ type: 'opened', keeping: 'beats' });
    expect(core.callTypes()).toEqual([]);
  });
});
