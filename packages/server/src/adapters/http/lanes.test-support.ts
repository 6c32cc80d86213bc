// A port with a few routes for tests of the lanes, and a raw client that says when it is done by closing its side.

import { connect, type Socket } from 'node:net';
import { DEFAULT_LIMITS, RegistryError } from '@rollcall/protocol';
import { ManualClock, ManualTimers, RecordingLogger } from '@rollcall/runtime/testing';
import { preparedAnswer } from './answer-head.js';
import type { EventStream } from './event-stream.js';
import { jsonAnswer, textAnswer } from './http-answer.js';
import { HttpLanes, type HttpLanesOptions } from './http-lanes.js';
import type { HttpRequest } from './http-request.js';
import { DEFAULT_HTTP_SETTINGS, type HttpSettings } from './http-settings.js';
import { PortListener, type PortListenerOptions } from './port-listener.js';
import type { Route } from './route.js';
import { RouteTable } from './route-table.js';

/** What a test may set. */
export interface TestPortOptions extends Partial<Pick<HttpLanesOptions, 'lanes' | 'guard' | 'afterJournal'>> {
  readonly settings?: Partial<HttpSettings>;
  readonly onHttp2?: PortListenerOptions['onHttp2'];
  readonly routes?: readonly Route[];
}

/** A listening port under test. */
export interface TestPort {
  readonly port: number;
  readonly lanes: HttpLanes;
  readonly listener: PortListener;
  readonly timers: ManualTimers;
  readonly logger: RecordingLogger;
  /** Requests that changed something; a test may set it back. */
  readonly counter: { count: number };
  close(): Promise<void>;
}

/** Starts a port on manual time. */
export async function startPort(options: TestPortOptions = {}): Promise<TestPort> {
  const clock = new ManualClock();
  const timers = new ManualTimers(clock);
  const logger = new RecordingLogger();
  const counter = { count: 0 };
  const lanes = new HttpLanes({
    routes: new RouteTable(options.routes ?? testRoutes(counter)),
    settings: { ...DEFAULT_HTTP_SETTINGS, ...options.settings },
    limits: DEFAULT_LIMITS,
    clock,
    timers,
    logger,
    afterJournal: options.afterJournal ?? ((callback) => setImmediate(callback)),
    ...(options.guard && { guard: options.guard }),
    ...(options.lanes && { lanes: options.lanes }),
  });
  const listener = new PortListener({ lanes, ...(options.onHttp2 && { onHttp2: options.onHttp2 }) });
  const { port } = await listener.listen({ host: '127.0.0.1', port: 0 });
  const close = () => {
    const closed = listener.close({ graceMs: 1 });
    timers.advance(1);
    return closed;
  };
  return { port, lanes, listener, timers, logger, counter, close };
}

/** Shows all that a handler sees of a request, but not in which lane it is. */
function describeRequest(request: HttpRequest): string {
  return JSON.stringify({
    method: request.method,
    target: request.target,
    path: request.path,
    body: Buffer.from(request.body).toString('latin1'),
    remoteAddress: request.remoteAddress,
    parameters: [...request.parameters.entries()],
    accept: request.header('accept'),
    contentType: request.header('content-type'),
    xTwice: request.header('x-twice'),
    host: request.header('host'),
    absent: request.header('__proto__'),
  });
}

/** Routes with every kind of answer. The count makes the order of handling visible. */
function testRoutes(counter: { count: number }): Route[] {
  const list = preparedAnswer(jsonAnswer(200, '{"hosts":[]}'));
  const big = preparedAnswer(textAnswer(200, 'b'.repeat(100_000)));
  const echo = (request: HttpRequest) => jsonAnswer(200, describeRequest(request));
  const route = (method: Route['method'], path: string, handle: (request: HttpRequest) => ReturnType<typeof echo>) => ({
    method,
    path,
    summary: 'test',
    handle,
  });
  return [
    ...(['GET', 'POST', 'PUT', 'DELETE', 'PATCH'] as const).map((method) => route(method, '/v1/ns/echo', echo)),
    { ...route('GET', '/v1/ns/instance/list', () => list), repeated: true },
    { ...route('PUT', '/v1/ns/instance/beat', rememberedEcho), repeated: true },
    route('GET', '/big', () => big),
    route('POST', '/v1/ns/instance', () => ({ ...textAnswer(200, `ok ${++counter.count}`), afterJournal: true })),
    {
      ...route('GET', '/late', echo),
      handle: (request) => Promise.resolve().then(() => textAnswer(200, `late ${++counter.count} ${request.method}`)),
    },
    route('GET', '/now', () => textAnswer(200, `now ${++counter.count}`)),
    route('GET', '/refused', () => {
      throw new RegistryError('missing-parameter', "Param 'x' is required.");
    }),
    route('GET', '/broken', () => {
      throw new Error('broken on purpose');
    }),
    { method: 'GET', path: '/events', summary: 'test', stream: true, open: openEvents },
  ];
}

