// How much history is kept in memory; the app takes it from the configuration.

/** All in bytes, by an estimate of what a fact takes. */
export interface LedgerBounds {
  /** Of all services together. Default 32 MiB. Beyond it the oldest is dropped. */
  readonly bytes: number;
  /** Of one service. Default 4 MiB. Beyond it the oldest quarter is dropped. */
  readonly serviceBytes: number;
  /** Of one instance or one subscriber in a service. Default 64 KiB. Beyond it the older half is dropped. */
  readonly subjectBytes: number;
}

/** Bounds of a server that is not configured otherwise. */
export const DEFAULT_LEDGER_BOUNDS: LedgerBounds = {
  bytes: 32 * 1024 * 1024,
  serviceBytes: 4 * 1024 * 1024,
  subjectBytes: 64 * 1024,
};
