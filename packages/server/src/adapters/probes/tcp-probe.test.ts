import { nodeTimers, type Timers } from '@rollcall/runtime';
import { afterEach, describe, expect, it } from 'vitest';
import { closedPort, type Listener, listen } from './probe-listeners.test-support.js';
import { probeTcp } from './tcp-probe.js';

const listeners: Listener[] = [];
afterEach(async () => {
  for (const listener of listeners.splice(0)) await listener.close();
});

async function outcomeOf(listener: Listener): Promise<string> {
  listeners.push(listener);
  return (await probeTcp({ ip: '127.0.0.1', port: listener.port, timeoutMs: 500 }, nodeTimers)).type;
}

describe('probeTcp', () => {
  it('is well when the connection is made, and sends nothing', async () => {
    const listener = await listen(() => undefined);
    expect(await outcomeOf(listener)).toBe('ok');
    expect(listener.received).toEqual([]);
  });

  it('is well with a target that resets every connection', async () => {
    expect(await outcomeOf(await listen((socket) => void socket.resetAndDestroy()))).toBe('ok');
  });

  it('a closed port refuses', async () => {
    const outcome = await probeTcp({ ip: '127.0.0.1', port: await closedPort(), timeoutMs: 500 }, nodeTimers);
    expect(outcome).toMatchObject({ type: 'refused', detail: 'ECONNREFUSED' });
  });

  it('a connection that is not made in time is a time-out', async () => {
    const listener = await listen(() => undefined);
    listeners.push(listener);
    // The time is over before the system has said anything.
    const atOnce: Timers = {
      ...nodeTimers,
      once: (_, callback) => {
        queueMicrotask(callback);
        return { cancel: () => undefined };
      },
    };
    expect(await probeTcp({ ip: '127.0.0.1', port: listener.port, timeoutMs: 500 }, atOnce)).toMatchObject({
      type: 'timeout',
    });
  });
});
