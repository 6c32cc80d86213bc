// Bounds of the connections between nodes. What happens at each: the connection ends, with a log line and a counter; the
// node that dialled tries again, and what got lost is repaired by the digests in the pings.

/** Bounds of one transport. */
export interface PeerBounds {
  /** Longest frame before both sides are known, bytes. */
  readonly handshakeBytes: number;
  /** Longest frame after that, bytes. A message of the core is cut to 256 KiB where it can be cut. */
  readonly frameBytes: number;
  /** Frames that a peer may send in one second, twice as many after a quiet time. */
  readonly framesPerSecond: number;
  /** Bytes that a peer may send in one second, twice as many after a quiet time. */
  readonly bytesPerSecond: number;
  /** Bytes that may wait for a peer that reads slowly; beyond them its connection is closed. */
  readonly queueBytes: number;
  /** Wait for a TCP connection before one more try begins beside it: after a cut, the next try decides how soon nodes meet again. */
  readonly redialMs: number;
  /** Tries for a TCP connection to one node at a time; the oldest gives way to a new one, so each has `dials` times `redialMs`. */
  readonly dials: number;
  /** Longest handshake; must be above the time for which two processes with one address are watched. */
  readonly handshakeMs: number;
  /** A peer that takes nothing of what it is sent for so long is dialled anew. */
  readonly stalledMs: number;
  /** A connection on which nothing comes for so long is closed. Pings come every second. */
  readonly silentMs: number;
  /** Connections that may be in their handshake; the oldest gives way to a new one. */
  readonly handshakes: number;
  /** Wait before the next dial: doubled from the first to the last after each failure. */
  readonly retryMs: { readonly first: number; readonly last: number };
  /** Wait after a peer has refused this node for what it is: nothing changes until an operator does something. */
  readonly refusedRetryMs: number;
}

/** The bounds of a server. */
export const DEFAULT_PEER_BOUNDS: PeerBounds = {
  handshakeBytes: 4 * 1024,
  frameBytes: 1024 * 1024,
  framesPerSecond: 1000,
  bytesPerSecond: 64 * 1024 * 1024,
  queueBytes: 64 * 1024 * 1024,
  redialMs: 200,
  dials: 10,
  handshakeMs: 5000,
  stalledMs: 2000,
  silentMs: 10_000,
  handshakes: 64,
  retryMs: { first: 100, last: 1000 },
  refusedRetryMs: 3000,
};
