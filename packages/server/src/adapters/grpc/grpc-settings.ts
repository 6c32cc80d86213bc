// Bounds and rhythms of the gRPC side. Durations in ms.
// Source: contract 4 and 6 (Nacos 2.5.1 server), decisions.md; our own where the original has none.

import type { Http2Bounds } from './http2/http2-bounds.js';

/** Everything that is bounded or timed on a gRPC connection. */
export interface GrpcSettings {
  /** Connections at once; more are closed on arrival. */
  readonly connections: number;
  /** What HTTP/2 of one connection may use. */
  readonly http2: Http2Bounds;
  /** Longest message, both ways (10 MiB like the original). */
  readonly messageBytes: number;
  /** Bytes of incomplete messages of one connection; the message that does not fit is refused. */
  readonly incompleteBytes: number;
  /** The same of all connections together, besides a little that is each one's own. */
  readonly incompleteBytesOfAll: number;
  /** How long the request of a call may take to come in; then the call is refused. */
  readonly requestMs: number;
  /** A connection without a sign of life for this long is asked for one. */
  readonly idleMs: number;
  /** How long it may take to answer. */
  readonly detectionMs: number;
  /** A receiver that takes nothing for this long is closed. */
  readonly stalledMs: number;
  /** Bytes that may wait for a receiver; one with more is closed. */
  readonly waitingBytes: number;
  /** Bytes that may wait before pushes wait instead, the newest of each subscription only. */
  readonly pushAheadBytes: number;
  /** Bytes of pushed lists that one connection may leave without acknowledgement before further ones wait. */
  readonly unacknowledgedBytes: number;
}

/** Settings of a server that is not configured otherwise. */
export const DEFAULT_GRPC_SETTINGS: GrpcSettings = {
  connections: 20_000,
  http2: { streams: 256, headerBytes: 32 * 1024, controlFramesPerSecond: 1000 },
  messageBytes: 10 * 1024 * 1024,
  incompleteBytes: 64 * 1024 * 1024,
  incompleteBytesOfAll: 256 * 1024 * 1024,
  requestMs: 20_000,
  idleMs: 20_000,
  detectionMs: 5_000,
  stalledMs: 20_000,
  waitingBytes: 16 * 1024 * 1024,
  pushAheadBytes: 64 * 1024,
  unacknowledgedBytes: 4 * 1024 * 1024,
};
