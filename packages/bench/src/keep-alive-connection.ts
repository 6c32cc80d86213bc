// One HTTP/1.1 keep-alive connection with at most one request in flight, over a raw socket whose receive buffer is
// reused. A connection that the server closes between two requests (Tomcat does after 100) is opened again silently.
import { connect, type Socket } from 'node:net';
import type { Endpoint } from './endpoint.js';
import { type Answer, HttpResponseReader } from './http-response-reader.js';

/** What a connection reports. Exactly one of the two follows each `send`. */
export interface ConnectionEvents {
  /** The answer; its body is valid during the call only. */
  answered(answer: Answer): void;
  /** The connection ended before the answer was complete. */
  lost(reason: string): void;
}

const RECEIVE_BYTES = 65_536;

/** A connection of the load generator. */
export class KeepAliveConnection {
  readonly #endpoint: Endpoint;
  readonly #events: ConnectionEvents;
  readonly #receiveBuffer = Buffer.allocUnsafe(RECEIVE_BYTES);
  #socket: Socket | undefined;
  #waiting = false;

  constructor(endpoint: Endpoint, events: ConnectionEvents) {
    this.#endpoint = endpoint;
    this.#events = events;
  }

  /** Sends prepared bytes; the one before must have been answered or lost. */
  send(request: Buffer): void {
    this.#waiting = true;
    this.#socket ??= this.#open();
    this.#socket.write(request);
  }

  /** Ends the connection; nothing is reported afterwards. */
  close(): void {
    this.#waiting = false;
    this.#socket?.destroy();
    this.#socket = undefined;
  }

  #open(): Socket {
    const reader = new HttpResponseReader((answer) => this.#answered(answer));
    const socket = connect({
      host: this.#endpoint.host,
      port: this.#endpoint.port,
      noDelay: true,
      onread: {
        buffer: this.#receiveBuffer,
        callback: (bytesRead, buffer) => {
          this.#received(reader, socket, (buffer as Buffer).subarray(0, bytesRead));
          return true;
        },
      },
    });
    let reason = 'the server closed the connection';
    socket.on('error', (error) => {
      reason = error.message;
    });
    socket.on('close', () => this.#closed(socket, reason));
    return socket;
  }

  #received(reader: HttpResponseReader, socket: Socket, bytes: Buffer): void {
    try {
      reader.push(bytes);
    } catch (error) {
      socket.destroy(error as Error);
    }
  }

  #answered(answer: Answer): void {
    if (answer.closes) {
      this.#socket?.destroy();
      this.#socket = undefined;
    }
    if (!this.#waiting) return;
    this.#waiting = false;
    this.#events.answered(answer);
  }

  #closed(socket: Socket, reason: string): void {
    if (this.#socket !== socket) return;
    this.#socket = undefined;
    if (!this.#waiting) return;
    this.#waiting = false;
    this.#events.lost(reason);
  }
}
