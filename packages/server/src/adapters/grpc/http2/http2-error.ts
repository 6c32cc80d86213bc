// Why a connection cannot go on: what the peer did wrong, with the code that it is told.
// Source: RFC 9113 section 7.

/** Error codes of HTTP/2. */
export const ERROR_CODE = {
  NO_ERROR: 0x0,
  PROTOCOL_ERROR: 0x1,
  FLOW_CONTROL_ERROR: 0x3,
  STREAM_CLOSED: 0x5,
  FRAME_SIZE_ERROR: 0x6,
  REFUSED_STREAM: 0x7,
  CANCEL: 0x8,
  COMPRESSION_ERROR: 0x9,
  ENHANCE_YOUR_CALM: 0xb,
} as const;

/** Name of an error code. */
export type ErrorCodeName = keyof typeof ERROR_CODE;

/** Frames that cost the peer little and this side something, by what a flood of them is called. */
export type FloodReason =
  | 'reset-flood'
  | 'stream-flood'
  | 'refusal-flood'
  | 'continuation-flood'
  | 'settings-flood'
  | 'ping-flood'
  | 'window-flood'
  | 'priority-flood'
  | 'data-flood'
  | 'unknown-frame-flood';

/** Why a connection ended: labels of a metric, and words of a log line. */
export type Http2EndReason =
  | 'protocol-error'
  | 'flow-control-error'
  | 'frame-size-error'
  | 'compression-error'
  | 'headers-too-large'
  | FloodReason;

const REASONS = {
  PROTOCOL_ERROR: 'protocol-error',
  FLOW_CONTROL_ERROR: 'flow-control-error',
  FRAME_SIZE_ERROR: 'frame-size-error',
  COMPRESSION_ERROR: 'compression-error',
} as const;

/** A peer broke a rule of HTTP/2 or a bound of ours; its connection ends. */
export class Http2Error extends Error {
  /** Code for the peer. */
  readonly code: ErrorCodeName;
  readonly reason: Http2EndReason;

  /** @param message - what was found and what is allowed; the peer reads it too */
  constructor(code: keyof typeof REASONS, message: string) {
    super(message);
    this.code = code;
    this.reason = REASONS[code];
  }
}

/** A peer used more than its share; its connection ends with `ENHANCE_YOUR_CALM`. */
export class ExcessError extends Http2Error {
  override readonly code = 'ENHANCE_YOUR_CALM';
  override readonly reason: 'headers-too-large' | FloodReason;

  /** @param message - as for Http2Error */
  constructor(reason: 'headers-too-large' | FloodReason, message: string) {
    super('PROTOCOL_ERROR', message);
    this.reason = reason;
  }
}
