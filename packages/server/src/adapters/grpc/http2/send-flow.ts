// Sends bodies within the windows that the peer grants; what does not fit waits, in turns between the streams.
// Source: RFC 9113 sections 5.2 and 6.9.

import {
  dataFramesBytes,
  FLAG,
  FRAME,
  FRAME_HEAD_BYTES,
  FRAME_PAYLOAD_BYTES,
  frame,
  UINT31_MAX,
  writeDataFrames,
  writeFrame,
} from './frame.js';
import { Http2Error } from './http2-error.js';
import type { Http2Stream, WholeAnswer } from './http2-stream.js';
import type { OutgoingMessage } from './outgoing-message.js';

/** Windows before anybody changes them. */
const WINDOW_BYTES = 65_535;

/** Sending side of one connection. */
export class SendFlow {
  readonly #write: (bytes: Uint8Array) => void;
  readonly #onEnded: (stream: Http2Stream) => void;
  readonly #blocked = new Set<Http2Stream>();
  #window = WINDOW_BYTES;
  #initialWindow = WINDOW_BYTES;
  #waitingBytes = 0;

  /**
   * @param write - takes frames
   * @param onEnded - the trailers of a stream are written
   */
  constructor(write: (bytes: Uint8Array) => void, onEnded: (stream: Http2Stream) => void) {
    this.#write = write;
    this.#onEnded = onEnded;
  }

  /** Bytes that wait for the peer's windows. */
  get waitingBytes(): number {
    return this.#waitingBytes;
  }

  /** Window of a new stream, bytes. */
  get initialWindow(): number {
    return this.#initialWindow;
  }

  /** Sends a message. */
  send(stream: Http2Stream, message: OutgoingMessage): void {
    const { length } = message.bytes;
    if (!this.#fits(stream, length)) {
      this.#queue(stream, message.bytes);
      return;
    }
    this.#use(stream, length);
    this.#write(message.framedFor(stream.id));
  }

  /** Sends a whole answer; in one piece when it fits. */
  answer(stream: Http2Stream, answer: WholeAnswer): void {
    const { head, body, trailers } = answer;
    stream.isLocalOpen = false;
    if (this.#fits(stream, body.length)) {
      this.#use(stream, body.length);
      this.#write(wholeAnswer(stream.id, answer));
      this.#onEnded(stream);
      return;
    }
    this.#write(frame({ type: FRAME.headers, flags: FLAG.endHeaders, streamId: stream.id }, head));
    stream.waitingTrailers = trailers;
    this.#queue(stream, body);
  }

  /** Sends trailers behind what waits. */
  finish(stream: Http2Stream, trailers: Uint8Array): void {
    stream.isLocalOpen = false;
    stream.waitingTrailers = trailers;
    if (stream.waiting.length === 0) this.#end(stream);
  }

  /** The stream is gone, and what waits on it with it. */
  forget(stream: Http2Stream): void {
    if (!this.#blocked.delete(stream)) return;
    for (const part of stream.waiting) this.#waitingBytes -= part.length;
    stream.waiting = [];
    stream.waitingTrailers = undefined;
  }

  /** The peer takes more on the connection. @throws Http2Error `FLOW_CONTROL_ERROR` when its window is too large */
  widen(bytes: number): void {
    this.#window += bytes;
    if (this.#window > UINT31_MAX) throw tooWide('connection');
    this.#pump();
  }

  /** The peer takes more on a stream. @returns false when the window is too large: the stream has to end */
  widenStream(stream: Http2Stream, bytes: number): boolean {
    stream.sendWindow += bytes;
    if (stream.sendWindow > UINT31_MAX) return false;
    if (this.#blocked.has(stream)) this.#pump();
    return true;
  }

  /** The peer has set the window of its streams anew. @throws as `widen` */
  setInitialWindow(bytes: number, streams: Iterable<Http2Stream>): void {
    const difference = bytes - this.#initialWindow;
    this.#initialWindow = bytes;
    for (const stream of streams) {
      stream.sendWindow += difference;
      if (stream.sendWindow > UINT31_MAX) throw tooWide('stream');
    }
    if (difference > 0) this.#pump();
  }

  #fits(stream: Http2Stream, bytes: number): boolean {
    return stream.waiting.length === 0 && bytes <= stream.sendWindow && bytes <= this.#window;
  }

  #use(stream: Http2Stream, bytes: number): void {
    stream.sendWindow -= bytes;
    this.#window -= bytes;
  }

  #queue(stream: Http2Stream, bytes: Uint8Array): void {
    this.#waitingBytes += bytes.length;
    if (stream.waiting.length === 0) stream.waiting = [bytes];
    else stream.waiting.push(bytes);
    this.#blocked.add(stream);
    this.#pump();
  }

  /** One frame of each stream in turn, until the windows are used up. */
  #pump(): void {
    for (let moved = true; moved && this.#window > 0; ) {
      moved = false;
      for (const stream of this.#blocked) if (this.#sendPart(stream)) moved = true;
    }
  }

  #sendPart(stream: Http2Stream): boolean {
    const part = stream.waiting[0] as Uint8Array;
    const length = Math.min(part.length, FRAME_PAYLOAD_BYTES, this.#window, stream.sendWindow);
    if (length <= 0) return false;
    this.#use(stream, length);
    this.#waitingBytes -= length;
    this.#write(frame({ type: FRAME.data, flags: 0, streamId: stream.id }, part.subarray(0, length)));
    if (length < part.length) stream.waiting[0] = part.subarray(length);
    else stream.waiting.shift();
    if (stream.waiting.length > 0) return true;
    this.#blocked.delete(stream);
    if (stream.waitingTrailers !== undefined) this.#end(stream);
    return true;
  }

  #end(stream: Http2Stream): void {
    const flags = FLAG.endHeaders | FLAG.endStream;
    this.#write(frame({ type: FRAME.headers, flags, streamId: stream.id }, stream.waitingTrailers));
    stream.waitingTrailers = undefined;
    this.#onEnded(stream);
  }
}

function wholeAnswer(streamId: number, { head, body, trailers }: WholeAnswer): Uint8Array {
  const bytes = Buffer.allocUnsafe(2 * FRAME_HEAD_BYTES + head.length + dataFramesBytes(body.length) + trailers.length);
  const afterHead = writeFrame(bytes, 0, { type: FRAME.headers, flags: FLAG.endHeaders, streamId }, head);
  const afterBody = writeDataFrames(bytes, afterHead, streamId, body);
  writeFrame(bytes, afterBody, { type: FRAME.headers, flags: FLAG.endHeaders | FLAG.endStream, streamId }, trailers);
  return bytes;
}

function tooWide(of: 'connection' | 'stream'): Http2Error {
  return new Http2Error('FLOW_CONTROL_ERROR', `Window of a ${of} is larger than the allowed ${UINT31_MAX} bytes`);
}
