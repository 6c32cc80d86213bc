import { nodeTimers } from '@rollcall/runtime';
import { afterEach, describe, expect, it } from 'vitest';
import { probeHttp, readHeaders } from './http-probe.js';
import { closedPort, type Listener, listen } from './probe-listeners.test-support.js';
import type { ProbeOutcome } from './probe-outcome.js';

const listeners: Listener[] = [];
afterEach(async () => {
  for (const listener of listeners.splice(0)) await listener.close();
});

interface Asked {
  readonly path?: string;
  readonly headers?: string;
  readonly timeoutMs?: number;
}

function ask(port: number, { path = '/health', headers = '', timeoutMs = 500 }: Asked = {}): Promise<ProbeOutcome> {
  const checker = { type: 'HTTP', path, headers, expectedResponseCode: 201 } as const;
  return probeHttp({ ip: '127.0.0.1', port, checker, timeoutMs }, nodeTimers);
}

async function answering(text: string): Promise<Listener> {
  const listener = await listen((socket) => socket.once('data', () => socket.write(text)));
  listeners.push(listener);
  return listener;
}

const head = (status: string, ...fields: readonly string[]) =>
  `HTTP/1.1 ${[status, ...fields].join('\r\n')}\r\nContent-Length: 1000000\r\n\r\n`;

describe('probeHttp', () => {
  it('200 is well, without waiting for the body', async () => {
    const { port } = await answering(head('200 OK'));
    expect(await ask(port)).toMatchObject({ type: 'ok' });
  });

  it.each([201, 204, 301, 302, 400, 404, 500, 503])(
    '%d is a bad status, whatever status is expected',
    async (status) => {
      const { port } = await answering(head(`${status} Status`));
      expect(await ask(port)).toMatchObject({ type: 'bad-status', status });
    },
  );

  it('does not follow a redirect', async () => {
    const aim = await answering(head('200 OK'));
    const { port } = await answering(head('302 Found', `Location: http://127.0.0.1:${aim.port}/`));
    expect(await ask(port)).toMatchObject({ type: 'bad-status', status: 302 });
    expect(aim.received).toEqual([]);
  });

  it('sends path and headers of the checker', async () => {
    const listener = await answering(head('200 OK'));
    await ask(listener.port, { path: 'a/b?c=d', headers: 'Host:shop.example|X-Probe: 1 |broken' });
    const lines = listener.received.join('').split('\r\n');
    expect(lines[0]).toBe('GET /a/b?c=d HTTP/1.1');
    expect(lines).toEqual(expect.arrayContaining(['Host: shop.example', 'X-Probe: 1', 'Connection: close']));
  });

  it('silence is a time-out', async () => {
    const { port } = await answering('');
    expect(await ask(port, { timeoutMs: 50 })).toMatchObject({ type: 'timeout' });
  });

  it('a head that never ends is a time-out', async () => {
    const { port } = await answering('HTTP/1.1 200 OK\r\nX-Slow: ');
    expect(await ask(port, { timeoutMs: 50 })).toMatchObject({ type: 'timeout' });
  });

  it.each([
    ['a head that is too long', `HTTP/1.1 200 OK\r\nX-Long: ${'x'.repeat(20_000)}\r\n\r\n`],
    ['what is no HTTP', 'SSH-2.0-OpenSSH\r\n'],
  ])('%s is an error', async (_, text) => {
    const { port } = await answering(text);
    expect(await ask(port)).toMatchObject({ type: 'error' });
  });

  it('a reset is an error, a closed port a refusal', async () => {
    const resetting = await listen((socket) => void socket.resetAndDestroy());
    listeners.push(resetting);
    expect(await ask(resetting.port)).toMatchObject({ type: 'error' });
    expect(await ask(await closedPort())).toMatchObject({ type: 'refused' });
  });

  it.each([{ path: '/a b' }, { path: '/a\r\nX: y' }, { headers: 'a b:c' }, { headers: 'a:b\r\nc: d' }])(
    'does not send %o',
    async (asked) => {
      const listener = await answering(head('200 OK'));
      expect(await ask(listener.port, asked)).toMatchObject({ type: 'not-probed' });
      expect(listener.received).toEqual([]);
    },
  );
});

describe('readHeaders', () => {
  it('reads pairs, leaving out what is none', () => {
    expect(readHeaders('a:b|c: d:e |:x|nothing|')).toEqual({ a: 'b', c: 'd:e' });
    expect(readHeaders('')).toEqual({});
  });
});
