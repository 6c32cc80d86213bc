// How much a peer may send before it is told to go on. What is received is used at once or kept within bounds of its own, so
// windows are opened again as soon as half of them is used; as that leaves room for any frame, no peer can overrun them.
// Source: RFC 9113 sections 5.2 and 6.9.

import { SETTING, settingsFrame, windowUpdateFrame } from './frame.js';
import type { Http2Bounds } from './http2-bounds.js';
import type { Http2Stream } from './http2-stream.js';

const STREAM_WINDOW_BYTES = 1024 * 1024;
const CONNECTION_WINDOW_BYTES = 4 * 1024 * 1024;
/** What a connection has before it is told otherwise. */
const FIRST_WINDOW_BYTES = 65_535;

/** Receiving side of one connection. */
export class ReceiveFlow {
  readonly #write: (bytes: Uint8Array) => void;
  #window = CONNECTION_WINDOW_BYTES;

  /** @param write - takes frames */
  constructor(write: (bytes: Uint8Array) => void) {
    this.#write = write;
  }

  /** The first frames of this side: what peers may do. */
  static announcement({ streams, headerBytes }: Http2Bounds): Uint8Array {
    return Buffer.concat([
      settingsFrame([
        [SETTING.maxConcurrentStreams, streams],
        [SETTING.initialWindowSize, STREAM_WINDOW_BYTES],
        [SETTING.maxHeaderListSize, headerBytes],
      ]),
      windowUpdateFrame(0, CONNECTION_WINDOW_BYTES - FIRST_WINDOW_BYTES),
    ]);
  }

  /** Window of a new stream, bytes. */
  get initialWindow(): number {
    return STREAM_WINDOW_BYTES;
  }

  /** Bytes came on the connection. */
  take(bytes: number): void {
    this.#window -= bytes;
    if (this.#window > CONNECTION_WINDOW_BYTES / 2) return;
    this.#write(windowUpdateFrame(0, CONNECTION_WINDOW_BYTES - this.#window));
    this.#window = CONNECTION_WINDOW_BYTES;
  }

  /** Bytes came on a stream that goes on. */
  takeOf(stream: Http2Stream, bytes: number): void {
    stream.receiveWindow -= bytes;
    if (stream.receiveWindow > STREAM_WINDOW_BYTES / 2) return;
    this.#write(windowUpdateFrame(stream.id, STREAM_WINDOW_BYTES - stream.receiveWindow));
    stream.receiveWindow = STREAM_WINDOW_BYTES;
  }
}
