// Calls with any bytes over one raw connection, many at a time: what carries them is written and read by hand, so that
// nothing of a client library stands between.

import { once } from 'node:events';
import { connect, type Socket } from 'node:net';
import { fieldBlock } from '../../src/adapters/grpc/http2/field-block.js';
import { FieldDecoder } from '../../src/adapters/grpc/http2/field-decoder.js';
import { FLAG, FRAME, frame, SETTING, settingsFrame, windowUpdateFrame } from '../../src/adapters/grpc/http2/frame.js';

/** How a call ended. */
export interface CallOutcome {
  /** gRPC status; -1 for a reset stream. */
  readonly status: number;
  /** Everything that came as body. */
  readonly body: Buffer;
}

interface Call {
  readonly body: Buffer[];
  readonly done: (outcome: CallOutcome) => void;
}

const BLOCKS = ['/Request/request', '/BiRequestStream/requestBiStream'].map((path) =>
  fieldBlock([
    { name: ':method', value: 'POST' },
    { name: ':scheme', value: 'http' },
    { name: ':path', value: path },
    { name: 'content-type', value: 'application/grpc' },
  ]),
) as [Uint8Array, Uint8Array];

/** One connection. */
export class RawGrpcClient {
  readonly #socket: Socket;
  readonly #decoder = new FieldDecoder();
  readonly #calls = new Map<number, Call>();
  #received: Buffer = Buffer.alloc(0);
  #lastStream = 1;
  isClosed = false;

  private constructor(socket: Socket) {
    this.#socket = socket;
    socket.on('error', () => undefined);
    socket.on('data', (chunk) => this.#read(chunk));
    socket.on('close', () => {
      this.isClosed = true;
      for (const { done } of this.#calls.values()) done({ status: -1, body: Buffer.alloc(0) });
    });
    socket.write('PRI * HTTP/2.0\r\n\r\nSM\r\n\r\n');
    socket.write(settingsFrame([[SETTING.initialWindowSize, 2 ** 31 - 1]]));
    socket.write(windowUpdateFrame(0, 2 ** 30));
    socket.write(frame({ type: FRAME.headers, flags: FLAG.endHeaders, streamId: 1 }, BLOCKS[1]));
  }

  /** Connects and opens the stream on which clients are pushed. */
  static async open(port: number): Promise<RawGrpcClient> {
    const socket = connect({ port, host: '127.0.0.1', noDelay: true });
    await once(socket, 'connect');
    return new RawGrpcClient(socket);
  }

  /** Sends a message, framed, on that stream. */
  say(bytes: Uint8Array): void {
    this.#socket.write(frame({ type: FRAME.data, flags: 0, streamId: 1 }, bytes));
  }

  /** Makes a call. @param bytes - its body, at most 16 KiB */
  call(bytes: Uint8Array): Promise<CallOutcome> {
    this.#lastStream += 2;
    const streamId = this.#lastStream;
    this.#socket.write(
      Buffer.concat([
        frame({ type: FRAME.headers, flags: FLAG.endHeaders, streamId }, BLOCKS[0]),
        frame({ type: FRAME.data, flags: FLAG.endStream, streamId }, bytes),
      ]),
    );
    return new Promise((done) => this.#calls.set(streamId, { body: [], done }));
  }

  /** Leaves everything that comes in the kernel from now on. */
  stopReading(): void {
    this.#socket.pause();
  }

  /** Ends the connection. */
  close(): void {
    this.#socket.destroy();
  }

  #read(chunk: Buffer): void {
    let bytes = this.#received.length === 0 ? chunk : Buffer.concat([this.#received, chunk]);
    while (bytes.length >= 9 && bytes.length >= 9 + bytes.readUIntBE(0, 3)) {
      const end = 9 + bytes.readUIntBE(0, 3);
      this.#take(bytes.subarray(0, 9), bytes.subarray(9, end));
      bytes = bytes.subarray(end);
    }
    this.#received = bytes;
  }

  #take(head: Buffer, payload: Buffer): void {
    const [type, flags, streamId] = [head[3] as number, head[4] as number, head.readUInt32BE(5)];
    const call = this.#calls.get(streamId);
    let status = -1;
    if (type === FRAME.headers)
      this.#decoder.decode(payload, ({ name, value }) => {
        if (name === 'grpc-status') status = Number(value);
      });
    if (type === FRAME.data) call?.body.push(payload);
    if (call === undefined || (type !== FRAME.rstStream && (flags & FLAG.endStream) === 0)) return;
    this.#calls.delete(streamId);
    call.done({ status, body: Buffer.concat(call.body) });
  }
}
