// An instance over HTTP with its beats, as the 1.x SDKs send them: every 5 s to a random node, full until the server allows
// light ones, and a registration when the answer is 20404. Source: Nacos BeatReactor, NamingProxy (1.4).
import type { ApiCall, BeatAnswer } from '../../naming-api.js';
import type { BeatAccount } from './beat-account.js';
import { type CallOutcome, type ClusterCalls, fromRandom } from './cluster-calls.js';

/** Interval of beats. */
export const BEAT_MS = 5000;
const UNKNOWN = 20_404;

/** What is registered. */
export interface InstancePlan {
  readonly serviceName: string;
  readonly ip: string;
  readonly port: number;
}

/** Where an instance's calls go and are counted. */
export interface BeatingOptions {
  readonly calls: ClusterCalls;
  readonly account: BeatAccount;
  /** Nodes that it knows. */
  readonly nodes: readonly number[];
}

/** One instance. */
export class BeatingInstance {
  readonly plan: InstancePlan;
  readonly #options: BeatingOptions;
  #timer: NodeJS.Timeout | undefined;
  #underWay: Promise<void> | undefined;
  #isBeating = false;
  #isLight = false;
  #lastBeatAtMs = 0;

  constructor(plan: InstancePlan, options: BeatingOptions) {
    this.plan = plan;
    this.#options = options;
  }

  /** Start of the last beat or registration that was accepted, on the clock of `performance.now()`. */
  get lastBeatAtMs(): number {
    return this.#lastBeatAtMs;
  }

  /** Registers it. @param nodes - where it is tried; a random order by default */
  async register(nodes: readonly number[] = fromRandom(this.#options.nodes)): Promise<CallOutcome> {
    const atMs = performance.now();
    const outcome = await this.#options.calls.first(nodes, { ...REGISTER, query: this.#query() });
    if (outcome.body !== undefined) this.#lastBeatAtMs = atMs;
    return outcome;
  }

  /** Begins to beat. @param afterMs - until the first beat */
  beat(afterMs = BEAT_MS): void {
    this.#isBeating = true;
    this.#timer = setTimeout(() => {
      this.#underWay = this.#beat();
    }, afterMs);
  }

  /** Dies: no more beats, and no goodbye. Resolves when a beat that is under way has ended. */
  async stop(): Promise<void> {
    this.#isBeating = false;
    clearTimeout(this.#timer);
    await this.#underWay;
  }

  /** Deregisters it once, without a repetition. */
  async deregister(nodes: readonly number[] = fromRandom(this.#options.nodes)): Promise<CallOutcome> {
    await this.stop();
    return this.#options.calls.first(nodes, this.deregistration());
  }

  /** The call that deregisters it. */
  deregistration(): ApiCall {
    return { method: 'DELETE', path: '/v1/ns/instance', query: this.#query() };
  }

  async #beat(): Promise<void> {
    const { calls, account, nodes } = this.#options;
    const atMs = performance.now();
    const outcome = await calls.first(fromRandom(nodes), { ...BEAT, query: this.#beatQuery() });
    account.add(outcome);
    if (outcome.body !== undefined) {
      this.#lastBeatAtMs = atMs;
      const answer = JSON.parse(outcome.body) as BeatAnswer;
      this.#isLight = answer.lightBeatEnabled === true;
      if (answer.code === UNKNOWN) {
        account.unknown += 1;
        if (this.#isBeating) await this.register();
      }
    }
    if (this.#isBeating) this.beat();
  }

  #query(): Record<string, string> {
    const { serviceName, ip, port } = this.plan;
    return { serviceName, ip, port: String(port), ephemeral: 'true' };
  }

  #beatQuery(): Record<string, string> {
    if (this.#isLight) return { ...this.#query(), clusterName: 'DEFAULT' };
    const { serviceName, ip, port } = this.plan;
    const beat = {
      serviceName: `DEFAULT_GROUP@@${serviceName}`,
      ip,
      port,
      cluster: 'DEFAULT',
      weight: 1,
      metadata: {},
    };
    return { ...this.#query(), beat: JSON.stringify(beat) };
  }
}

const REGISTER = { method: 'POST', path: '/v1/ns/instance' } as const;
const BEAT = { method: 'PUT', path: '/v1/ns/instance/beat' } as const;
