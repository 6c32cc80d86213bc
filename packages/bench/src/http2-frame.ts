// Frames of HTTP/2 as raw bytes, right or wrong: loads and attacks put them together themselves.

/** Types of frames. */
export const FRAME = {
  data: 0,
  headers: 1,
  priority: 2,
  reset: 3,
  settings: 4,
  ping: 6,
  goAway: 7,
  window: 8,
  continuation: 9,
} as const;

/** Flags of frames. */
export const FLAG = { ack: 1, endStream: 1, endHeaders: 4 } as const;

/** What every client begins with. */
export const PREFACE = Buffer.from('PRI * HTTP/2.0\r\n\r\nSM\r\n\r\n');

/** One frame. */
export function frame(type: number, flags: number, streamId: number, payload: Buffer): Buffer {
  const bytes = Buffer.allocUnsafe(9 + payload.length);
  bytes.writeUIntBE(payload.length, 0, 3);
  bytes[3] = type;
  bytes[4] = flags;
  bytes.writeUInt32BE(streamId, 5);
  bytes.set(payload, 9);
  return bytes;
}

/** A string of HPACK without Huffman code. @param value - at most 126 characters */
export function headerText(value: string): number[] {
  return [value.length, ...Buffer.from(value)];
}

/** A number as frames carry it. */
export function uint32(value: number): Buffer {
  const bytes = Buffer.alloc(4);
  bytes.writeUInt32BE(value);
  return bytes;
}
