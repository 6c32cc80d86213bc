// Bounds and rhythms of the gRPC side. Durations in ms.
// Source: contract 4 and 6 (Nacos 2.5.1 server), decisions.md; our own where the original has none.

/** Everything that is bounded or timed on a gRPC connection. */
export interface GrpcSettings {
  /** Connections at once; more are closed on arrival. */
  readonly connections: number;
  /** Streams at once on one connection: SDKs use a handful. */
  readonly streamsPerConnection: number;
  /** Longest message, both ways (10 MiB like the original). */
  readonly messageBytes: number;
  /** A connection without a sign of life for this long is asked for one. */
  readonly idleMs: number;
  /** How long it may take to answer. */
  readonly detectionMs: number;
  /** A receiver that takes nothing for this long is closed. */
  readonly stalledMs: number;
  /** Bytes that may wait in a receiver's stream; one with more is closed. */
  readonly waitingBytes: number;
  /** Resets, pings and settings that a peer may send in one second. */
  readonly controlFramesPerSecond: number;
}

/** Settings of a server that is not configured otherwise. */
export const DEFAULT_GRPC_SETTINGS: GrpcSettings = {
  connections: 20_000,
  streamsPerConnection: 256,
  messageBytes: 10 * 1024 * 1024,
  idleMs: 20_000,
  detectionMs: 5_000,
  stalledMs: 20_000,
  waitingBytes: 16 * 1024 * 1024,
  controlFramesPerSecond: 1000,
};
