// The port between the client and a protocol: calls out, answers back, and lists that come unasked. One implementation per
// protocol; none of them keeps registrations or lists, the core does.

import type { ClientError } from '../core/client-error.js';
import type { OpenedInput, PushedInput } from '../core/client-input.js';
import type { AnswerOf, RegistryCall } from '../core/registry-call.js';
import type { ServerAddress } from './server-address.js';

/** Bounds of one call. */
export interface CallBounds {
  /** Ends the call at once. */
  readonly signal?: AbortSignal | undefined;
  /** Longest time for the call, all attempts together, ms. */
  readonly timeoutMs: number;
}

/** What a transport tells without being asked. */
export interface TransportEvents {
  /** A list was pushed. */
  pushed(push: Omit<PushedInput, 'type'>): void;
  /** A server can be asked from now on; again for each new connection. */
  opened(keeping: OpenedInput['keeping']): void;
  /** The connection is gone, and with it what it held. */
  lost(): void;
  /** No server answered, in one try of each. */
  unreachable(error: ClientError): void;
  /** A change of state that is worth a line in the log. */
  noted(
    level: 'debug' | 'info' | 'warn',
    event: string,
    fields: Readonly<Record<string, string | number | undefined>>,
  ): void;
}

/** Speaks one protocol with the servers. */
export interface Transport {
  /** The protocol; `unknown` until it was found out. */
  readonly protocol: 'http' | 'grpc' | 'unknown';
  /** Begins; `opened` is told when calls may come. */
  start(): void;
  /** Takes another list of servers. */
  replaceServers(servers: readonly ServerAddress[]): void;
  /**
   * Does one call, on as many servers as it takes.
   *
   * @throws ClientError (as rejection) with the code of the last answer, `unreachable` without one, `aborted` or `deadline-exceeded`
   */
  call<C extends RegistryCall>(call: C, bounds: CallBounds): Promise<AnswerOf<C>>;
  /** Frees sockets and timers; calls under way are rejected with `closed`. */
  close(): Promise<void>;
}
