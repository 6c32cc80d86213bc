// Bounds of requests and connections: head, body, number, and what hostile peers send without end.

import { afterEach, describe, expect, it } from 'vitest';
import { exchange, open, receiveAll, startPort, type TestPort, turn } from './lanes.test-support.js';

const LANES = ['both', 'node'] as const;
const GET = 'GET /now HTTP/1.1\r\nHost: x\r\n\r\n';
let port: TestPort;
afterEach(() => port.close());

/** Sends pieces until the server closes, as fast as it takes them. */
async function sendEndlessly(first: string, piece: string): Promise<string> {
  const socket = await open(port.port);
  const received = receiveAll(socket);
  socket.write(first);
  let closed = false;
  void received.then(() => {
    closed = true;
  });
  while (!closed) {
    if (socket.writable && socket.writableLength < 100_000) socket.write(piece);
    port.timers.advance(100);
    await turn();
  }
  return received;
}

describe.each(LANES)('lanes: %s', (lanes) => {
  it('refuses a declared body over the limit without waiting for it', async () => {
    port = await startPort({ lanes, settings: { bodyBytes: 10 } });
    const answer = await exchange(port.port, ['POST /v1/ns/echo HTTP/1.1\r\nHost: x\r\nContent-Length: 11\r\n\r\n']);
    expect(answer).toMatch(/^HTTP\/1\.1 413 Payload Too Large\r\n/);
    expect(answer).toMatch(/Request body has 11 bytes or more, allowed are 10$/);
  });

  it('takes a body of exactly the limit', async () => {
    port = await startPort({ lanes, settings: { bodyBytes: 10 } });
    const head = 'POST /v1/ns/echo HTTP/1.1\r\nHost: x\r\nContent-Length: 10\r\n\r\n';
    expect(await exchange(port.port, [`${head}a=45678901`])).toMatch(/^HTTP\/1\.1 200 /);
  });

  it('refuses a body in chunks once it exceeds the limit, and closes although more comes', async () => {
    port = await startPort({ lanes });
    const head = 'POST /v1/ns/echo HTTP/1.1\r\nHost: x\r\nTransfer-Encoding: chunked\r\n\r\n';
    const answer = await sendEndlessly(head, `10000\r\n${'x'.repeat(0x10000)}\r\n`);
    expect(answer).toMatch(/^HTTP\/1\.1 413 /);
    expect(port.lanes.counters.nodeRequests).toBe(0);
  });

  it('refuses a head without end', async () => {
    port = await startPort({ lanes });
    const answer = await sendEndlessly('GET /now HTTP/1.1\r\nHost: x\r\n', `X-Long: ${'x'.repeat(5000)}\r\n`);
    expect(answer).toMatch(/^HTTP\/1\.1 431 /);
    expect(answer).toMatch(/Request line and headers exceed 262144 bytes, allowed are 262144$/);
  });

  it('refuses a request line without end', async () => {
    port = await startPort({ lanes });
    expect(await sendEndlessly('GET /now?a=', 'x'.repeat(5000))).toMatch(/^HTTP\/1\.1 431 /);
  });

  it('honours a head limit below what the fast lane takes', async () => {
    port = await startPort({ lanes, settings: { headBytes: 8192 } });
    const head = (bytes: number): string => `GET /now HTTP/1.1\r\nHost: x\r\nX-Long: ${'x'.repeat(bytes)}\r\n\r\n`;
    expect(await exchange(port.port, [head(7000)])).toMatch(/^HTTP\/1\.1 200 /);
    expect(await exchange(port.port, [head(9000)])).toMatch(/^HTTP\/1\.1 431 /);
  });

  it('answers garbage once, however much of it comes', async () => {
    port = await startPort({ lanes });
    const answer = await sendEndlessly('\0garbage', '\0'.repeat(5000));
    expect(answer.match(/HTTP\/1\.1 \d/g)).toHaveLength(1);
    expect(answer).toMatch(/^HTTP\/1\.1 400 /);
  });

  it('closes connections over the limit at once', async () => {
    port = await startPort({ lanes, settings: { connections: 2 } });
    const sockets = [await open(port.port), await open(port.port)];
    while (port.lanes.connections.size < 2) await turn();
    expect(await receiveAll(await open(port.port))).toBe('');
    expect(port.lanes.counters.refused.get('connections')).toBe(1);
    for (const socket of sockets) socket.destroy();
    while (port.lanes.connections.size > 0) await turn();
    expect(await exchange(port.port, [GET])).toMatch(/^HTTP\/1\.1 200 /);
  });

  it('stops reading while too many pipelined requests wait', async () => {
    const waiting: (() => void)[] = [];
    port = await startPort({
      lanes,
      settings: { pipelinedRequests: 8 },
      afterJournal: (callback) => waiting.push(callback),
    });
    const post = 'POST /v1/ns/instance HTTP/1.1\r\nHost: x\r\nContent-Length: 0\r\n\r\n';
    const socket = await open(port.port);
    const received = receiveAll(socket);
    socket.write(post.repeat(50));
    socket.end();
    for (let i = 0; i < 10; i++) await turn();
    expect(waiting.length).toBeGreaterThan(0);
    expect(waiting.length).toBeLessThanOrEqual(8);
    let done = false;
    void received.then(() => {
      done = true;
    });
    while (!done) {
      for (const callback of waiting.splice(0)) callback();
      await turn();
    }
    expect((await received).match(/ok \d+/g)).toEqual(Array.from({ length: 50 }, (_, i) => `ok ${i + 1}`));
  });

  it('keeps serving beside 500 idle connections and forgets them when they are gone', async () => {
    port = await startPort({ lanes });
    const idle = await Promise.all(Array.from({ length: 500 }, () => open(port.port)));
    for (const socket of idle.slice(0, 250)) socket.write('GET /no');
    expect(await exchange(port.port, [GET])).toMatch(/^HTTP\/1\.1 200 /);
    for (const socket of idle) socket.resetAndDestroy();
    while (port.lanes.connections.size > 0) await turn();
    expect(port.lanes.counters.openConnections).toBe(0);
  });

  it('makes the client that waits for it send its body', async () => {
    port = await startPort({ lanes });
    const socket = await open(port.port);
    const received = receiveAll(socket);
    socket.once('data', () => socket.end('a=1'));
    socket.write('POST /v1/ns/echo HTTP/1.1\r\nHost: x\r\nExpect: 100-continue\r\nContent-Length: 3\r\n\r\n');
    expect(await received).toMatch(/^HTTP\/1\.1 100 Continue\r\n\r\nHTTP\/1\.1 200 OK\r\n/);
  });

  it('refuses a body that is too large instead of asking for it', async () => {
    port = await startPort({ lanes, settings: { bodyBytes: 2 } });
    const head = 'POST /v1/ns/echo HTTP/1.1\r\nHost: x\r\nExpect: 100-continue\r\nContent-Length: 3\r\n\r\n';
    expect(await exchange(port.port, [head])).toMatch(/^HTTP\/1\.1 413 /);
  });

  it('logs a handler that fails and hides the reason from the peer', async () => {
    port = await startPort({ lanes });
    const answer = await exchange(port.port, ['GET /broken HTTP/1.1\r\nHost: x\r\n\r\n']);
    expect(answer).not.toContain('on purpose');
    expect(port.logger.events).toEqual(['http-handler-failed']);
    expect(port.lanes.counters.handlerFaults).toBe(1);
  });

  it('asks the guard before every route', async () => {
    const answer = { status: 503, contentType: 'text/plain', body: Buffer.from('closed') };
    port = await startPort({ lanes, guard: (request) => (request.path === '/now' ? undefined : answer) });
    expect(await exchange(port.port, [GET])).toMatch(/^HTTP\/1\.1 200 /);
    for (const target of ['/late', '/nothing', '/events']) {
      expect(await exchange(port.port, [GET.replace('/now', target)])).toMatch(/^HTTP\/1\.1 503 /);
    }
  });
});

it('counts the bytes of open and closed connections', async () => {
  port = await startPort();
  await exchange(port.port, [GET]);
  const socket = await open(port.port);
  socket.write(GET);
  while (port.lanes.traffic.readBytes < 2 * GET.length) await turn();
  expect(port.lanes.traffic.readBytes).toBe(2 * GET.length);
  expect(port.lanes.traffic.writtenBytes).toBeGreaterThan(100);
  socket.destroy();
});
