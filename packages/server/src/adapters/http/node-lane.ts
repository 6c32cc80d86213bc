// The lane for everything that the fast lane does not surely understand: Node's own http server, fed with accepted sockets, in
// front of the same routes. It never listens, and its timeouts are off: the sweep of all connections times both lanes alike.

import { createServer, type IncomingMessage, type Server } from 'node:http';
import type { Socket } from 'node:net';
import type { HttpAnswer } from './http-answer.js';
import type { RefusalReason } from './http-counters.js';
import { type Exchange, NodeConnection, type NodeLaneOptions } from './node-connection.js';
import { headTooLarge, noProxy, noRequest, unknownExpectation } from './refusal.js';

/** An error of Node's parser. */
interface ParserError extends Error {
  readonly code?: string;
  readonly reason?: string;
}

/** Takes connections over and answers what comes on them. */
export class NodeLane {
  readonly #options: NodeLaneOptions;
  readonly #server: Server;
  readonly #connections = new WeakMap<Socket, NodeConnection>();

  constructor(options: NodeLaneOptions) {
    this.#options = options;
    this.#server = createServer({
      maxHeaderSize: options.settings.headBytes,
      insecureHTTPParser: false,
      requireHostHeader: false,
      keepAliveTimeout: 0,
      headersTimeout: 0,
      requestTimeout: 0,
    });
    // The bytes of a head are bounded, so its lines need no bound, which would drop headers without a word.
    this.#server.maxHeadersCount = 0;
    this.#listen();
  }

  /** Serves a connection from here on. What the socket has to read begins with a request. */
  take(socket: Socket): void {
    const connection = new NodeConnection(this.#options, socket);
    this.#connections.set(socket, connection);
    this.#options.connections.set(socket, connection);
    const endListeners = socket.listeners('end');
    this.#server.emit('connection', socket);
    // A peer may close its side once it has sent its requests. Node would then drop the answers that are not ready, so what
    // it wants to do at the end is left to the connection.
    for (const listener of socket.listeners('end')) {
      if (!endListeners.includes(listener)) socket.off('end', listener as () => void);
    }
    if (socket.isPaused()) socket.resume();
  }

  #listen(): void {
    const server = this.#server;
    server.on('request', (message, response) => this.#begin({ message, response }));
    server.on('checkContinue', (message, response) => this.#begin({ message, response, expectsContinue: true }));
    server.on('checkExpectation', (message, response) => {
      this.#options.counters.countRefusal('expectation');
      this.#begin({ message, response, refusal: unknownExpectation(message.headers.expect ?? '') });
    });
    server.on('connect', (message: IncomingMessage, socket) => {
      this.#connections.get(message.socket)?.fail(noProxy(), 'malformed');
      socket.resume();
    });
    server.on('clientError', (error, socket) => this.#onClientError(error, socket as Socket));
  }

  #begin(exchange: Exchange): void {
    this.#connections.get(exchange.message.socket)?.begin(exchange);
  }

  #onClientError(error: ParserError, socket: Socket): void {
    const connection = this.#connections.get(socket);
    if (connection === undefined || !error.code?.startsWith('HPE_')) {
      socket.destroy();
      return;
    }
    const [answer, reason] = this.#refusalOf(error);
    connection.fail(answer, reason);
  }

  #refusalOf(error: ParserError): [HttpAnswer, RefusalReason] {
    if (error.code === 'HPE_HEADER_OVERFLOW') return [headTooLarge(this.#options.settings), 'head-too-large'];
    return [noRequest(error.reason ?? error.message), 'malformed'];
  }
}
