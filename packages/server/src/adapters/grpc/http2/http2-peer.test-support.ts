// The other side of a connection for tests: writes any frames, right or wrong, and reads what comes back.

import { fieldBlock } from './field-block.js';
import { FieldDecoder } from './field-decoder.js';
import { FLAG, FRAME, frame, readUint32, settingsFrame } from './frame.js';
import type { Http2Bounds } from './http2-bounds.js';
import { Http2Connection, type Http2Owner } from './http2-connection.js';
import type { Http2Error } from './http2-error.js';
import type { Http2Stream, StreamReceiver } from './http2-stream.js';
import type { RequestHead } from './request-head.js';

/** What clients begin with. */
export const PREFACE = Buffer.from('PRI * HTTP/2.0\r\n\r\nSM\r\n\r\n');

/** Fields of a right request. */
export const REQUEST = [
  { name: ':method', value: 'POST' },
  { name: ':scheme', value: 'http' },
  { name: ':path', value: '/a' },
  { name: 'content-type', value: 'application/grpc' },
];

/** Bounds that are soon reached. */
const SMALL_BOUNDS: Http2Bounds = { streams: 4, headerBytes: 1000, controlFramesPerSecond: 100 };

/** HEADERS. */
export function headersFrame(
  streamId: number,
  { fields = REQUEST, flags = FLAG.endHeaders as number }: { fields?: typeof REQUEST; flags?: number } = {},
): Uint8Array {
  return frame({ type: FRAME.headers, flags, streamId }, fieldBlock(fields));
}

/** DATA. */
export function dataFrame(streamId: number, bytes: number | Uint8Array, flags = 0): Uint8Array {
  return frame({ type: FRAME.data, flags, streamId }, typeof bytes === 'number' ? new Uint8Array(bytes) : bytes);
}

/** A request of a stream, with its body. */
export function wholeRequest(streamId: number, bodyBytes = 1): Uint8Array {
  return Buffer.concat([headersFrame(streamId), dataFrame(streamId, bodyBytes, FLAG.endStream)]);
}

/** A connection that answers each request with a body, seen from its peer. */
export class Http2Peer implements Http2Owner {
  readonly connection: Http2Connection;
  readonly events: string[] = [];
  readonly streams = new Map<number, Http2Stream>();
  error: Http2Error | undefined;
  now = 0;
  /** How often it was told that there is something to flush. */
  flushesAsked = 0;
  /** Given to each request at its end; none leaves it open. */
  answerBody: Uint8Array | undefined = new Uint8Array(10);
  readonly #decoder = new FieldDecoder();
  #received: Buffer = Buffer.alloc(0);

  constructor(bounds: Http2Bounds = SMALL_BOUNDS) {
    this.connection = new Http2Connection(this, bounds);
    this.connection.start();
  }

  /** Whether all requests are refused. */
  refusing = false;

  /** A peer that has sent its preface and settings. */
  static greeted(bounds?: Http2Bounds): Http2Peer {
    const peer = new Http2Peer(bounds);
    peer.send(PREFACE, settingsFrame([]));
    peer.frames();
    return peer;
  }

  /** Sends bytes, in one piece. */
  send(...parts: Uint8Array[]): void {
    this.connection.receive(Buffer.concat(parts));
  }

  /** What has come since the last time: one text for each frame. */
  frames(): string[] {
    this.connection.flush();
    const texts: string[] = [];
    while (this.#received.length >= 9) {
      const length = this.#received.readUIntBE(0, 3);
      const payload = this.#received.subarray(9, 9 + length);
      texts.push(this.#textOf(this.#received.subarray(0, 9), payload));
      this.#received = this.#received.subarray(9 + length);
    }
    return texts;
  }

  nowMs(): number {
    return this.now;
  }

  write(bytes: Uint8Array): void {
    this.#received = Buffer.concat([this.#received, bytes]);
  }

  flushSoon(): void {
    this.flushesAsked += 1;
  }

  onRequest(stream: Http2Stream, { path }: RequestHead): StreamReceiver {
    this.events.push(`request ${stream.id} ${path}`);
    this.streams.set(stream.id, stream);
    if (this.refusing) stream.refuse(fieldBlock([{ name: ':status', value: '405' }]));
    return {
      data: (bytes) => this.events.push(`data ${stream.id} ${bytes.length}`),
      end: () => {
        this.events.push(`end ${stream.id}`);
        const body = this.answerBody;
        if (body !== undefined)
          stream.answer({
            head: fieldBlock([{ name: ':status', value: '200' }]),
            body,
            trailers: fieldBlock([{ name: 'grpc-status', value: '0' }]),
          });
      },
      closed: () => this.events.push(`closed ${stream.id}`),
    };
  }

  onStreamRefused(): void {
    this.events.push('refused');
  }

  onRelief(): void {
    this.events.push('relief');
  }

  onFailed(error: Http2Error): void {
    this.error = error;
  }

  onFinished(): void {
    this.events.push('finished');
  }

  #textOf(head: Buffer, payload: Buffer): string {
    const [type, flags, stream] = [head[3] as number, head[4] as number, head.readUInt32BE(5)];
    const name = Object.keys(FRAME)[type];
    const end = (flags & FLAG.endStream) !== 0 ? ' end' : '';
    switch (type) {
      case FRAME.headers: {
        const fields: string[] = [];
        this.#decoder.decode(payload, (field) => fields.push(`${field.name}=${field.value}`));
        return `headers ${stream} ${fields.join(' ')}${end}`;
      }
      case FRAME.rstStream:
        return `rstStream ${stream} ${readUint32(payload, 0)}`;
      case FRAME.windowUpdate:
        return `windowUpdate ${stream} ${readUint32(payload, 0)}`;
      case FRAME.goAway:
        return `goAway ${readUint32(payload, 0)} ${readUint32(payload, 4)}`;
      case FRAME.settings:
      case FRAME.ping:
        return `${name}${(flags & FLAG.ack) !== 0 ? ' ack' : ''}`;
      default:
        return `${name} ${stream} ${payload.length}${end}`;
    }
  }
}
