// Ties HTTP/2 to the socket that carries it. A peer that takes nothing is not read from either. What takes longer than a
// moment waits for the time that all such peers share; libuv alone would read 2 MB of one before anybody else.

import type { Socket } from 'node:net';
import type { Http2Bounds } from './http2/http2-bounds.js';
import { Http2Connection, type Http2Owner } from './http2/http2-connection.js';
import type { Http2Error } from './http2/http2-error.js';
import type { Http2Stream, StreamReceiver } from './http2/http2-stream.js';
import type { RequestHead } from './http2/request-head.js';
import type { SharedTurns } from './shared-turns.js';

/** Unsent bytes at which reading stops. */
const PAUSE_BYTES = 1024 * 1024;
/** Bytes that are read before the clock is looked at: some forty small calls, about a millisecond when all are refused. */
const SLICE_BYTES = 4 * 1024;
/** Work for a peer as soon as it sends; the rest is done in shared turns. */
const AT_ONCE_MS = 1;
/** Size of a read that has filled its buffer: libuv reads such a peer again before it looks at any other. */
const FULL_READ_BYTES = 64 * 1024;
/** How long a peer may take to close after it was told to. */
const CLOSE_MS = 1000;
/** How long one that broke a rule may read why; what it sends meanwhile stays unread. */
const LAST_WORDS_MS = 200;

/** What happens on the connection. */
export interface Http2SocketEvents {
  onRequest(stream: Http2Stream, head: RequestHead): StreamReceiver;
  onStreamRefused(): void;
  /** Everything that waited for the peer has been taken. */
  onRelief(): void;
  /** The peer broke a rule or a bound; its connection is being closed. */
  onFailed(error: Http2Error): void;
  /** The connection is gone. Comes once and last. */
  onClosed(): void;
}

/** One connection. */
export class Http2Socket implements Http2Owner {
  readonly #socket: Socket;
  readonly #http2: Http2Connection;
  readonly #events: Http2SocketEvents;
  readonly #now: () => number;
  readonly #turns: SharedTurns;
  /** Bytes for the next slice, which is asked for; none when only reading waits for it. */
  #unread: Uint8Array | undefined;
  #closing = false;
  #failed = false;

  /**
   * @param options.nowMs - monotonic
   * @param options.turns - for what takes longer
   */
  constructor(
    socket: Socket,
    options: {
      readonly bounds: Http2Bounds;
      readonly events: Http2SocketEvents;
      readonly nowMs: () => number;
      readonly turns: SharedTurns;
    },
  ) {
    this.#socket = socket;
    this.#events = options.events;
    this.#now = options.nowMs;
    this.#turns = options.turns;
    this.#http2 = new Http2Connection(this, options.bounds);
    // HTTP/2 has no use for a half-open connection: the end of the client's side is the end of the client.
    socket.allowHalfOpen = false;
    socket.on('data', (chunk) => this.#read(chunk));
    socket.on('drain', () => this.#onDrain());
    socket.on('close', () => this.#onClose());
  }

  /** Begins. @param bytes - what was received so far */
  start(bytes: Uint8Array): void {
    this.#http2.start();
    this.#read(bytes);
  }

  /** Bytes that wait for the peer, in its windows or in the socket. */
  get waitingBytes(): number {
    return this.#http2.waitingBytes + this.#socket.writableLength;
  }

  /** Closes when the streams have ended, or soon if they do not. @param text - reason, for people */
  finish(text: string): void {
    this.#closeWithin(CLOSE_MS);
    this.#http2.finish(text);
  }

  /** Closes at once. */
  cut(): void {
    this.#socket.destroy();
  }

  nowMs(): number {
    return this.#now();
  }

  write(bytes: Uint8Array): void {
    const socket = this.#socket;
    if (socket.writable && !socket.write(bytes) && socket.writableLength > PAUSE_BYTES) socket.pause();
  }

  // Runs behind the promises that are settled by then: the answers of all calls that waited for one write of the journal.
  flushSoon(): void {
    process.nextTick(() => this.#http2.flush());
  }

  onRequest(stream: Http2Stream, head: RequestHead): StreamReceiver {
    return this.#events.onRequest(stream, head);
  }

  onStreamRefused(): void {
    this.#events.onStreamRefused();
  }

  onRelief(): void {
    if (this.#socket.writableLength === 0) this.#events.onRelief();
  }

  onFailed(error: Http2Error): void {
    this.#events.onFailed(error);
    this.#closeWithin(LAST_WORDS_MS);
    this.#failed = true;
    this.#socket.pause();
    this.#socket.end();
  }

  onFinished(): void {
    this.#http2.flush();
    this.#socket.end();
  }

  #read(chunk: Uint8Array): void {
    const endsAt = this.#now() + AT_ONCE_MS;
    let at = 0;
    do {
      this.#http2.receive(chunk.subarray(at, at + SLICE_BYTES));
      at += SLICE_BYTES;
    } while (at < chunk.length && this.#now() < endsAt);
    if (this.#failed) return;
    if (at >= chunk.length && chunk.length < FULL_READ_BYTES) return;
    this.#socket.pause();
    this.#later(chunk.subarray(at));
  }

  #later(unread: Uint8Array): void {
    this.#unread = unread;
    this.#turns.add(() => this.#readOn(unread));
  }

  #readOn(bytes: Uint8Array): void {
    this.#unread = undefined;
    if (this.#socket.destroyed || this.#failed) return;
    if (bytes.length > 0) this.#http2.receive(bytes.subarray(0, SLICE_BYTES));
    if (bytes.length > SLICE_BYTES) this.#later(bytes.subarray(SLICE_BYTES));
    else this.#resume();
  }

  #resume(): void {
    if (
      !this.#failed &&
      this.#unread === undefined &&
      this.#socket.writableLength <= PAUSE_BYTES &&
      this.#socket.isPaused()
    )
      this.#socket.resume();
  }

  #onDrain(): void {
    this.#resume();
    if (this.#http2.waitingBytes === 0) this.#events.onRelief();
  }

  #onClose(): void {
    this.#http2.abandon();
    this.#events.onClosed();
  }

  /** A peer that does not read, or does not close, would keep the connection open for ever. */
  #closeWithin(ms: number): void {
    if (this.#closing) return;
    this.#closing = true;
    setTimeout(() => this.#socket.destroy(), ms).unref();
  }
}
