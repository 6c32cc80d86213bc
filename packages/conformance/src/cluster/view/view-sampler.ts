// Asks every node that is up for the lists of all services, again and again, and keeps what was wrong when. The neutral
// observer of the flows.
import { setTimeout as sleep } from 'node:timers/promises';
import { type ListAnswer, type ListedHost, NamingApi } from '../../naming-api.js';
import type { ClusterNode } from '../cluster-node.js';
import { addressKey, type ExpectedView } from './expected-view.js';
import { judgeList, type Wrong } from './judge-list.js';
import type { WrongSpan } from './wrong-span.js';

const DEFAULT_EVERY_MS = 200;
const ANSWER_TIMEOUT_MS = 3000;
const FAILURES_KEPT = 5;

/** A list as a node gave it. */
export interface SampledList {
  readonly node: number;
  readonly serviceName: string;
  readonly askedAtMs: number;
  readonly hosts: readonly ListedHost[];
}

/** Counts of what one node answered. */
export interface NodeSamples {
  lists: number;
  /** Lists without hosts of services that have live instances. */
  emptyLists: number;
  /** Lists in which a live instance was missing. */
  shortLists: number;
  /** Questions that a node which was up did not answer with a list. */
  failures: number;
  /** Since when all its lists have been right; undefined while one is not. */
  rightSinceMs: number | undefined;
}

/** The observer. */
export class ViewSampler {
  /** What was wrong since the last `clear`, in the order in which it began. */
  readonly spans: WrongSpan[] = [];
  /** One per node. */
  readonly samples: NodeSamples[];
  /** The first failures, in words. */
  readonly failures: string[] = [];
  /** Pause between two looks at all services, in milliseconds. */
  everyMs = DEFAULT_EVERY_MS;
  readonly #expected: ExpectedView;
  readonly #nodes: readonly ClusterNode[];
  readonly #apis: readonly NamingApi[];
  readonly #open = new Map<string, WrongSpan>();
  /** Start of the last whole look at each node. */
  readonly #lookedAtMs: number[] = [];
  readonly #listeners = new Set<(list: SampledList) => void>();
  #isStarted = false;
  #isStopped = false;

  constructor(nodes: readonly ClusterNode[], expected: ExpectedView) {
    this.#nodes = nodes;
    this.#expected = expected;
    this.#apis = nodes.map(({ endpoint }) => new NamingApi(endpoint, { answerTimeoutMs: ANSWER_TIMEOUT_MS }));
    this.samples = nodes.map(() => ({ lists: 0, emptyLists: 0, shortLists: 0, failures: 0, rightSinceMs: undefined }));
  }

  /** Whether it asks, or has asked. */
  get isStarted(): boolean {
    return this.#isStarted;
  }

