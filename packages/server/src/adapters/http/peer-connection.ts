// What is known of the connection behind a request, also after it is gone: whether the process at its other end seems to live.

/** One connection. The lane writes it; who keeps it may look at any time. */
export class PeerConnection {
  /**
   * `open`, `ended` by the peer in order, `reset`: broken off. `closed` says nothing of the peer: this side closed it, or
   * another lane has it now.
   */
  state: 'open' | 'ended' | 'reset' | 'closed' = 'open';
  /** Beats that came over it: a connection that carried one may be one of those that are opened for each. */
  beats = 0;
}
