// Addresses of the servers from a host that knows them: asked at the start and every 30 s; a failure keeps the old list.
// Source: Nacos 1.4.8 NamingProxy.getServerListFromEndpoint; contract client-1x 3.7. Ours: while no list is known it is asked
// sooner, waiting longer each time.

import type { TimerHandle, Timers } from '@rollcall/runtime';
import { backOffMs } from '../../core/back-off.js';
import { ClientError, clientErrorOf } from '../../core/client-error.js';
import { type ServerAddress, serverAddresses } from '../server-address.js';
import type { TransportEvents } from '../transport.js';
import type { HttpExchange } from './http-exchange.js';

/** What the list needs. */
export interface EndpointServersOptions {
  readonly endpoint: { readonly host: string; readonly port: number };
  readonly namespace: string;
  /** For addresses without one. */
  readonly scheme: 'http' | 'https';
  readonly exchange: Pick<HttpExchange, 'send' | 'close'>;
  readonly timers: Timers;
  readonly random: () => number;
  readonly timeoutMs: number;
  readonly noted: TransportEvents['noted'];
  /** Takes each list that came. */
  readonly found: (servers: readonly ServerAddress[]) => void;
}

const REFRESH_MS = 30_000;
const FIRST_LIST = { firstMs: 1000, longestMs: REFRESH_MS };

/** Keeps a list of servers up to date. */
export class EndpointServers {
  readonly #options: EndpointServersOptions;
  readonly #host: ServerAddress;
  /** Ends with the first try, whatever it brought. */
  readonly started: Promise<void>;
  #timer: TimerHandle | undefined;
  #failures = 0;
  #known = false;
  #closed = false;

  /** Asks for the first list. */
  constructor(options: EndpointServersOptions) {
    this.#options = options;
    const { host, port } = options.endpoint;
    this.#host = serverAddresses([`http://${host}:${port}`], 'http')[0] as ServerAddress;
    this.started = this.#refresh();
  }

  /** Asks no more. */
  close(): Promise<void> {
    this.#closed = true;
    this.#timer?.cancel();
    return this.#options.exchange.close();
  }

  async #refresh(): Promise<void> {
    const { found, noted, random, timers } = this.#options;
    let waitMs = REFRESH_MS;
    try {
      const servers = await this.#ask();
      this.#known = true;
      this.#failures = 0;
      if (!this.#closed) found(servers);
    } catch (error) {
      this.#failures++;
      if (!this.#known) waitMs = backOffMs(this.#failures, FIRST_LIST, random);
      if (this.#failures === 1 && !this.#closed)
        noted('warn', 'server-list-failed', { server: this.#host.name, reason: clientErrorOf(error).toString() });
    }
    if (!this.#closed) this.#timer = timers.once(waitMs, () => void this.#refresh());
  }

  async #ask(): Promise<readonly ServerAddress[]> {
    const { exchange, namespace, scheme, timeoutMs } = this.#options;
    const path = `/nacos/serverlist?${new URLSearchParams({ namespace })}`;
    const answer = await exchange.send(this.#host, { method: 'GET', path, headers: [] }, { timeoutMs });
    const servers = answer.status === 200 ? serverAddresses(answer.body.split('\n'), scheme) : [];
    if (servers.length > 0) return servers;
    const found = answer.status === 200 ? 'no address' : `status ${answer.status}`;
    throw new ClientError('unexpected-answer', `"${this.#host.name}" was asked for servers, found ${found}`);
  }
}