  /** Begins to ask. */
  start(): void {
    this.#isStarted = true;
    for (const node of this.#nodes) void this.#watch(node);
  }

  /** Asks no more. */
  stop(): void {
    this.#isStopped = true;
    for (const api of this.#apis) api.close();
  }

  /** Forgets what was wrong and all counts, except since when a node has been right. */
  clear(): void {
    this.spans.length = 0;
    this.failures.length = 0;
    this.#open.clear();
    for (const samples of this.samples) Object.assign(samples, { lists: 0, emptyLists: 0, shortLists: 0, failures: 0 });
  }

  /** Has something told of every list. */
  onList(listener: (list: SampledList) => void): void {
    this.#listeners.add(listener);
  }

  /** Waits until all lists of the nodes are right, however long ago that began. @returns whether they were in time */
  async untilRight(nodes: readonly number[], timeoutMs: number): Promise<boolean> {
    const askedAtMs = performance.now();
    const isRight = (node: number): boolean => {
      const { rightSinceMs, lists } = this.samples[node] as NodeSamples;
      return rightSinceMs !== undefined && lists > 0 && (this.#lookedAtMs[node] ?? 0) > askedAtMs;
    };
    while (!nodes.every(isRight)) {
      if (performance.now() - askedAtMs > timeoutMs) return false;
      await sleep(this.everyMs / 4);
    }
    return true;
  }

  async #watch(node: ClusterNode): Promise<void> {
    while (!this.#isStopped) {
      const startedAtMs = performance.now();
      if (node.state === 'up') await this.#look(node, startedAtMs);
      else this.#leave(node);
      await sleep(Math.max(1, this.everyMs - (performance.now() - startedAtMs)));
    }
  }

  async #look(node: ClusterNode, startedAtMs: number): Promise<void> {
    const samples = this.samples[node.index] as NodeSamples;
    const looks = await Promise.all(this.#expected.services.map((serviceName) => this.#ask(node, serviceName)));
    if (looks.includes(undefined)) return;
    this.#lookedAtMs[node.index] = startedAtMs;
    if (looks.includes(false)) samples.rightSinceMs = undefined;
    else samples.rightSinceMs ??= startedAtMs;
  }

  /** @returns whether the list was right; undefined when there was none */
  async #ask(node: ClusterNode, serviceName: string): Promise<boolean | undefined> {
    const askedAtMs = performance.now();
    const list = await this.#list(node, serviceName);
    if (list === undefined || this.#isStopped) return undefined;
    const wrong = judgeList(this.#expected.of(serviceName), list.hosts, askedAtMs);
    this.#count(node.index, { serviceName, hosts: list.hosts, wrong });
    this.#keep(node.index, serviceName, wrong);
    for (const tell of this.#listeners) tell({ node: node.index, serviceName, askedAtMs, hosts: list.hosts });
    return wrong.length === 0;
  }

  async #list(node: ClusterNode, serviceName: string): Promise<ListAnswer | undefined> {
    try {
      return await (this.#apis[node.index] as NamingApi).list({ serviceName });
    } catch (error) {
      if (node.state !== 'up' || this.#isStopped) return undefined;
      (this.samples[node.index] as NodeSamples).failures += 1;
      if (this.failures.length < FAILURES_KEPT) this.failures.push(`node ${node.index}: ${String(error)}`);
      return undefined;
    }
  }

  #count(node: number, list: { serviceName: string; hosts: readonly unknown[]; wrong: readonly Wrong[] }): void {
    const samples = this.samples[node] as NodeSamples;
    const expectsSome = [...this.#expected.of(list.serviceName).values()].some(({ state }) => state === 'live');
    samples.lists += 1;
    if (list.hosts.length === 0 && expectsSome) samples.emptyLists += 1;
    if (list.wrong.some(({ what }) => what === 'vanished')) samples.shortLists += 1;
  }

  #keep(node: number, serviceName: string, wrong: readonly Wrong[]): void {
    const nowMs = performance.now();
    const prefix = `${node} ${serviceName} `;
    const keys = new Set(wrong.map(({ address, what }) => `${prefix}${address} ${what}`));
    for (const [key, span] of this.#open) {
      if (span.node !== node || span.serviceName !== serviceName || keys.has(key)) continue;
      span.toMs = nowMs;
      this.#open.delete(key);
    }
    for (const one of wrong) {
      const key = `${prefix}${one.address} ${one.what}`;
      if (this.#open.has(key)) continue;
      const span: WrongSpan = { ...one, node, serviceName, fromMs: nowMs, toMs: undefined };
      this.#open.set(key, span);
      this.spans.push(span);
    }
  }

  /** Ends what was wrong at a node that answers nobody. */
  #leave({ index }: ClusterNode): void {
    (this.samples[index] as NodeSamples).rightSinceMs = undefined;
    for (const [key, span] of this.#open) {
      if (span.node !== index) continue;
      span.toMs = performance.now();
      this.#open.delete(key);
    }
  }
}

/** Whether a list holds the instance. */
export function lists(hosts: readonly ListedHost[], instance: { readonly ip: string; readonly port: number }): boolean {
  const address = addressKey(instance);
  return hosts.some((host) => addressKey(host) === address);
}
