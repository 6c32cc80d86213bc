// What the connections between nodes count.

import { PEER_FAULTS, type PeerFaultReason } from './peer-fault.js';

/** Counters since the start; frames of the handshake count as well. */
export class PeerCounters {
  sentFrames = 0;
  sentBytes = 0;
  receivedFrames = 0;
  receivedBytes = 0;
  /** Messages that were not sent because there was no connection. */
  unsentMessages = 0;
  /** Connections made to other nodes. */
  dials = 0;
  /** Connections that are open to other nodes now. */
  openDialled = 0;
  /** Connections that other nodes have open to this one now. */
  openAccepted = 0;
  /** Connections refused or cut off, by reason. */
  readonly faults = Object.fromEntries(Object.keys(PEER_FAULTS).map((reason) => [reason, 0])) as Record<
    PeerFaultReason,
    number
  >;
}
