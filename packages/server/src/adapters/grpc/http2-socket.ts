// Ties HTTP/2 to the socket that carries it. A peer that takes nothing is not read from either.

import type { Socket } from 'node:net';
import type { Http2Bounds } from './http2/http2-bounds.js';
import { Http2Connection, type Http2Owner } from './http2/http2-connection.js';
import type { Http2Error } from './http2/http2-error.js';
import type { Http2Stream, StreamReceiver } from './http2/http2-stream.js';
import type { RequestHead } from './http2/request-head.js';

/** Unsent bytes at which reading stops. */
const PAUSE_BYTES = 1024 * 1024;
/** How long a peer may take to close after it was told to. */
const CLOSE_MS = 1000;

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
  #closing = false;

  /** @param options.nowMs - monotonic */
  constructor(
    socket: Socket,
    options: { readonly bounds: Http2Bounds; readonly events: Http2SocketEvents; readonly nowMs: () => number },
  ) {
    this.#socket = socket;
    this.#events = options.events;
    this.#now = options.nowMs;
    this.#http2 = new Http2Connection(this, options.bounds);
    // HTTP/2 has no use for a half-open connection: the end of the client's side is the end of the client.
    socket.allowHalfOpen = false;
    socket.on('data', (chunk) => this.#http2.receive(chunk));
    socket.on('drain', () => this.#onDrain());
    socket.on('close', () => this.#onClose());
  }

  /** Begins. @param bytes - what was received so far */
  start(bytes: Uint8Array): void {
    this.#http2.start();
    this.#http2.receive(bytes);
  }

  /** Bytes that wait for the peer, in its windows or in the socket. */
  get waitingBytes(): number {
    return this.#http2.waitingBytes + this.#socket.writableLength;
  }

  /** Closes when the streams have ended, or soon if they do not. @param text - reason, for people */
  finish(text: string): void {
    this.#closeSoon();
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
    this.#closeSoon();
    this.#socket.end();
  }

  onFinished(): void {
    this.#socket.end();
  }

  #onDrain(): void {
    if (this.#socket.isPaused()) this.#socket.resume();
    if (this.#http2.waitingBytes === 0) this.#events.onRelief();
  }

  #onClose(): void {
    this.#http2.abandon();
    this.#events.onClosed();
  }

  /** A peer that does not read, or does not close, would keep the connection open for ever. */
  #closeSoon(): void {
    if (this.#closing) return;
    this.#closing = true;
    setTimeout(() => this.#socket.destroy(), CLOSE_MS).unref();
  }
}
