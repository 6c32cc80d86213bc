// Subscribers of many services, half over UDP and half over gRPC, that note when the last of a service has a version.
import type { Endpoint } from './endpoint.js';
import { GrpcSubscriber, openSubscribers } from './grpc-subscriber.js';
import { runLoad } from './load-generator.js';
import { PushAudience } from './push-audience.js';

/** Of each transport, per service. */
const PER_TRANSPORT = 2;
/** Above the 10 s after which a lost datagram is sent again, so that a loss is seen as what it is. */
const ARRIVAL_TIMEOUT_MS = 15_000;

interface Watch {
  readonly version: Buffer;
  left: number;
  readonly done: () => void;
}

/** When the last subscriber over each transport had a version, ms from the start; undefined when some never had it. */
export interface MixedArrival {
  readonly udpMs: number | undefined;
  readonly grpcMs: number | undefined;
}

/** The subscribers. */
export class MixedAudience {
  /** Queries that keep those over UDP subscribed. */
  readonly renewals: readonly Buffer[];
  readonly #udp: readonly PushAudience[];
  readonly #grpc: readonly GrpcSubscriber[];
  readonly #watches: Map<number, Watch>;

  private constructor(
    udp: readonly PushAudience[],
    grpc: readonly GrpcSubscriber[],
    renewals: readonly Buffer[],
    watches: Map<number, Watch>,
  ) {
    this.#udp = udp;
    this.#grpc = grpc;
    this.renewals = renewals;
    this.#watches = watches;
  }

  /** Subscribes two over UDP and two over gRPC to each service. */
  static async open(endpoint: Endpoint, services: number, nameOf: (service: number) => string): Promise<MixedAudience> {
    const udp: PushAudience[] = [];
    for (let service = 0; service < services; service++) udp.push(await PushAudience.open(PER_TRANSPORT));
    const watches = new Map<number, Watch>();
    const grpc = await openSubscribers(
      services * PER_TRANSPORT,
      (n) => new GrpcSubscriber(endpoint, (list) => take(watches, n % services, list)),
      (subscriber, n) => subscriber.subscribe(nameOf(n % services).replace(/^.*@@/, '')),
    );
    // Last, since whoever has not asked for 30 s over UDP is forgotten.
    const renewals = udp.flatMap((audience, service) => audience.encodeSubscriptions(endpoint, nameOf(service)));
    const stop = { afterRequests: renewals.length };
    await runLoad({ endpoint, connections: 4, requests: renewals, stop, accepts: ({ status }) => status === 200 });
    return new MixedAudience(udp, grpc, renewals, watches);
  }

  /** Subscribers in all. */
  get size(): number {
    return this.#udp.length * PER_TRANSPORT + this.#grpc.length;
  }

  /** Waits until all of a service have a version, or the time is up. */
  async arrival(service: number, version: string, startedAtMs: number): Promise<MixedArrival> {
    const [udp, grpcMs] = await Promise.all([
      (this.#udp[service] as PushAudience).arrival(version, startedAtMs, ARRIVAL_TIMEOUT_MS),
      this.#grpcArrival(service, version, startedAtMs),
    ]);
    return { udpMs: udp.missing > 0 ? undefined : udp.latency.maxMs, grpcMs };
  }

  /** One of the renewals was answered with a list. @param renewal - its number among {@link renewals} */
  renewed(renewal: number, list: Buffer): void {
    this.#udp[Math.floor(renewal / PER_TRANSPORT)]?.polled(renewal % PER_TRANSPORT, list);
  }

  /** Ends all of them. */
  close(): void {
    for (const each of [...this.#udp, ...this.#grpc]) each.close();
  }

  #grpcArrival(service: number, version: string, startedAtMs: number): Promise<number | undefined> {
    return new Promise((resolve) => {
      const timer = setTimeout(() => resolve(undefined), ARRIVAL_TIMEOUT_MS);
      const done = () => {
        clearTimeout(timer);
        resolve(performance.now() - startedAtMs);
      };
      this.#watches.set(service, { version: Buffer.from(`"${version}"`), left: PER_TRANSPORT, done });
    });
  }
}

function take(watches: Map<number, Watch>, service: number, list: Buffer): void {
  const watch = watches.get(service);
  if (watch === undefined || !list.includes(watch.version)) return;
  watch.left -= 1;
  if (watch.left > 0) return;
  watches.delete(service);
  watch.done();
}
