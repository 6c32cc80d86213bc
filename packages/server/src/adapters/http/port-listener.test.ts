// Who serves a connection, by its first bytes, and how a port ends.

import type { Socket } from 'node:net';
import { afterEach, describe, expect, it } from 'vitest';
import { exchange, open, openSending, receiveAll, startPort, type TestPort, turn } from './lanes.test-support.js';

const PREFACE = 'PRI * HTTP/2.0\r\n\r\nSM\r\n\r\n';
const TLS_HELLO = Buffer.from('16030100c8010000c40303', 'hex');
const GET = 'GET /now HTTP/1.1\r\nHost: x\r\n\r\n';
let port: TestPort;
afterEach(() => port.close());

describe('HTTP/2', () => {
  it.each([[[PREFACE]], [[...PREFACE]], [[`${PREFACE}more`]]])('is handed to its owner: %j', async (pieces) => {
    const owned: string[] = [];
    port = await startPort({
      onHttp2: (socket: Socket, bytes) => {
        owned.push(bytes.toString('latin1'));
        socket.end('owned');
        socket.resume();
      },
    });
    expect(await exchange(port.port, pieces)).toBe('owned');
    expect(owned).toEqual([pieces.join('')]);
    expect(port.lanes.connections.size).toBe(0);
  });

  it('is closed when nobody owns it', async () => {
    port = await startPort();
    expect(await receiveAll(await openSending(port.port, PREFACE))).toBe('');
    expect(port.lanes.counters.refused.get('http2')).toBe(1);
  });

  it('is told from HTTP/1.1 methods that begin alike', async () => {
    port = await startPort();
    const request = 'PUT /v1/ns/echo HTTP/1.1\r\nHost: x\r\nContent-Length: 0\r\n\r\n';
    expect(await exchange(port.port, [...request])).toMatch(/^HTTP\/1\.1 200 /);
    expect(await exchange(port.port, ['PRI * HTTP/1.1\r\nHost: x\r\n\r\n'])).not.toMatch(/^HTTP\/1\.1 200 /);
  });
});

it('closes a TLS hello and logs it once a minute', async () => {
  port = await startPort();
  for (let i = 0; i < 3; i++) expect(await exchange(port.port, [TLS_HELLO])).toBe('');
  expect(port.logger.lines).toEqual([
    { level: 'warn', event: 'tls-on-clear-port', fields: { peer: '127.0.0.1', port: port.port } },
  ]);
  expect(port.lanes.counters.refused.get('tls')).toBe(3);
});

it('tells why it cannot listen', async () => {
  port = await startPort();
  const second = startPort();
  await expect(
    second.then(({ listener }) => listener.listen({ host: '127.0.0.1', port: port.port })),
  ).rejects.toThrow();
  await (await second).close();
});

describe.each(['both', 'node'] as const)('closing, lanes: %s', (lanes) => {
  it('ends idle connections at once', async () => {
    port = await startPort({ lanes });
    const sockets = await Promise.all([open(port.port), open(port.port), open(port.port)]);
    sockets[0].write(GET);
    sockets[1].write('GET /no');
    while (port.lanes.counters.fastRequests + port.lanes.counters.nodeRequests === 0) await turn();
    await turn();
    const received = sockets.map(receiveAll);
    await port.listener.close({ graceMs: 60_000 });
    await Promise.all(received);
    await turn();
    expect(port.lanes.connections.size).toBe(0);
  });

  it('answers what is in progress and says that it closes', async () => {
    let release: () => void = () => undefined;
    const released = new Promise<void>((resolve) => {
      release = resolve;
    });
    const text = { status: 200, contentType: 'text/plain', body: Buffer.from('done') };
    const wait = { method: 'GET', path: '/wait', summary: 'test', handle: () => released.then(() => text) } as const;
    port = await startPort({ lanes, routes: [wait] });
    const received = receiveAll(await openSending(port.port, GET.replace('/now', '/wait')));
    while (port.lanes.counters.fastRequests + port.lanes.counters.nodeRequests === 0) await turn();
    const closed = port.listener.close({ graceMs: 60_000 });
    await turn();
    expect(port.lanes.connections.size).toBe(1);
    release();
    expect(await received).toMatch(/Connection: close\r\n\r\ndone$/);
    await closed;
  });

  it('cuts what does not end in time', async () => {
    const never = {
      method: 'GET',
      path: '/never',
      summary: 'test',
      handle: () => new Promise<never>(() => undefined),
    } as const;
    port = await startPort({ lanes, routes: [never] });
    const received = receiveAll(await openSending(port.port, GET.replace('/now', '/never')));
    while (port.lanes.counters.fastRequests + port.lanes.counters.nodeRequests === 0) await turn();
    const closed = port.listener.close({ graceMs: 500 });
    port.timers.advance(499);
    await turn();
    expect(port.lanes.connections.size).toBe(1);
    port.timers.advance(1);
    await closed;
    expect(await received).toBe('');
  });
});
