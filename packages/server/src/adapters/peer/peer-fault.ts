// Why a connection between nodes was refused or cut off. Every fault ends one connection and nothing else.

/** Every reason with what it means; also the values of the metric `rollcall_peer_faults_total`. */
export const PEER_FAULTS = {
  'wrong-version': 'speaks another version of the protocol between nodes',
  'other-cluster': 'belongs to another cluster',
  'wrong-secret': 'did not prove that it belongs to the cluster',
  'wrong-node': 'is another node than the one that was dialled',
  'not-a-member': 'is not in the list of members',
  'address-taken': 'has the address of a node that is alive',
  'other-protocol': 'does not speak the protocol between nodes',
  'tls-mismatch': 'talks TLS where this node does not, or the reverse',
  oversize: 'sent a frame longer than allowed',
  truncated: 'ended in the middle of a frame',
  malformed: 'sent a frame that cannot be read',
  flood: 'sent more than allowed in one second',
  'handshake-slow': 'did not say in time who it is',
  'too-many': 'came while too many others were saying who they are',
  silent: 'sent nothing for too long',
  stalled: 'took nothing of what it was sent for too long',
  overfull: 'left more unread than may wait for it',
  replaced: 'was followed by a newer connection of the same node',
} as const;

/** A reason by its word. */
export type PeerFaultReason = keyof typeof PEER_FAULTS;

/** All reasons. */
export const PEER_FAULT_REASONS = Object.keys(PEER_FAULTS) as readonly PeerFaultReason[];

/** Ends a connection. `message` says what was found. */
export class PeerFault extends Error {
  override readonly name = 'PeerFault';
  readonly reason: PeerFaultReason;
  /** Tells faults of one reason apart that are each worth a log line; empty for most. */
  readonly kind: string;

  /** @param found - what was found and what is allowed, to be read after the meaning of the reason */
  constructor(reason: PeerFaultReason, found = '', kind = '') {
    super(found === '' ? PEER_FAULTS[reason] : `${PEER_FAULTS[reason]}: ${found}`);
    this.reason = reason;
    this.kind = kind;
  }
}
