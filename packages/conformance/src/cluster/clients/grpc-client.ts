// A client over gRPC written by hand that behaves like the 2.x SDKs: it checks its connection every 5 s (3 tries of 3 s), goes
// to the next node when it is lost or when it is asked to, and registers and subscribes again. Source: Nacos RpcClient,
// NamingGrpcRedoService (2.x).
import { setTimeout as sleep } from 'node:timers/promises';
import { GrpcPeer, type ReceivedPush } from '../../golden-grpc/grpc-peer.js';
import type { ListedHost } from '../../naming-api.js';
import type { ServerEndpoint } from '../../server-endpoint.js';
import type { InstancePlan } from './beating-instance.js';

const GRPC_PORT_OFFSET = 1000;
const CHECK_MS = 5000;
const TRY_TIMEOUT_MS = 3000;
const CHECK_TRIES = 3;
const SETUP = { clientVersion: 'conformance', labels: { source: 'sdk', module: 'naming' }, module: 'internal' };
/** What clients of 2.x wait after their setup, since nothing answers it. */
const SETUP_MS = 100;
const RETRY_MS = 100;

/** What a client does on each connection. */
export interface GrpcClientPlan {
  readonly endpoints: readonly ServerEndpoint[];
  /** Index of the node to begin with. */
  readonly node: number;
  /** Instance to register; none for a mere subscriber. */
  readonly instance?: InstancePlan;
  /** Service to subscribe to. */
  readonly subscribes?: string;
}

/** One list that it was told. */
export interface ToldList {
  /** Wall-clock time in milliseconds. */
  readonly atMs: number;
  readonly hosts: readonly ListedHost[];
}

/** A client. */
export class GrpcClient {
  /** Times from the loss of a connection until all was done again on the next, in milliseconds. */
  readonly absencesMs: number[] = [];
  /** Pushes and answers to subscriptions without hosts. */
  emptyLists = 0;
  newest: ToldList | undefined;
  readonly #plan: GrpcClientPlan;
  #instance: InstancePlan | undefined;
  #node: number;
  #peer: GrpcPeer | undefined;
  #isStopped = false;
  #lostAtMs: number | undefined;

  private constructor(plan: GrpcClientPlan) {
    this.#plan = plan;
    this.#node = plan.node;
    this.#instance = plan.instance;
  }

  /** Connects, registers and subscribes at its first node, or at the next one that takes it. */
  static async start(plan: GrpcClientPlan): Promise<GrpcClient> {
    const client = new GrpcClient(plan);
    await client.#connectAnywhere();
    void client.#stayConnected();
    return client;
  }

  /** Index of the node that it is connected to, or was last. */
  get node(): number {
    return this.#node;
  }

  /** Time since it lost its connection, in milliseconds; undefined while it has one. */
  get awayMs(): number | undefined {
    return this.#lostAtMs === undefined ? undefined : performance.now() - this.#lostAtMs;
  }

  /** Registers an instance on the connection that it has. @returns whether it was accepted */
  async register(instance: InstancePlan): Promise<boolean> {
    this.#instance = instance;
    return this.#peer !== undefined && this.#registerOn(this.#peer, instance);
  }

  /** Ends with its connection, at once. */
  stop(): void {
    this.#isStopped = true;
    this.#peer?.close('tcp');
  }

  async #stayConnected(): Promise<void> {
    while (!this.#isStopped) {
      const target = await this.#untilLost();
      if (this.#isStopped) return;
      this.#lostAtMs = performance.now();
      this.#node = target ?? (this.#node + 1) % this.#plan.endpoints.length;
      await this.#connectAnywhere();
      this.absencesMs.push(performance.now() - this.#lostAtMs);
      this.#lostAtMs = undefined;
    }
  }

  /** Waits until it must go elsewhere. @returns index of the node that it was sent to */
  async #untilLost(): Promise<number | undefined> {
    const peer = this.#peer as GrpcPeer;
    for (;;) {
      const event = await peer.until(() => this.#look(peer), CHECK_MS);
      if (event === 'lost') return undefined;
      if (typeof event === 'object') return event.node;
      if (!(await this.#isHealthy(peer))) return undefined;
    }
  }

  /** Takes what was pushed, and says whether it is time to go. */
  #look(peer: GrpcPeer): 'lost' | { readonly node: number | undefined } | undefined {
    let leave: { readonly node: number | undefined } | undefined;
    for (const push of peer.inbox.splice(0)) {
      if (push.type === 'NotifySubscriberRequest') this.#take(push);
      if (push.type === 'ConnectResetRequest') leave = { node: this.#nodeIn(push.body) };
    }
    return leave ?? (peer.isClosed || peer.streamEnd !== undefined ? 'lost' : undefined);
  }

  #take({ body, atMs }: ReceivedPush): void {
    this.#keep(atMs, (JSON.parse(body) as TellsList).serviceInfo.hosts);
  }

  #keep(atMs: number, hosts: readonly ListedHost[]): void {
    this.newest = { atMs, hosts };
    if (hosts.length === 0) this.emptyLists += 1;
  }

  #nodeIn(body: string): number | undefined {
    const { serverIp, serverPort } = JSON.parse(body) as { serverIp?: string; serverPort?: string };
    const node = this.#plan.endpoints.findIndex(({ host, port }) => host === serverIp && String(port) === serverPort);
    return node < 0 ? undefined : node;
  }

