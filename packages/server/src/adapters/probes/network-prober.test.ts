import { nodeTimers, systemClock } from '@rollcall/runtime';
import { ManualClock } from '@rollcall/runtime/testing';
import { afterEach, describe, expect, it } from 'vitest';
import { HostLookup } from './host-lookup.js';
import { networkProber } from './network-prober.js';
import { type Listener, listen } from './probe-listeners.test-support.js';

const TCP = { type: 'TCP' } as const;
const probe = networkProber({ clock: systemClock, timers: nodeTimers });

const listeners: Listener[] = [];
afterEach(async () => {
  for (const listener of listeners.splice(0)) await listener.close();
});

describe('networkProber', () => {
  it('probes addresses and names', async () => {
    const listener = await listen(() => undefined);
    listeners.push(listener);
    const plan = { checker: TCP, port: listener.port };
    expect(await probe('127.0.0.1', plan)).toMatchObject({ type: 'ok' });
    expect((await probe('localhost', plan)).type).not.toBe('not-probed');
  });

  it.each(['169.254.169.254', 'fe80::1', '100.100.100.200', '0.0.0.0'])('does not connect to %s', async (host) => {
    expect(await probe(host, { checker: TCP, port: 80 })).toMatchObject({
      type: 'not-probed',
      detail: 'address is not allowed',
    });
  });

  it('BR-150 probes IPv6 in brackets, under the same rule', async () => {
    const plan = { checker: TCP, port: 80 };
    for (const host of ['fe80::1', '[fe80::1]', '[::ffff:169.254.169.254]'])
      expect(await probe(host, plan)).toMatchObject({ type: 'not-probed', detail: 'address is not allowed' });
    expect((await probe('[::1]', { checker: TCP, port: 1 })).type).toBe(
      (await probe('::1', { checker: TCP, port: 1 })).type,
    );
  });

  it.each([0, -1, 65_536])('does not connect to port %d', async (port) => {
    expect(await probe('127.0.0.1', { checker: TCP, port })).toMatchObject({ type: 'not-probed' });
  });

  it('makes no MySQL statement that could write', async () => {
    const checker = { type: 'MYSQL', user: 'u', pwd: 'p', cmd: 'DELETE FROM t' } as const;
    expect(await probe('127.0.0.1', { checker, port: 3306 })).toMatchObject({ type: 'not-probed' });
  });
});

describe('HostLookup', () => {
  it('runs two look-ups at once and keeps answers for 30 s', async () => {
    const clock = new ManualClock();
    const asked: string[] = [];
    const answers: (() => void)[] = [];
    const names = new HostLookup(clock, (name) => {
      asked.push(name);
      return new Promise((resolve) => answers.push(() => resolve([`address of ${name}`])));
    });
    const found = Promise.all(['a', 'b', 'c', 'a'].map((name) => names.find(name)));
    expect(asked).toEqual(['a', 'b']);
    answers[0]?.();
    await new Promise((resolve) => setImmediate(resolve));
    expect(asked).toEqual(['a', 'b', 'c']);
    for (const answer of answers) answer();
    expect((await found).flat()).toEqual(['address of a', 'address of b', 'address of c', 'address of a']);
    clock.advance(29_999);
    void names.find('a');
    expect(asked).toHaveLength(3);
    clock.advance(1);
    void names.find('a');
    expect(asked).toEqual(['a', 'b', 'c', 'a']);
  });
});
