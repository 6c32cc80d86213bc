// What happened on the HTTP side of a server since it started, for metrics. Written by the lanes, read by anyone.

/** Why a connection left the fast lane. */
export type HandOverReason =
  | 'method'
  | 'target'
  | 'version'
  | 'route'
  | 'header'
  | 'framing'
  | 'connection-option'
  | 'host'
  | 'origin'
  | 'size'
  | 'fragments'
  | 'forced';

/** Why a connection or request was refused without reaching a handler. */
export type RefusalReason =
  | 'connections'
  | 'tls'
  | 'http2'
  | 'malformed'
  | 'head-too-large'
  | 'body-too-large'
  | 'expectation'
  | 'idle'
  | 'head-timeout'
  | 'body-timeout'
  | 'unread-answer';

/** Counts since the start; only {@link openConnections} goes down. */
export class HttpCounters {
  /** Connections accepted. */
  connections = 0;
  /** Connections open now. */
  openConnections = 0;
  /** Requests given to handlers by the fast lane. */
  fastRequests = 0;
  /** Requests given to handlers by Node's parser. */
  nodeRequests = 0;
  /** Requests for which there was no route. */
  unroutedRequests = 0;
  /** Handlers that failed with something else than a RegistryError. */
  handlerFaults = 0;
  /** Bytes received on connections that are closed. */
  closedBytesRead = 0;
  /** Bytes sent on connections that are closed. */
  closedBytesWritten = 0;
  /** Connections that left the fast lane, by reason. */
  readonly handedOver = new Map<HandOverReason, number>();
  /** Connections and requests that were refused or closed, by reason. */
  readonly refused = new Map<RefusalReason, number>();

  /** Counts a connection that leaves the fast lane. */
  countHandOver(reason: HandOverReason): void {
    this.handedOver.set(reason, (this.handedOver.get(reason) ?? 0) + 1);
  }

  /** Counts a refusal. */
  countRefusal(reason: RefusalReason): void {
    this.refused.set(reason, (this.refused.get(reason) ?? 0) + 1);
  }
}
