// What is read out of payloads: padding and priority taken off, settings and single numbers checked.
// Source: RFC 9113 sections 6.1, 6.2, 6.5 and 6.9.

import { FLAG, FRAME_PAYLOAD_BYTES, type FrameHead, readUint32, SETTING, UINT31_MAX } from './frame.js';
import { Http2Error } from './http2-error.js';

const PRIORITY_BYTES = 5;
const SETTING_BYTES = 6;
/** Settings in one frame; a peer that repeats itself more often means no good. */
const SETTINGS_MAX = 32;
const FRAME_SIZE_LIMIT = 2 ** 24 - 1;

/** What of a peer's settings matters to this side. */
export interface PeerSettings {
  readonly initialWindow?: number;
  readonly headerTableBytes?: number;
}

/** The content of a DATA or HEADERS frame. @throws Http2Error when padding or priority do not fit into it */
export function contentOf(
  head: FrameHead,
  payload: Uint8Array,
  options: { readonly hasPriority: boolean },
): Uint8Array {
  const isPadded = (head.flags & FLAG.padded) !== 0;
  const skipped = (isPadded ? 1 : 0) + (options.hasPriority ? PRIORITY_BYTES : 0);
  const padding = isPadded ? (payload[0] ?? 0) : 0;
  if (skipped === 0) return payload;
  if (skipped > payload.length) throw wrongSize(head, `at least ${skipped}`);
  if (skipped + padding > payload.length)
    throw new Http2Error('PROTOCOL_ERROR', `Frame of ${payload.length} bytes has a padding of ${padding}`);
  return payload.subarray(skipped, payload.length - padding);
}

/** Reads SETTINGS. @throws Http2Error for values that are not allowed */
export function settingsOf(head: FrameHead, payload: Uint8Array): PeerSettings {
  if (payload.length % SETTING_BYTES !== 0) throw wrongSize(head, `a multiple of ${SETTING_BYTES}`);
  if (payload.length > SETTINGS_MAX * SETTING_BYTES)
    throw new Http2Error('PROTOCOL_ERROR', `SETTINGS has more than the allowed ${SETTINGS_MAX} values`);
  let initialWindow: number | undefined;
  let headerTableBytes: number | undefined;
  for (let at = 0; at < payload.length; at += SETTING_BYTES) {
    const id = ((payload[at] as number) << 8) | (payload[at + 1] as number);
    const value = readUint32(payload, at + 2);
    if (id === SETTING.headerTableSize) headerTableBytes = Math.min(value, headerTableBytes ?? value);
    else if (id === SETTING.enablePush && value > 1) throw notAllowed('ENABLE_PUSH', value);
    else if (id === SETTING.maxFrameSize && (value < FRAME_PAYLOAD_BYTES || value > FRAME_SIZE_LIMIT))
      throw notAllowed('MAX_FRAME_SIZE', value);
    else if (id === SETTING.initialWindowSize) {
      if (value > UINT31_MAX) throw new Http2Error('FLOW_CONTROL_ERROR', `INITIAL_WINDOW_SIZE ${value} is too large`);
      initialWindow = value;
    }
  }
  return {
    ...(initialWindow === undefined ? {} : { initialWindow }),
    ...(headerTableBytes === undefined ? {} : { headerTableBytes }),
  };
}

/** Checks a payload that has one size only. @throws Http2Error `FRAME_SIZE_ERROR` */
export function checkSize(head: FrameHead, bytes: number): void {
  if (head.length !== bytes) throw wrongSize(head, String(bytes));
}

function wrongSize({ type, length }: FrameHead, allowed: string): Http2Error {
  return new Http2Error('FRAME_SIZE_ERROR', `Frame of type ${type} has ${length} bytes, allowed are ${allowed}`);
}

function notAllowed(name: string, value: number): Http2Error {
  return new Http2Error('PROTOCOL_ERROR', `Setting ${name} is ${value}, which is not allowed`);
}
