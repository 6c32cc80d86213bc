// Who caused a change, as far as the server can know.

/**
 * Way by which an input came in. `server` is the registry itself: a deadline, a probe, a restart. `peer` is another node
 * of the cluster, named by its address.
 */
export type Via = 'http-v1' | 'http-v2' | 'http-v3' | 'grpc' | 'operator' | 'server' | 'peer';

/** Origin of an input, shown in logs and in the ledger. */
export interface Actor {
  readonly via: Via;
  /** Peer address; absent for the server itself. */
  readonly address?: string;
}

/** The registry itself. */
export const SERVER: Actor = { via: 'server' };
