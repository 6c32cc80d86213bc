// What happened on the gRPC side since the start, as plain numbers: hot paths only add, metrics read.

import type { Http2EndReason } from './http2/http2-error.js';

/** Why a connection was ended by the server. */
export type CloseReason =
  | 'connections-full'
  | 'silent'
  | 'stalled'
  | 'waiting-bytes'
  | 'unacknowledged'
  | 'draining'
  | 'server-stops'
  | Http2EndReason;

/** Why a call or a message was refused before anybody read it; the connection lives. */
export type RefusalReason =
  | 'malformed'
  | 'compressed'
  | 'too-large'
  | 'no-message'
  | 'two-messages'
  | 'unfinished'
  | 'unknown-method'
  | 'no-grpc'
  | 'too-many-streams';

/** Counters since the start. */
export class GrpcCounters {
  accepted = 0;
  unaryRequests = 0;
  streamMessages = 0;
  pushes = 0;
  /** From a change to the last byte that it caused, in the last round of pushes. */
  lastRoundMs = 0;
  readonly refused = new Map<RefusalReason, number>();
  readonly closed = new Map<CloseReason, number>();

  /** One more connection ended for this reason. */
  countClosed(reason: CloseReason): void {
    this.closed.set(reason, (this.closed.get(reason) ?? 0) + 1);
  }

  /** One more call or message was refused for this reason. */
  countRefused(reason: RefusalReason): void {
    this.refused.set(reason, (this.refused.get(reason) ?? 0) + 1);
  }
}