function rememberedEcho(request: HttpRequest) {
  const { memo } = request;
  if (memo !== undefined && memo.value === undefined) memo.value = [...request.parameters.entries()];
  return jsonAnswer(200, JSON.stringify(memo?.value ?? [...request.parameters.entries()]));
}

function openEvents(request: HttpRequest, events: EventStream): void {
  if (request.parameters.has('refuse')) throw new RegistryError('not-found', 'No such stream');
  events.send({ id: '1', event: 'first', data: 'a\nb' });
  events.close();
}

/** Lets the server, which runs in this process, take what was sent. */
export function turn(): Promise<void> {
  return new Promise((resolve) => setImmediate(() => setImmediate(resolve)));
}

/** A stream that is neither answered nor closed within this is a hang. */
const HANG_MS = 10_000;

/**
 * Sends bytes in pieces, closes this side, and returns all that came back until the server closed.
 *
 * @throws Error, as a rejection, when the server does not close
 */
export async function exchange(port: number, pieces: readonly (string | Uint8Array)[]): Promise<string> {
  const socket = await open(port);
  const received = closedInTime(receiveAll(socket), pieces);
  for (const [i, piece] of pieces.entries()) {
    if (socket.destroyed || socket.writableEnded) break;
    socket.write(typeof piece === 'string' ? Buffer.from(piece, 'latin1') : piece);
    if (i < pieces.length - 1) await turn();
  }
  if (!socket.destroyed) socket.end();
  return received;
}

async function closedInTime(received: Promise<string>, pieces: readonly unknown[]): Promise<string> {
  let timer: NodeJS.Timeout | undefined;
  const hang = new Promise<never>((_resolve, reject) => {
    timer = setTimeout(() => reject(new Error(`Neither answered nor closed: ${JSON.stringify(pieces)}`)), HANG_MS);
  });
  try {
    return await Promise.race([received, hang]);
  } finally {
    clearTimeout(timer);
  }
}

/** Connects a raw socket that keeps its own side open until it is told otherwise. */
export function open(port: number): Promise<Socket> {
  return new Promise((resolve, reject) => {
    const socket = connect({ port, host: '127.0.0.1', noDelay: true, allowHalfOpen: true });
    socket.once('connect', () => resolve(socket));
    socket.once('error', reject);
    socket.on('error', () => undefined);
  });
}

/** Connects and sends. */
export async function openSending(port: number, bytes: string): Promise<Socket> {
  const socket = await open(port);
  socket.write(bytes);
  return socket;
}

/** All bytes that arrive until the connection is closed, one character per byte. */
export function receiveAll(socket: Socket): Promise<string> {
  const chunks: Buffer[] = [];
  socket.on('data', (chunk) => chunks.push(chunk));
  socket.on('end', () => socket.end());
  return new Promise((resolve) => socket.on('close', () => resolve(Buffer.concat(chunks).toString('latin1'))));
}

/** Waits until the bytes received match, without closing. */
export function receiveUntil(socket: Socket, wanted: RegExp): Promise<string> {
  let text = '';
  return new Promise((resolve) => {
    const take = (chunk: Buffer): void => {
      text += chunk.toString('latin1');
      if (!wanted.test(text)) return;
      socket.off('data', take);
      resolve(text);
    };
    socket.on('data', take);
    socket.on('close', () => resolve(text));
  });
}
