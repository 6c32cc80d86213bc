// Order of answers on one connection: pipelined, late, and behind the journal, in both lanes.

import { afterEach, describe, expect, it } from 'vitest';
import { jsonAnswer, textAnswer } from './http-answer.js';
import type { HttpRequest } from './http-request.js';
import {
  exchange,
  open,
  receiveUntil,
  startPort,
  type TestPort,
  type TestPortOptions,
  turn,
} from './lanes.test-support.js';
import type { Route } from './route.js';

const LANES = ['both', 'node'] as const;
let port: TestPort;

async function start(options: TestPortOptions): Promise<void> {
  port = await startPort(options);
}
afterEach(() => port.close());

const request = (method: string, target: string): string =>
  `${method} ${target} HTTP/1.1\r\nHost: x\r\n${method === 'GET' ? '' : 'Content-Length: 0\r\n'}\r\n`;

/** Bodies of the answers in their order. */
function bodies(bytes: string): string[] {
  const found: string[] = [];
  let rest = bytes;
  while (rest !== '') {
    const length = Number(/content-length: (\d+)/i.exec(rest)?.[1]);
    const start = rest.indexOf('\r\n\r\n') + 4;
    found.push(rest.slice(start, start + length));
    rest = rest.slice(start + length);
  }
  return found;
}

describe.each(LANES)('lanes: %s', (lanes) => {
  it('answers 20 pipelined requests in order', async () => {
    await start({ lanes });
    const answers = await exchange(port.port, [request('GET', '/now').repeat(20)]);
    expect(bodies(answers)).toEqual(Array.from({ length: 20 }, (_, i) => `now ${i + 1}`));
  });

  it('does not start a request before the late answer to the one before it', async () => {
    await start({ lanes });
    const answers = await exchange(port.port, [
      request('GET', '/late') + request('GET', '/now') + request('GET', '/late'),
    ]);
    expect(bodies(answers)).toEqual(['late 1 GET', 'now 2', 'late 3 GET']);
  });

  it('holds an answer, and those behind it, until the journal is written', async () => {
    const waiting: (() => void)[] = [];
    await start({ lanes, afterJournal: (callback) => waiting.push(callback) });
    const socket = await open(port.port);
    let received = '';
    socket.on('data', (chunk) => {
      received += chunk;
    });
    socket.write(request('POST', '/v1/ns/instance') + request('GET', '/now'));
    while (waiting.length === 0) await turn();
    await turn();
    expect(received).toBe('');
    const answered = receiveUntil(socket, /now 2$/);
    for (const callback of waiting) callback();
    expect(bodies(await answered)).toEqual(['ok 1', 'now 2']);
    socket.destroy();
  });

  it('says so when the journal cannot be written', async () => {
    await start({ lanes, afterJournal: (callback) => callback(new Error('disk full')) });
    const answers = await exchange(port.port, [request('POST', '/v1/ns/instance') + request('GET', '/now')]);
    expect(answers).toMatch(/^HTTP\/1\.1 500 /);
    expect(bodies(answers)).toEqual(['The change could not be written to the journal, try again', 'now 2']);
  });

  it('says it in the words of the route', async () => {
    const whenUnwritten = textAnswer(500, 'not written');
    const route: Route = {
      method: 'POST',
      path: '/own',
      summary: 'own',
      handle: () => textAnswer(200, 'ok', { afterJournal: true, whenUnwritten }),
    };
    await start({ lanes, afterJournal: (callback) => callback(new Error('disk full')), routes: [route] });
    expect(bodies(await exchange(port.port, [request('POST', '/own')]))).toEqual(['not written']);
  });

  it('survives a peer that leaves while its answer is awaited', async () => {
    const waiting: (() => void)[] = [];
    await start({ lanes, afterJournal: (callback) => waiting.push(callback) });
    const socket = await open(port.port);
    socket.write(request('POST', '/v1/ns/instance'));
    while (waiting.length === 0) await turn();
    socket.resetAndDestroy();
    while (port.lanes.counters.openConnections > 0) await turn();
    for (const callback of waiting) callback();
    expect(await exchange(port.port, [request('GET', '/now')])).toContain('now 2');
  });
});

it('lets the other lane go on only when the answers before are sent', async () => {
  await start({});
  const upgrade = 'GET /now HTTP/1.1\r\nHost: x\r\nUpgrade: h2c\r\nConnection: Upgrade\r\n\r\n';
  const answers = await exchange(port.port, [request('POST', '/v1/ns/instance') + request('GET', '/late') + upgrade]);
  expect(bodies(answers)).toEqual(['ok 1', 'late 2 GET', 'now 3']);
  expect([...port.lanes.counters.handedOver]).toEqual([['framing', 1]]);
});

describe('memo', () => {
  const seen: unknown[] = [];
  const remember = (request: HttpRequest) => {
    seen.push(request.memo?.value);
    if (request.memo !== undefined) request.memo.value = request.parameters.get('a');
    return textAnswer(200, request.memo === undefined ? 'none' : 'memo');
  };
  const routes: Route[] = [
    { method: 'PUT', path: '/beat', summary: 'test', repeated: true, handle: remember },
    { method: 'GET', path: '/once', summary: 'test', handle: (r) => jsonAnswer(200, String(r.memo === undefined)) },
  ];

  it('is kept per target, body and content type', async () => {
    await start({ routes });
    const beat = (a: string, body = '', type = 'application/x-www-form-urlencoded'): string =>
      `PUT /beat?a=${a} HTTP/1.1\r\nHost: x\r\nContent-Type: ${type}\r\nContent-Length: ${body.length}\r\n\r\n${body}`;
    const sent: [string, string?, string?][] = [
      ['1'],
      ['1'],
      ['2'],
      ['1', 'b=1'],
      ['1', 'b=1'],
      ['1', 'b=2'],
      ['1', 'b=2', 'text/plain'],
      ['1'],
    ];
    seen.length = 0;
    await exchange(port.port, [sent.map((each) => beat(...each)).join('')]);
    expect(seen).toEqual([undefined, '1', undefined, undefined, '1', undefined, undefined, undefined]);
  });

  it('is left out with a body too large to be kept', async () => {
    await start({ routes });
    const body = 'x'.repeat(3000);
    const beat = `PUT /beat?a=1 HTTP/1.1\r\nHost: x\r\nContent-Length: 3000\r\n\r\n${body}`;
    expect(bodies(await exchange(port.port, [beat.repeat(2)]))).toEqual(['none', 'none']);
  });

  it('is left out where targets are not marked as repeated', async () => {
    await start({ routes });
    expect(bodies(await exchange(port.port, [request('GET', '/once').repeat(2)]))).toEqual(['true', 'true']);
  });
});
