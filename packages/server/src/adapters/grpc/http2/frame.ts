// Frames of HTTP/2: their types and flags, and how the ones that we send are written.
// Source: RFC 9113 sections 4 and 6.

import { ERROR_CODE, type ErrorCodeName } from './http2-error.js';

/** Bytes in front of each frame. */
export const FRAME_HEAD_BYTES = 9;
/** Longest payload without another agreement; we take and send none longer. */
export const FRAME_PAYLOAD_BYTES = 16_384;

/** Types of frames. */
export const FRAME = {
  data: 0,
  headers: 1,
  priority: 2,
  rstStream: 3,
  settings: 4,
  pushPromise: 5,
  ping: 6,
  goAway: 7,
  windowUpdate: 8,
  continuation: 9,
} as const;

/** Flags of frames. */
export const FLAG = { endStream: 1, ack: 1, endHeaders: 4, padded: 8, priority: 0x20 } as const;

/** Identifiers of settings. */
export const SETTING = {
  headerTableSize: 1,
  enablePush: 2,
  maxConcurrentStreams: 3,
  initialWindowSize: 4,
  maxFrameSize: 5,
  maxHeaderListSize: 6,
} as const;

/** Largest stream id, and largest flow-control window in bytes. */
export const UINT31_MAX = 0x7fff_ffff;

/** What stands in front of a payload. */
export interface FrameHead {
  readonly type: number;
  readonly flags: number;
  /** 0 is the connection itself. */
  readonly streamId: number;
  /** Bytes of the payload. */
  readonly length: number;
}

/** A frame without its payload. */
export type FrameKind = Omit<FrameHead, 'length'>;

/** Writes the head of a frame. */
function writeFrameHead(bytes: Uint8Array, at: number, { type, flags, streamId, length }: FrameHead): void {
  bytes[at] = length >>> 16;
  bytes[at + 1] = length >>> 8;
  bytes[at + 2] = length;
  bytes[at + 3] = type;
  bytes[at + 4] = flags;
  writeUint32(bytes, at + 5, streamId);
}

/** A frame of any payload. */
export function frame(head: FrameKind, payload: Uint8Array = NO_BYTES): Uint8Array {
  const bytes = Buffer.allocUnsafe(FRAME_HEAD_BYTES + payload.length);
  writeFrame(bytes, 0, head, payload);
  return bytes;
}

/** Writes a frame. @returns where it ends */
export function writeFrame(
  bytes: Uint8Array,
  at: number,
  { type, flags, streamId }: FrameKind,
  payload: Uint8Array,
): number {
  const { length } = payload;
  writeFrameHead(bytes, at, { type, flags, streamId, length });
  bytes.set(payload, at + FRAME_HEAD_BYTES);
  return at + FRAME_HEAD_BYTES + length;
}

/** What a body takes in DATA frames. */
export function dataFramesBytes(bodyBytes: number): number {
  return bodyBytes + Math.ceil(bodyBytes / FRAME_PAYLOAD_BYTES) * FRAME_HEAD_BYTES;
}

/** Writes a body in DATA frames, none of which ends its stream. @returns where they end */
export function writeDataFrames(bytes: Uint8Array, at: number, streamId: number, body: Uint8Array): number {
  const kind = { type: FRAME.data, flags: 0, streamId };
  let end = at;
  for (let from = 0; from < body.length; from += FRAME_PAYLOAD_BYTES)
    end = writeFrame(bytes, end, kind, body.subarray(from, from + FRAME_PAYLOAD_BYTES));
  return end;
}

/** SETTINGS that announce values. @param values - pairs of identifier and value */
export function settingsFrame(values: readonly (readonly [number, number])[]): Uint8Array {
  const payload = new Uint8Array(values.length * 6);
  values.forEach(([id, value], i) => {
    payload[i * 6 + 1] = id;
    writeUint32(payload, i * 6 + 2, value);
  });
  return frame({ type: FRAME.settings, flags: 0, streamId: 0 }, payload);
}

/** WINDOW_UPDATE. @param bytes - at least 1 */
export function windowUpdateFrame(streamId: number, bytes: number): Uint8Array {
  return frame({ type: FRAME.windowUpdate, flags: 0, streamId }, uint32(bytes));
}

/** RST_STREAM. */
export function resetFrame(streamId: number, code: ErrorCodeName): Uint8Array {
  return frame({ type: FRAME.rstStream, flags: 0, streamId }, uint32(ERROR_CODE[code]));
}

/** GOAWAY. @param text - reason, for people */
export function goAwayFrame(lastStreamId: number, code: ErrorCodeName, text: string): Uint8Array {
  const payload = Buffer.concat([uint32(lastStreamId), uint32(ERROR_CODE[code]), Buffer.from(text)]);
  return frame({ type: FRAME.goAway, flags: 0, streamId: 0 }, payload);
}

/** Reads 32 bits. */
export function readUint32(bytes: Uint8Array, at: number): number {
  return (
    (((bytes[at] as number) << 24) |
      ((bytes[at + 1] as number) << 16) |
      ((bytes[at + 2] as number) << 8) |
      (bytes[at + 3] as number)) >>>
    0
  );
}

const NO_BYTES = new Uint8Array(0);

function uint32(value: number): Uint8Array {
  const bytes = new Uint8Array(4);
  writeUint32(bytes, 0, value);
  return bytes;
}

function writeUint32(bytes: Uint8Array, at: number, value: number): void {
  bytes[at] = value >>> 24;
  bytes[at + 1] = value >>> 16;
  bytes[at + 2] = value >>> 8;
  bytes[at + 3] = value;
}
