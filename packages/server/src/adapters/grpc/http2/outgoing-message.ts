// A message on its way to many streams: its bytes are framed once per stream id, and clients of one kind use the same ids.

import { dataFramesBytes, writeDataFrames } from './frame.js';

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
  const framed = Buffer.allocUnsafeSlow(dataFramesBytes(bytes.length));
  writeDataFrames(framed, 0, streamId, bytes);
  return framed;
}
