// One client: its HTTP/2 connection, the stream over which it is pushed, and what it said of itself.
// Source: contract 1 (a client is its connection), 5 and 6.

import { framedPayload, type Message } from '@rollcall/protocol';
import type { ClientStream } from './client-stream.js';
import type { GrpcSettings } from './grpc-settings.js';
import { OutgoingMessage } from './http2/outgoing-message.js';
import type { Http2Socket } from './http2-socket.js';
import { IdleWatch } from './idle-watch.js';
import { MessageRoom } from './message-room.js';
import { PushBacklog } from './push-backlog.js';

/** What a client said when it set up its connection. */
export interface ClientIdentity {
  readonly version: string;
  /** Label `module`; only `naming` may publish and subscribe. */
  readonly module: string;
  /** Label `AppName`; `-` when there is none. */
  readonly app: string;
  /** Its own view of its address. */
  readonly ip: string;
}

/** Where a connection comes from. */
export interface ConnectionOrigin {
  readonly acceptedAt: number;
  readonly remoteAddress: string;
  readonly remotePort: number;
}

/** A connection. */
export class GrpcConnection {
  /** `<accepted ms>_<ip>_<port>`: clients log it, v2 reads the port behind the last `_`. */
  readonly id: string;
  readonly origin: ConnectionOrigin;
  readonly idle: IdleWatch;
  /** Room for messages that are not complete. */
  readonly room: MessageRoom;
  /** What it was pushed and has not acknowledged. */
  readonly pushes: PushBacklog;
  /** Undefined until the client has set up. */
  identity: ClientIdentity | undefined;
  readonly #socket: Http2Socket;
  #stream: ClientStream | undefined;
  #stalledSince: number | undefined;
  #lastDetection = 0;

  constructor(
    socket: Http2Socket,
    origin: ConnectionOrigin,
    options: { readonly settings: GrpcSettings; readonly roomOfAll: MessageRoom; readonly now: number },
  ) {
    const { idleMs, detectionMs, incompleteBytes, unacknowledgedBytes } = options.settings;
    this.#socket = socket;
    this.origin = origin;
    this.id = `${origin.acceptedAt}_${origin.remoteAddress}_${origin.remotePort}`;
    this.idle = new IdleWatch({ idleMs, detectionMs, now: options.now });
    this.room = new MessageRoom(incompleteBytes, options.roomOfAll);
    this.pushes = new PushBacklog(unacknowledgedBytes);
  }

  /** Whether the client may publish and subscribe. */
  get isNamingClient(): boolean {
    return this.identity?.module === 'naming';
  }

  /** Bytes that wait for the receiver. */
  get waitingBytes(): number {
    return this.#socket.waitingBytes;
  }

  /** Looks whether bytes wait. @param now - monotonic ms @returns for how long some have waited at every look, ms */
  stalledMs(now: number): number {
    if (this.waitingBytes === 0) this.#stalledSince = undefined;
    else this.#stalledSince ??= now;
    return this.#stalledSince === undefined ? 0 : now - this.#stalledSince;
  }

  /** Everything that waited has been taken. */
  relieve(): void {
    this.#stalledSince = undefined;
  }

  /** The stream over which the client is pushed from now on; an earlier one is left alone. */
  attach(stream: ClientStream): void {
    this.#stream = stream;
  }

  /** The client ended its stream. What it published stays until it is silent for too long, as on 2.5.1. */
  detach(stream: ClientStream): void {
    if (this.#stream === stream) this.#stream = undefined;
  }

  /** Asks the client for a sign of life. @returns whether it can be asked */
  askForSign(): boolean {
    this.#lastDetection += 1;
    const json = `{"headers":{},"requestId":"${this.#lastDetection}","module":"internal"}`;
    return this.send({ type: 'ClientDetectionRequest', json });
  }

  /** Whether a request id is that of the last question; those of pushes are far larger. */
  isDetection(requestId: number): boolean {
    return requestId === this.#lastDetection;
  }

  /** Sends a message on the stream. @returns whether there is a stream that takes it */
  send(message: Message): boolean {
    return this.sendShared(new OutgoingMessage(framedPayload(message.type, message.json)));
  }

  /** Sends a message that many connections may share. @returns as `send` */
  sendShared(message: OutgoingMessage): boolean {
    const stream = this.#stream;
    if (stream?.isWritable !== true) return false;
    stream.send(message);
    return true;
  }

  /** Ends the stream with a status that makes every SDK come back, then the connection. @param text - reason, for people */
  close(text: string): void {
    this.#stream?.endUnavailable();
    this.#socket.finish(text);
  }

  /** Ends the connection at once. */
  cut(): void {
    this.#socket.cut();
  }
}
