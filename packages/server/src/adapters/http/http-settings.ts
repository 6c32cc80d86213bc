// What can be set about the HTTP side of a port: times, bounds, allowed origins.

/** Times and bounds of HTTP connections. Relations: none; each one stands alone. */
export interface HttpSettings {
  /** Bytes of request line plus headers; more is answered 431. `Limits.requestHeadBytes`. */
  readonly headBytes: number;
  /** Bytes of a request body; more is answered 413. `Limits.requestBodyBytes`. */
  readonly bodyBytes: number;
  /** Open connections of one port; more are closed at once. */
  readonly connections: number;
  /** ms that a connection without a request in progress is kept; told to clients in `Keep-Alive`, in seconds. Nacos: 60 s. */
  readonly idleMs: number;
  /** ms from the first byte of a request head to its last; then 408. */
  readonly headMs: number;
  /** ms from the end of a head to the last byte of the body; then 408. */
  readonly bodyMs: number;
  /** ms that a peer may leave an answer unread; then the connection is closed. */
  readonly unreadMs: number;
  /** Requests of one connection that may wait for their answer; reading stops meanwhile. */
  readonly pipelinedRequests: number;
  /** Bytes of answers that may wait on one connection; reading stops, a stream is closed. One answer may be larger. */
  readonly unsentBytes: number;
  /** Request lines kept with what was resolved from them, in each of two generations. 0 keeps none. */
  readonly keptTargets: number;
  /** Bytes of the request lines and bodies kept in each generation; what handlers keep beside them comes on top. */
  readonly keptTargetBytes: number;
  /** Origins that a browser page may call from, such as `https://console.example`; `*` for all. Empty turns CORS off. */
  readonly allowedOrigins: readonly string[];
}

/** Settings of a server that is not configured otherwise. */
export const DEFAULT_HTTP_SETTINGS: HttpSettings = {
  headBytes: 256 * 1024,
  bodyBytes: 4 * 1024 * 1024,
  connections: 20_000,
  idleMs: 60_000,
  headMs: 20_000,
  bodyMs: 60_000,
  unreadMs: 30_000,
  pipelinedRequests: 128,
  unsentBytes: 1024 * 1024,
  keptTargets: 8192,
  keptTargetBytes: 4 * 1024 * 1024,
  allowedOrigins: [],
};
