// One client: its HTTP/2 connection, the stream over which it is pushed, and what it said of itself.
// Source: contract 1 (a client is its connection), 5 and 6.

import type { ServerHttp2Session, ServerHttp2Stream } from 'node:http2';
import { encodePayload, frameMessage, type Message } from '@rollcall/protocol';
import type { GrpcSettings } from './grpc-settings.js';
import { IdleWatch } from './idle-watch.js';

/** gRPC status with which the server ends a stream: not 0, with which the Python SDK would believe that all is well. */
const STATUS_UNAVAILABLE = '14';

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
  readonly session: ServerHttp2Session;
  readonly idle: IdleWatch;
  /** Undefined until the client has set up. */
  identity: ClientIdentity | undefined;
  #stream: ServerHttp2Stream | undefined;
  #stalledSince: number | undefined;
  #lastDetection = 0;

  constructor(session: ServerHttp2Session, origin: ConnectionOrigin, options: { settings: GrpcSettings; now: number }) {
    const { idleMs, detectionMs } = options.settings;
    this.session = session;
    this.origin = origin;
    this.id = `${origin.acceptedAt}_${origin.remoteAddress}_${origin.remotePort}`;
    this.idle = new IdleWatch({ idleMs, detectionMs, now: options.now });
  }

  /** Whether the client may publish and subscribe. */
  get isNamingClient(): boolean {
    return this.identity?.module === 'naming';
  }

  /** Bytes that wait for the receiver. */
  get waitingBytes(): number {
    return this.#stream?.writableLength ?? 0;
  }

  /** Since when the receiver takes nothing, monotonic ms; undefined while it does. */
  get stalledSince(): number | undefined {
    return this.#stalledSince;
  }

  /** The stream over which the client is pushed from now on; an earlier one is left alone. */
  attach(stream: ServerHttp2Stream): void {
    this.#stream = stream;
    this.#stalledSince = undefined;
    stream.on('drain', () => {
      this.#stalledSince = undefined;
    });
  }

  /** The client ended its stream. What it published stays until it is silent for too long, as on 2.5.1. */
  detach(stream: ServerHttp2Stream): void {
    if (this.#stream === stream) this.#stream = undefined;
  }

  /** Asks the client for a sign of life. @returns whether it can be asked */
  askForSign(now: number): boolean {
    this.#lastDetection += 1;
    const json = `{"headers":{},"requestId":"${this.#lastDetection}","module":"internal"}`;
    return this.send({ type: 'ClientDetectionRequest', json }, now);
  }

  /** Whether a request id is that of the last question; those of pushes are far larger. */
  isDetection(requestId: number): boolean {
    return requestId === this.#lastDetection;
  }

  /** Sends a message on the stream. @returns whether there is a stream that takes it */
  send(message: Message, now: number): boolean {
    return this.sendFrame(frameMessage(encodePayload(message.type, message.json)), now);
  }

  /** Sends bytes that are framed already; they may be shared by many connections. */
  sendFrame(frame: Uint8Array, now: number): boolean {
    const stream = this.#stream;
    if (stream === undefined || stream.destroyed || stream.writableEnded) return false;
    if (!stream.write(frame)) this.#stalledSince ??= now;
    return true;
  }

  /** Ends the stream with a status that makes every SDK come back, then the connection. */
  close(): void {
    const { session } = this;
    const stream = this.#stream;
    if (stream !== undefined && !stream.destroyed && !stream.writableEnded) {
      stream.once('wantTrailers', () => stream.sendTrailers({ 'grpc-status': STATUS_UNAVAILABLE }));
      stream.end();
    }
    if (session.destroyed) return;
    session.close();
    // A peer that does not read would keep the session open for ever.
    setTimeout(() => session.destroy(), 1000).unref();
  }
}
