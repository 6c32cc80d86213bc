// What a flow over a cluster gets: three nodes that have just been started, the network between them, clients' calls, the
// observer, and a place for figures.
import { monitorEventLoopDelay } from 'node:perf_hooks';
import { setTimeout as sleep } from 'node:timers/promises';
import type { ServerEndpoint } from '../server-endpoint.js';
import { BeatAccount } from './clients/beat-account.js';
import { ClusterCalls } from './clients/cluster-calls.js';
import { ClusterNode } from './cluster-node.js';
import type { Figure, FigureLimit, FigureValue } from './figure.js';
import { type ClusterNetwork, NODE_INDICES } from './network/cluster-network.js';
import { ExpectedView } from './view/expected-view.js';
import { ViewSampler } from './view/view-sampler.js';

/** Size of a run: `short` has fewer instances and shorter waits, for CI. */
export type ClusterSize = 'full' | 'short';

/** What a flow does to a node; `start` is done with its first list, the others when they have been done to it. */
export type NodeAct = 'start' | 'stop' | 'kill' | 'freeze' | 'thaw' | 'cut' | 'heal';

/** What a scene is made with. */
export interface ClusterSceneOptions {
  readonly network: ClusterNetwork;
  readonly size: ClusterSize;
  /** URL of a store; undefined for none. */
  readonly store?: string | undefined;
}

const MEMBERS_TIMEOUT_MS = 20_000;
const MEMBERS_PAUSE_MS = 100;

/** The world of one running flow. */
export class ClusterScene {
  readonly network: ClusterNetwork;
  readonly nodes: readonly ClusterNode[];
  readonly calls: ClusterCalls;
  readonly expected = new ExpectedView();
  readonly view: ViewSampler;
  readonly beats = new BeatAccount();
  readonly figures: Figure[] = [];
  /** What was done to the nodes, and what was remarkable, on the clock of `performance.now()`. */
  readonly events: { readonly atMs: number; readonly text: string }[] = [];
  readonly #size: ClusterSize;
  readonly #lateness = monitorEventLoopDelay({ resolution: 10 });
  readonly #cleanups: (() => void | Promise<void>)[] = [];

  private constructor(nodes: readonly ClusterNode[], { network, size }: ClusterSceneOptions) {
    this.network = network;
    this.nodes = nodes;
    this.#size = size;
    this.calls = new ClusterCalls(this.endpoints);
    this.view = new ViewSampler(nodes, this.expected);
    this.#lateness.enable();
    this.defer(() => void this.#lateness.disable());
    this.defer(() => this.calls.close());
    this.defer(() => this.view.stop());
  }

  /** Makes the nodes; none runs yet. */
  static async create(options: ClusterSceneOptions): Promise<ClusterScene> {
    const { network, store } = options;
    const plan = { places: network.places, secret: `conformance-${process.pid}-secret`, store };
    const nodes: ClusterNode[] = [];
    for (const index of NODE_INDICES) nodes.push(await ClusterNode.create(index, plan));
    return new ClusterScene(nodes, options);
  }

  /** Where the nodes listen, by index. */
  get endpoints(): readonly ServerEndpoint[] {
    return this.nodes.map(({ endpoint }) => endpoint);
  }

  /** Starts all nodes at once, and waits until each says that all are up. @throws Error when they do not in 20 s */
  async start(): Promise<void> {
    await Promise.all(this.nodes.map((node) => node.start()));
    await this.untilAllUp({ pauseMs: MEMBERS_PAUSE_MS });
  }

  /**
   * Waits until each node says that all are up.
   * @param options - `pauseMs`: time between two questions @returns how long that took, in milliseconds
   * @throws Error when they do not within 20 s
   */
  async untilAllUp({ pauseMs }: { readonly pauseMs: number }): Promise<number> {
    const startedAtMs = performance.now();
    for (const { index } of this.nodes) {
      for (let seen = await this.#membersAt(index); seen !== this.#allUp; seen = await this.#membersAt(index)) {
        if (performance.now() > startedAtMs + MEMBERS_TIMEOUT_MS) {
          throw new Error(`Node ${index} does not see all members up in ${MEMBERS_TIMEOUT_MS} ms, but: ${seen}`);
        }
        await sleep(pauseMs);
      }
    }
    return performance.now() - startedAtMs;
  }

  /** A number for the size of this run. */
  sized(full: number, short: number): number {
    return this.#size === 'full' ? full : short;
  }

  /** Keeps a figure for the report. */
  figure(name: string, value: FigureValue, limit: FigureLimit = {}): void {
    this.figures.push({ name, value, unit: '', limit });
  }

  /** Keeps a time for the report. @param ms - in milliseconds; told and limited in seconds */
  time(name: string, ms: number | undefined, limit: FigureLimit = {}): void {
    const value = ms === undefined ? 'never' : Math.round(ms) / 1000;
    this.figures.push({ name, value, unit: 's', limit });
  }

  /** Does something to a node; the time is kept for the notes. */
  async act(what: NodeAct, index: number): Promise<void> {
    await this.#perform(what, this.nodes[index] as ClusterNode);
    this.note(`${what} of node ${index} is done`);
  }

  /** Keeps how late this process was at most: what was measured is wrong by as much when the machine is busy. */
  lateness(): void {
    this.time('this process was late by, at most', this.#lateness.max / 1e6);
    this.time('  and in one of a hundred looks', this.#lateness.percentile(99) / 1e6);
  }

  /** Keeps something for the notes, with the time. */
  note(text: string): void {
    this.events.push({ atMs: performance.now(), text });
  }

  /** Has something done when the flow ends, however it ends; the last one first. */
  defer(cleanup: () => void | Promise<void>): void {
    this.#cleanups.push(cleanup);
  }

  /** Ends clients and nodes. */
  async end(): Promise<void> {
    for (const cleanup of this.#cleanups.splice(0).reverse()) await cleanup();
    await Promise.all(this.nodes.map((node) => node.remove()));
  }

  async #perform(what: NodeAct, node: ClusterNode): Promise<void> {
    switch (what) {
      case 'start':
        await node.start();
        return;
      case 'stop':
        return node.stop();
      case 'kill':
        return node.kill();
      case 'freeze':
        return node.freeze();
      case 'thaw':
        return node.thaw();
      case 'cut':
        return this.network.cut(node.index);
      case 'heal':
        return this.network.heal(node.index);
    }
  }

  get #allUp(): string {
    return this.endpoints.map(({ host, port }) => `${host}:${port} UP`).join(', ');
  }

  /** The members as a node tells them, or why it tells nothing. */
  async #membersAt(node: number): Promise<string> {
    const { body, refusals } = await this.calls.first([node], { method: 'GET', path: '/v1/core/cluster/nodes' });
    if (body === undefined) return refusals.join();
    const { data = [] } = JSON.parse(body) as {
      data?: readonly { readonly address: string; readonly state: string }[];
    };
    return data.map(({ address, state }) => `${address} ${state}`).join(', ');
  }
}
