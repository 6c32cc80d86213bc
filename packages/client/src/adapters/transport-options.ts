// What every transport is told by the caller of the client.

import type { AccessKey } from './access/request-signing.js';
import type { Credentials } from './access/token-login.js';
import type { TlsOptions } from './tls-options.js';

/** How the servers are reached, and who calls. */
export interface TransportOptions {
  readonly namespace: string;
  /** Shown in subscriber lists. */
  readonly app: string;
  /** Path in front of `/v1`; one written behind a server address goes before it. */
  readonly contextPath: string;
  readonly credentials?: Credentials | undefined;
  readonly accessKey?: AccessKey | undefined;
  readonly tls: TlsOptions;
  /** Longest time for a connection, ms. */
  readonly connectTimeoutMs: number;
  /** Longest time for one attempt, ms. */
  readonly attemptTimeoutMs: number;
  /** Attempts of one call when there is one server. */
  readonly attemptsForOneServer: number;
  /** Connections to one server at once. */
  readonly connectionsMax: number;
}
