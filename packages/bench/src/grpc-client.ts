// A gRPC client that costs as little as possible: one socket, prepared bytes, frames read only as far as a load needs it.
// Headers are sent as SDKs do: in full once, by index from then on. Windows are so large that nothing ever waits for them.
import { connect, type Socket } from 'node:net';
import type { Endpoint } from './endpoint.js';
import { FLAG, FRAME, frame, headerText, PREFACE, uint32 } from './http2-frame.js';

/** Distance from the main port to the one that clients compute. */
const GRPC_PORT_OFFSET = 1000;
const WINDOW_BYTES = 2 ** 30;
const NO_BYTES: Buffer = Buffer.alloc(0);

/** What a client is told. */
export interface GrpcClientEvents {
  /** A call has ended. @param body - empty when it failed */
  answered(streamId: number, body: Buffer): void;
  /** A message came on the stream, in one piece. */
  pushed(message: Buffer): void;
  /** The connection is gone, or a call was reset. */
  lost(reason: string): void;
}

/** One connection. */
export class GrpcClient {
  readonly #socket: Socket;
  readonly #events: GrpcClientEvents;
  readonly #bodies = new Map<number, Buffer>();
  #rest = NO_BYTES;
  #nextStream = 1;
  #pushStream = 0;
  #pushed = NO_BYTES;
  #taken = 0;
  #hasSentHeaders = false;
  #closed = false;

  constructor(endpoint: Endpoint, events: GrpcClientEvents) {
    this.#events = events;
    this.#socket = connect({ host: endpoint.host, port: endpoint.port + GRPC_PORT_OFFSET, noDelay: true });
    this.#socket.on('data', (chunk: Buffer) => this.#read(chunk));
    this.#socket.on('error', () => undefined);
    this.#socket.on('close', () => {
      if (!this.#closed) events.lost('Connection was closed');
    });
    const settings = Buffer.from([0, 4, 0x7f, 0xff, 0xff, 0xff]);
    this.#socket.write(
      Buffer.concat([PREFACE, frame(FRAME.settings, 0, 0, settings), frame(FRAME.window, 0, 0, uint32(WINDOW_BYTES))]),
    );
  }

  /** Makes a unary call. @returns its stream */
  call(message: Buffer): number {
    const streamId = this.#takeStream();
    this.#socket.write(
      Buffer.concat([
        frame(FRAME.headers, FLAG.endHeaders, streamId, this.#headers('/Request/request')),
        frame(FRAME.data, FLAG.endStream, streamId, message),
      ]),
    );
    return streamId;
  }

  /** Opens the stream over which the server pushes. @param setup - first message */
  openStream(setup: Buffer): void {
    this.#pushStream = this.#takeStream();
    const headers = frame(
      FRAME.headers,
      FLAG.endHeaders,
      this.#pushStream,
      this.#headers('/BiRequestStream/requestBiStream'),
    );
    this.#socket.write(Buffer.concat([headers, frame(FRAME.data, 0, this.#pushStream, setup)]));
  }

  /** Sends a message on that stream. */
  say(message: Buffer): void {
    this.#socket.write(frame(FRAME.data, 0, this.#pushStream, message));
  }

  /** Ends the connection. */
  close(): void {
    this.#closed = true;
    this.#socket.destroy();
  }

  #takeStream(): number {
    const streamId = this.#nextStream;
    this.#nextStream += 2;
    return streamId;
  }

  #headers(path: string): Buffer {
    // :method POST, :scheme http; then :path as a literal; then authority, content-type, te and user-agent.
    const head = [0x83, 0x86, 0x04, ...headerText(path)];
    if (this.#hasSentHeaders) return Buffer.from([...head, 0xc1, 0xc0, 0xbf, 0xbe]);
    this.#hasSentHeaders = true;
    return Buffer.from([
      ...[...head, 0x41, ...headerText('127.0.0.1'), 0x5f, ...headerText('application/grpc')],
      ...[0x40, ...headerText('te'), ...headerText('trailers'), 0x7a, ...headerText('bench/1.0')],
    ]);
  }

  #read(chunk: Buffer): void {
    const bytes = this.#rest.length === 0 ? chunk : Buffer.concat([this.#rest, chunk]);
    let at = 0;
    while (bytes.length - at >= 9) {
      const end = at + 9 + bytes.readUIntBE(at, 3);
      if (end > bytes.length) break;
      this.#take(
        bytes[at + 3] as number,
        bytes[at + 4] as number,
        bytes.readUInt32BE(at + 5),
        bytes.subarray(at + 9, end),
      );
      at = end;
    }
    this.#rest = at === bytes.length ? NO_BYTES : bytes.subarray(at);
  }

  #take(type: number, flags: number, streamId: number, payload: Buffer): void {
    if (type === FRAME.data) this.#takeData(streamId, payload);
    if (type === FRAME.settings && (flags & FLAG.ack) === 0)
      this.#socket.write(frame(FRAME.settings, FLAG.ack, 0, NO_BYTES));
    if (type === FRAME.ping && (flags & FLAG.ack) === 0) this.#socket.write(frame(FRAME.ping, FLAG.ack, 0, payload));
    if (type === FRAME.goAway) this.#events.lost(`Server says goodbye: "${payload.toString('latin1', 8)}"`);
    const isEnd = (type === FRAME.data || type === FRAME.headers) && (flags & FLAG.endStream) !== 0;
    if (!isEnd && type !== FRAME.reset) return;
    if (streamId === this.#pushStream) {
      this.#events.lost('Stream was ended');
      return;
    }
    const body = this.#bodies.get(streamId);
    this.#bodies.delete(streamId);
    // A reset may follow the end: only the first of them counts.
    if (isEnd || body !== undefined) this.#events.answered(streamId, body ?? NO_BYTES);
  }

  #takeData(streamId: number, payload: Buffer): void {
    this.#grantMore(payload.length);
    if (streamId !== this.#pushStream) {
      const before = this.#bodies.get(streamId);
      this.#bodies.set(streamId, before === undefined ? payload : Buffer.concat([before, payload]));
      return;
    }
    let bytes = this.#pushed.length === 0 ? payload : Buffer.concat([this.#pushed, payload]);
    while (bytes.length >= 5 && bytes.length >= 5 + bytes.readUInt32BE(1)) {
      const end = 5 + bytes.readUInt32BE(1);
      this.#events.pushed(bytes.subarray(5, end));
      bytes = bytes.subarray(end);
    }
    this.#pushed = bytes;
  }

  #grantMore(bytes: number): void {
    this.#taken += bytes;
    if (this.#taken < WINDOW_BYTES / 2) return;
    this.#socket.write(frame(FRAME.window, 0, 0, uint32(this.#taken)));
    this.#taken = 0;
  }
}
