// Finds out what the servers speak: gRPC if one can be reached that way, else HTTP if one answers there. Asked again and again
// until one of both is so; from then on it stays. gRPC is asked first, since 2.x servers speak both and 3.x gRPC only; HTTP is
// chosen when gRPC fails once more after HTTP was seen to be ready: a server may have started between the two questions.

import { ClientError } from '../core/client-error.js';
import type { AnswerOf, RegistryCall } from '../core/registry-call.js';
import type { ServerAddress } from './server-address.js';
import type { CallBounds, Transport, TransportEvents } from './transport.js';

/** What the choice needs. */
export interface AutoTransportOptions {
  /** Makes the one for gRPC. @param events - to be told instead of the client's */
  readonly grpc: (events: TransportEvents) => Transport;
  readonly http: Transport;
  readonly events: TransportEvents;
  /** Longest time for the question whether HTTP is spoken, ms. */
  readonly probeTimeoutMs: number;
}

/** Speaks what the servers speak. */
export class AutoTransport implements Transport {
  readonly #options: AutoTransportOptions;
  readonly #grpc: Transport;
  #chosen: Transport | undefined;
  #isProbing = false;
  #isHttpReady = false;
  #isClosed = false;

  /** @param options - see there */
  constructor(options: AutoTransportOptions) {
    this.#options = options;
    const { events } = options;
    this.#grpc = options.grpc({
      ...events,
      opened: (keeping) => {
        this.#choose(this.#grpc, 'it can be reached over gRPC');
        if (this.#chosen === this.#grpc) events.opened(keeping);
      },
      unreachable: (error) => {
        events.unreachable(error);
        if (this.#isHttpReady) void this.#chooseHttp(error);
        else void this.#probeHttp();
      },
    });
  }

  /** See {@link Transport.protocol}. */
  get protocol(): 'http' | 'grpc' | 'unknown' {
    return this.#chosen?.protocol ?? 'unknown';
  }

  /** See {@link Transport.start}. */
  start(): void {
    this.#grpc.start();
  }

  /** See {@link Transport.replaceServers}. */
  replaceServers(servers: readonly ServerAddress[]): void {
    this.#grpc.replaceServers(servers);
    this.#options.http.replaceServers(servers);
  }

  /** See {@link Transport.call}. */
  async call<C extends RegistryCall>(call: C, bounds: CallBounds): Promise<AnswerOf<C>> {
    if (this.#chosen !== undefined) return this.#chosen.call(call, bounds);
    try {
      return await this.#grpc.call(call, bounds);
    } catch (error) {
      // Rejected because no server was found that way: meanwhile, or now, another may be.
      const isUnfound = error instanceof ClientError && error.code === 'unreachable' && !this.#isClosed;
      if (!isUnfound || this.#chosen === this.#grpc) throw error;
      return this.#options.http.call(call, bounds);
    }
  }

  /** See {@link Transport.close}. */
  async close(): Promise<void> {
    this.#isClosed = true;
    await Promise.all([this.#grpc.close(), this.#options.http.close()]);
  }

  async #probeHttp(): Promise<void> {
    if (this.#chosen !== undefined || this.#isProbing || this.#isClosed) return;
    this.#isProbing = true;
    try {
      this.#isHttpReady = await this.#answersHttp();
    } catch {
      // Nothing speaks HTTP either: gRPC goes on trying, and its next failure asks again.
    } finally {
      this.#isProbing = false;
    }
  }

  async #answersHttp(): Promise<boolean> {
    try {
      return (await this.#options.http.call({ type: 'status' }, { timeoutMs: this.#options.probeTimeoutMs })) === 'UP';
    } catch (error) {
      // Who refuses the question understood it.
      if (error instanceof ClientError && error.code === 'access-denied') return true;
      throw error;
    }
  }

  async #chooseHttp(reason: ClientError): Promise<void> {
    if (this.#chosen !== undefined || this.#isClosed) return;
    this.#choose(this.#options.http, reason.message);
    this.#options.http.start();
    await this.#grpc.close();
  }

  #choose(transport: Transport, reason: string): void {
    if (this.#chosen !== undefined || this.#isClosed) return;
    this.#chosen = transport;
    this.#options.events.noted('info', 'protocol-chosen', { protocol: transport.protocol, reason });
  }
}
