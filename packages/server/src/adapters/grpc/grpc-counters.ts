// What happened on the gRPC side since the start, as plain numbers: hot paths only add, metrics read.

/** Why a connection was ended by the server. */
export type CloseReason =
  | 'connections-full'
  | 'silent'
  | 'stalled'
  | 'control-flood'
  | 'waiting-bytes'
  | 'draining'
  | 'server-stops';

/** Counters since the start. */
export class GrpcCounters {
  accepted = 0;
  unaryRequests = 0;
  streamMessages = 0;
  pushes = 0;
  refusedMessages = 0;
  readonly closed = new Map<CloseReason, number>();

  /** One more connection ended for this reason. */
  countClosed(reason: CloseReason): void {
    this.closed.set(reason, (this.closed.get(reason) ?? 0) + 1);
  }
}
