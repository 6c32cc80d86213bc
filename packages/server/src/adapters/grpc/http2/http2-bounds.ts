// What one HTTP/2 connection may use.

/** Bounds of one connection. */
export interface Http2Bounds {
  /** Streams at once; more are refused one by one. */
  readonly streams: number;
  /** Bytes of the headers of one request, both as sent and decoded (with 32 for each field); more end the connection. */
  readonly headerBytes: number;
  /** Frames that do no work within one second, besides those that go with messages; more end the connection. */
  readonly controlFramesPerSecond: number;
}
