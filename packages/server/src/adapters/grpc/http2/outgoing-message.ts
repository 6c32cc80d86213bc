// A message on its way to many streams: its bytes are framed once per stream id, and clients of one kind use the same ids.

import { FRAME, FRAME_HEAD_BYTES, FRAME_PAYLOAD_BYTES, writeFrameHead } from './frame.js';

/** Stream ids for which the frames are kept; more are made anew each time. */
const KEPT_MAX = 8;

/** One message. */
export class OutgoingMessage {
  /** The message as the stream carries it. */
  readonly bytes: Uint8Array;
  readonly #framed = new Map<number, Uint8Array>();

  constructor(bytes: Uint8Array) {
    this.bytes = bytes;
  }

  /** The message in DATA frames of a stream. */
  framedFor(streamId: number): Uint8Array {
    const kept = this.#framed.get(streamId);
    if (kept !== undefined) return kept;
    const framed = dataFrames(streamId, this.bytes);
    if (this.#framed.size < KEPT_MAX) this.#framed.set(streamId, framed);
    return framed;
  }
}

function dataFrames(streamId: number, bytes: Uint8Array): Uint8Array {
  const count = Math.ceil(bytes.length / FRAME_PAYLOAD_BYTES);
  const framed = Buffer.allocUnsafeSlow(bytes.length + count * FRAME_HEAD_BYTES);
  let at = 0;
  for (let from = 0; from < bytes.length; from += FRAME_PAYLOAD_BYTES) {
    const part = bytes.subarray(from, from + FRAME_PAYLOAD_BYTES);
    writeFrameHead(framed, at, { type: FRAME.data, flags: 0, streamId, length: part.length });
    framed.set(part, at + FRAME_HEAD_BYTES);
    at += FRAME_HEAD_BYTES + part.length;
  }
  return framed;
}
