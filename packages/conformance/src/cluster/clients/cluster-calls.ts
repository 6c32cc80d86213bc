// HTTP calls as clients make them who know all nodes: 3 s per try, and the next node when one refuses. Source: Nacos
// NamingProxy.reqApi (1.x), which begins at a random server and goes on in the order of its list.
import { setTimeout as sleep } from 'node:timers/promises';
import { type ApiCall, NamingApi } from '../../naming-api.js';
import type { ServerEndpoint } from '../../server-endpoint.js';

const TRY_TIMEOUT_MS = 3000;

/** How a call went that was tried at one node after the other. */
export interface CallOutcome {
  /** Body of the answer that was 200; undefined when all nodes refused. */
  readonly body: string | undefined;
  /** Index of the node that gave it. */
  readonly node: number | undefined;
  /** Tries that failed, in words. */
  readonly refusals: readonly string[];
  /** All tries together, in milliseconds. */
  readonly durationMs: number;
}

/** Calls to the nodes of a cluster. */
export class ClusterCalls {
  /** One per node; single calls to a chosen node go there. */
  readonly nodes: readonly NamingApi[];

  constructor(endpoints: readonly ServerEndpoint[]) {
    this.nodes = endpoints.map((endpoint) => new NamingApi(endpoint, { answerTimeoutMs: TRY_TIMEOUT_MS }));
  }

  /** Tries the nodes in the order given until one answers 200. */
  async first(nodes: readonly number[], call: ApiCall): Promise<CallOutcome> {
    const startedAtMs = performance.now();
    const refusals: string[] = [];
    for (const node of nodes) {
      const answer = await this.#try(node, call);
      if ('body' in answer) {
        return { body: answer.body, node, refusals, durationMs: performance.now() - startedAtMs };
      }
      refusals.push(`node ${node}: ${answer.refusal}`);
    }
    return { body: undefined, node: undefined, refusals, durationMs: performance.now() - startedAtMs };
  }

  /**
   * Repeats a call at all nodes, every 0.5 s, until one accepts it.
   * @param nodes - those that are tried, each round from a random one on
   * @returns the outcome of the round that succeeded, with the time since the first one began; no body when none did
   */
  async until(nodes: readonly number[], call: ApiCall, timeoutMs: number): Promise<CallOutcome> {
    const startedAtMs = performance.now();
    const refusals: string[] = [];
    for (;;) {
      const roundAtMs = performance.now();
      const outcome = await this.first(fromRandom(nodes), call);
      refusals.push(...outcome.refusals);
      const durationMs = performance.now() - startedAtMs;
      if (outcome.body !== undefined || durationMs > timeoutMs) return { ...outcome, refusals, durationMs };
      await sleep(Math.max(0, REPEAT_MS - (performance.now() - roundAtMs)));
    }
  }

  /** Closes the connections. */
  close(): void {
    for (const api of this.nodes) api.close();
  }

  async #try(node: number, call: ApiCall): Promise<{ readonly body: string } | { readonly refusal: string }> {
    try {
      const { status, body } = await (this.nodes[node] as NamingApi).call(call);
      return status === 200 ? { body } : { refusal: `${status} "${body.slice(0, 200)}"` };
    } catch (error) {
      return { refusal: error instanceof Error ? error.message : String(error) };
    }
  }
}

const REPEAT_MS = 500;

/** The nodes in their order, from a random one on. */
export function fromRandom(nodes: readonly number[]): readonly number[] {
  const start = Math.floor(Math.random() * nodes.length);
  return [...nodes.slice(start), ...nodes.slice(0, start)];
}

/** One of them. @throws RangeError for none */
export function randomOf<T>(values: readonly T[]): T {
  if (values.length === 0) throw new RangeError('Cannot choose one of no values');
  return values[Math.floor(Math.random() * values.length)] as T;
}
