// Times of connections, on manual time: idle, slow head, slow body, unread answers, in both lanes.

import { afterEach, describe, expect, it } from 'vitest';
import { exchange, open, receiveAll, receiveUntil, startPort, type TestPort, turn } from './lanes.test-support.js';

const LANES = ['both', 'node'] as const;
const GET = 'GET /now HTTP/1.1\r\nHost: x\r\n\r\n';
let port: TestPort;
afterEach(() => port.close());

describe.each(LANES)('lanes: %s', (lanes) => {
  it('closes a connection that sent nothing', async () => {
    port = await startPort({ lanes });
    const socket = await open(port.port);
    const received = receiveAll(socket);
    while (port.lanes.connections.size === 0) await turn();
    port.timers.advance(59_000);
    await turn();
    expect(port.lanes.connections.size).toBe(1);
    port.timers.advance(3_000);
    expect(await received).toBe('');
  });

  it('closes an idle connection some seconds after the time that it told the client', async () => {
    port = await startPort({ lanes });
    const socket = await open(port.port);
    socket.write(GET);
    expect(await receiveUntil(socket, /now 1$/)).toContain('Keep-Alive: timeout=60\r\n');
    await turn();
    port.timers.advance(60_000);
    await turn();
    expect(port.lanes.connections.size).toBe(1);
    const rest = receiveAll(socket);
    port.timers.advance(7_000);
    expect(await rest).toBe('');
    expect(port.lanes.counters.refused.get('idle')).toBe(1);
  });

  it.each([
    ['head', 'GET /now HTTP/1.1\r\nHost: x\r\n', 20_000],
    ['head', 'GET /now HTTP/1.1\r\nUpgrade: x\r\n', 20_000],
    ['body', 'POST /v1/ns/echo HTTP/1.1\r\nHost: x\r\nContent-Length: 9\r\n\r\na=1', 60_000],
    ['body', 'POST /v1/ns/echo HTTP/1.1\r\nHost: x\r\nTransfer-Encoding: chunked\r\n\r\n3\r\n', 60_000],
  ])('answers 408 when a %s is slow: %j', async (part, bytes, allowedMs) => {
    port = await startPort({ lanes });
    const socket = await open(port.port);
    socket.write(GET);
    await receiveUntil(socket, /now 1$/);
    await turn();
    const received = receiveAll(socket);
    socket.write(bytes);
    for (let i = 0; i < 5; i++) await turn();
    port.timers.advance(1000);
    port.timers.advance(allowedMs - 2000);
    await turn();
    expect(port.lanes.connections.size).toBe(1);
    port.timers.advance(4000);
    const answer = await received;
    expect(answer).toMatch(/^HTTP\/1\.1 408 Request Timeout\r\n/);
    expect(answer).toContain('Connection: close\r\n');
    expect(answer).toMatch(new RegExp(`Request ${part} did not arrive within ${allowedMs} ms$`));
    expect(port.lanes.counters.refused.get(`${part}-timeout` as 'head-timeout')).toBe(1);
  });

  it('cuts a connection whose answers are left unread', async () => {
    port = await startPort({ lanes, settings: { unreadMs: 20 } });
    const socket = await open(port.port);
    socket.pause();
    const request = 'GET /big HTTP/1.1\r\nHost: x\r\n\r\n';
    socket.write(request.repeat(400));
    while (port.lanes.counters.refused.get('unread-answer') === undefined) {
      port.timers.advance(1000);
      await turn();
    }
    while (port.lanes.connections.size > 0) await turn();
    expect(port.lanes.counters.refused.get('unread-answer')).toBe(1);
    expect(port.lanes.counters.fastRequests + port.lanes.counters.nodeRequests).toBeLessThan(400);
    socket.destroy();
  });

  it('goes on when a peer reads late', async () => {
    port = await startPort({ lanes });
    const socket = await open(port.port);
    socket.pause();
    socket.write('GET /big HTTP/1.1\r\nHost: x\r\n\r\n'.repeat(100));
    socket.end();
    for (let i = 0; i < 50; i++) await turn();
    const handled = port.lanes.counters.fastRequests + port.lanes.counters.nodeRequests;
    expect(handled).toBeLessThan(100);
    const received = receiveAll(socket);
    socket.resume();
    expect((await received).match(/HTTP\/1\.1 200 OK/g)).toHaveLength(100);
  });

  it('does not sweep when nothing is connected', async () => {
    port = await startPort({ lanes });
    await exchange(port.port, [GET]);
    while (port.lanes.connections.size > 0) await turn();
    expect(port.timers.size).toBe(0);
  });
});
