// Streams of server-sent events.

import { afterEach, describe, expect, it } from 'vitest';
import type { EventStream } from './event-stream.js';
import { exchange, open, receiveAll, receiveUntil, startPort, type TestPort, turn } from './lanes.test-support.js';
import type { Route } from './route.js';

const GET = 'GET /events HTTP/1.1\r\nHost: x\r\n\r\n';
let port: TestPort;
let stream: EventStream | undefined;
afterEach(() => port.close());

const routes: Route[] = [
  {
    method: 'GET',
    path: '/events',
    summary: 'test',
    stream: true,
    open: (_request, events) => {
      stream = events;
    },
  },
];

async function opened(): Promise<{ socket: Awaited<ReturnType<typeof open>>; events: EventStream }> {
  stream = undefined;
  port = await startPort({ routes, settings: { unsentBytes: 100_000 } });
  const socket = await open(port.port);
  socket.write(GET);
  await receiveUntil(socket, /\r\n\r\n/);
  return { socket, events: stream as unknown as EventStream };
}

describe('a stream', () => {
  it('sends events as they come, whatever their text', async () => {
    const { socket, events } = await opened();
    const received = receiveUntil(socket, /last/);
    expect(events.send({ event: 'a\nb', id: 'c\rd', data: 'one\r\ntwo\n\nlast' })).toBe(true);
    expect(await received).toContain('id: c d\nevent: a b\ndata: one\ndata: two\ndata: \ndata: last\n\n');
    socket.destroy();
  });

  it('has the headers of a stream', async () => {
    port = await startPort();
    const answer = await exchange(port.port, [GET]);
    expect(answer).toMatch(/^HTTP\/1\.1 200 OK\r\nContent-Type: text\/event-stream\r\nCache-Control: no-store\r\n/);
    expect(answer).toContain('id: 1\nevent: first\ndata: a\ndata: b\n\n');
  });

  it('sends a comment after 15 s of silence and is never idle', async () => {
    const { socket } = await opened();
    const received = receiveUntil(socket, /:\n\n/);
    port.timers.advance(15_000);
    expect(await received).toContain(':\n\n');
    for (let i = 0; i < 10; i++) {
      port.timers.advance(10_000);
      await turn();
    }
    expect(port.lanes.connections.size).toBe(1);
    socket.destroy();
  });

  it('tells its owner when the reader is gone', async () => {
    const { socket, events } = await opened();
    const closed = new Promise<void>((resolve) => events.onClose(resolve));
    socket.destroy();
    await closed;
    expect(events.send({ data: 'x' })).toBe(false);
    await new Promise<void>((resolve) => events.onClose(resolve));
  });

  it('is closed when its reader does not keep up', async () => {
    const { socket, events } = await opened();
    socket.pause();
    let sent = 0;
    while (events.send({ data: 'x'.repeat(10_000) })) {
      if (++sent % 20 === 0) await turn();
    }
    expect(sent).toBeGreaterThan(5);
    while (port.lanes.connections.size > 0) await turn();
    socket.destroy();
  });

  it('ends with the port', async () => {
    const { socket } = await opened();
    const rest = receiveAll(socket);
    await port.listener.close({ graceMs: 60_000 });
    await rest;
  });
});