  async #isHealthy(peer: GrpcPeer): Promise<boolean> {
    for (let tries = 0; tries < CHECK_TRIES && !this.#isStopped; tries++) {
      if (await this.#ask(peer, 'HealthCheckRequest', {})) return true;
      if (peer.isClosed) return false;
    }
    return false;
  }

  async #connectAnywhere(): Promise<void> {
    while (!this.#isStopped) {
      const peer = await this.#connect(this.#plan.endpoints[this.#node] as ServerEndpoint);
      // As the SDKs do: the new connection is there before the old one is given up.
      if (peer !== undefined) {
        this.#peer?.close('tcp');
        this.#peer = peer;
        if (await this.#redo(peer)) return;
      }
      await sleep(RETRY_MS);
      this.#node = (this.#node + 1) % this.#plan.endpoints.length;
    }
  }

  async #connect({ host, port }: ServerEndpoint): Promise<GrpcPeer | undefined> {
    const target = { host, port: port + GRPC_PORT_OFFSET, connectTimeoutMs: TRY_TIMEOUT_MS };
    const peer = await GrpcPeer.open(target, {});
    if (await this.#ask(peer, 'ServerCheckRequest', {})) {
      peer.write({ type: 'ConnectionSetupRequest', body: bytesOf(SETUP) });
      await sleep(SETUP_MS);
      if (!this.#isStopped && !peer.isClosed) return peer;
    }
    peer.close('tcp');
    return undefined;
  }

  async #redo(peer: GrpcPeer): Promise<boolean> {
    const { subscribes } = this.#plan;
    if (this.#instance !== undefined && !(await this.#registerOn(peer, this.#instance))) return false;
    return subscribes === undefined || this.#subscribeOn(peer, subscribes);
  }

  async #registerOn(peer: GrpcPeer, { serviceName, ip, port }: InstancePlan): Promise<boolean> {
    const instance = { ip, port, weight: 1, healthy: true, enabled: true, ephemeral: true, clusterName: 'DEFAULT' };
    const body = { ...serviceOf(serviceName), type: 'registerInstance', instance: { ...instance, metadata: {} } };
    return (await this.#ask(peer, 'InstanceRequest', body)) !== undefined;
  }

  async #subscribeOn(peer: GrpcPeer, serviceName: string): Promise<boolean> {
    const answer = await this.#ask(peer, 'SubscribeServiceRequest', {
      ...serviceOf(serviceName),
      subscribe: true,
      clusters: '',
    });
    if (answer === undefined) return false;
    this.#keep(Date.now(), (answer as unknown as TellsList).serviceInfo.hosts);
    return true;
  }

  /** Asks and waits for an answer that says success, at most 3 s. */
  async #ask(peer: GrpcPeer, type: string, body: object): Promise<{ readonly success?: boolean } | undefined> {
    const reply = await peer.request({ type, body: bytesOf(body) }, { timeoutMs: TRY_TIMEOUT_MS });
    if (!('payload' in reply)) return undefined;
    const answer = JSON.parse(reply.payload.body) as { success?: boolean; resultCode?: number };
    return answer.success === true || answer.resultCode === 200 ? answer : undefined;
  }
}

interface TellsList {
  readonly serviceInfo: { readonly hosts: readonly ListedHost[] };
}

function serviceOf(serviceName: string): object {
  return { namespace: 'public', serviceName, groupName: 'DEFAULT_GROUP' };
}

function bytesOf(value: object): Buffer {
  return Buffer.from(JSON.stringify(value));
}
