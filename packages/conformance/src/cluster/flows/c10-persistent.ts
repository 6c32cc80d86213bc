// C10: what must be the same everywhere and survive everything, with one and with two nodes down.
import { setTimeout as sleep } from 'node:timers/promises';
import { type ApiAnswer, type ApiCall, type ListAnswer, NamingApi } from '../../naming-api.js';
import type { ClusterFlow } from '../cluster-flow.js';
import type { ClusterScene } from '../cluster-scene.js';
import { NONE } from '../flow-figures.js';
import { NODE_INDICES } from '../network/cluster-network.js';
import { newInstance, serviceName } from '../population.js';
import { lists } from '../view/view-sampler.js';

const FIRST_KILLED = 1;
const SECOND_KILLED = 2;
const ALONE = 0;
const LATER_MS = 12_000;
const ANSWER_TIMEOUT_MS = 35_000;
const SEEN_TIMEOUT_MS = 35_000;
const POLL_MS = 50;
const EACH = 4;

/** The flow. */
export const c10Persistent: ClusterFlow = {
  id: 'C10',
  title: 'persistent writes with all nodes up, with one down, with two down, and after they are back',
  seconds: 60,
  needsStore: true,
  async run(scene) {
    const writes = new PersistentWrites(scene);
    const up = await writes.several([0, 1, 2]);
    scene.figure('persistent writes refused with all up', refusedOf(up), NONE);
    await writes.seenFigure([0, 1, 2], 'all up: accepted writes on all nodes after', { default: 30, strict: 5 });
    await scene.act('kill', FIRST_KILLED);
    const atOnce = await writes.several([0, 2]);
    await sleep(LATER_MS);
    const later = await writes.several([0, 2]);
    scene.figure('refused with one down, at once', refusedOf(atOnce), NONE);
    scene.figure('refused with one down, 12 s later', refusedOf(later), NONE);
    await writes.seenFigure([0, 2], 'one down: accepted writes on both survivors after', { default: 30, strict: 5 });
    await scene.act('kill', SECOND_KILLED);
    const [alone] = await Promise.all([writes.several([ALONE]), writeEphemeral(scene)]);
    const slowest = Math.max(...alone.map(({ durationMs }) => durationMs));
    scene.figure('no clear answer with two down', alone.filter((one) => !isClear(one)).length, NONE);
    scene.time('answered with two down, slowest', slowest, { default: 30, strict: 7.5 });
    scene.figure('  accepted with two down', alone.length - refusedOf(alone));
    await Promise.all([scene.act('start', FIRST_KILLED), scene.act('start', SECOND_KILLED)]);
    await writes.seenFigure([0, 1, 2], 'back: every accepted write on all nodes after', { default: 30, strict: 5 });
    const back = await writes.several([0, 1, 2]);
    scene.figure('refused after all are back', refusedOf(back), NONE);
    await writes.seenFigure([0, 1, 2], 'back: new writes on all nodes after', { default: 30, strict: 5 });
  },
};

/** An answer, or what came instead. */
interface WriteOutcome {
  readonly answer: ApiAnswer | undefined;
  readonly durationMs: number;
}

/** Persistent instances and services, and which of them were accepted. */
class PersistentWrites {
  readonly #scene: ClusterScene;
  readonly #apis: readonly NamingApi[];
  readonly #instances: { readonly serviceName: string; readonly ip: string; readonly port: number }[] = [];
  readonly #services: string[] = [];

  constructor(scene: ClusterScene) {
    this.#scene = scene;
    this.#apis = scene.endpoints.map((endpoint) => new NamingApi(endpoint, { answerTimeoutMs: ANSWER_TIMEOUT_MS }));
    for (const api of this.#apis) scene.defer(() => api.close());
  }

  /** Registers instances and creates a service, at the nodes in turn. */
  async several(nodes: readonly number[]): Promise<readonly WriteOutcome[]> {
    const outcomes = [await this.#createService(nodes[0] as number)];
    for (let n = 0; n < EACH; n++) outcomes.push(await this.#register(nodes[n % nodes.length] as number, n));
    return outcomes;
  }

  /** Waits until all nodes show all that was accepted, and keeps the time. */
  async seenFigure(
    nodes: readonly number[],
    name: string,
    limit: { readonly default: number; readonly strict: number },
  ): Promise<void> {
    const startedAtMs = performance.now();
    for (;;) {
      const missing = await Promise.all(nodes.map((node) => this.#missesAt(node)));
      const tookMs = performance.now() - startedAtMs;
      if (!missing.includes(true)) return this.#scene.time(name, tookMs, limit);
      if (tookMs > SEEN_TIMEOUT_MS) return this.#scene.time(name, undefined, limit);
      await sleep(POLL_MS);
    }
  }

  async #createService(node: number): Promise<WriteOutcome> {
    const name = `flow.persistent-${this.#services.length}-${Math.round(performance.now())}`;
    const query = { serviceName: name, protectThreshold: '0.5' };
    const outcome = await this.#write(node, { method: 'POST', path: '/v1/ns/service', query });
    if (isAccepted(outcome)) this.#services.push(name);
    return outcome;
  }

  async #register(node: number, index: number): Promise<WriteOutcome> {
    const instance = newInstance(this.#scene, `${serviceName(index)}.persistent`);
    const query = { ...instance, port: String(instance.port), ephemeral: 'false' };
    const outcome = await this.#write(node, { method: 'POST', path: '/v1/ns/instance', query });
    if (isAccepted(outcome)) this.#instances.push(instance);
    return outcome;
  }

  async #write(node: number, call: ApiCall): Promise<WriteOutcome> {
    const startedAtMs = performance.now();
    const answer = await this.#api(node)
      .call(call)
      .catch(() => undefined);
    return { answer, durationMs: performance.now() - startedAtMs };
  }

  async #missesAt(node: number): Promise<boolean> {
    try {
      for (const instance of this.#instances) {
        const { hosts }: ListAnswer = await this.#api(node).list({ serviceName: instance.serviceName });
        if (!lists(hosts, instance)) return true;
      }
      for (const name of this.#services) {
        const call = { method: 'GET', path: '/v1/ns/service', query: { serviceName: name } } as const;
        const { protectThreshold } = JSON.parse(await this.#api(node).mustCall(call)) as { protectThreshold: number };
        if (protectThreshold !== 0.5) return true;
      }
      return false;
    } catch {
      return true;
    }
  }

  #api(node: number): NamingApi {
    return this.#apis[node] as NamingApi;
  }
}

async function writeEphemeral(scene: ClusterScene): Promise<void> {
  const { serviceName: name, ip, port } = newInstance(scene, serviceName(0));
  const query = { serviceName: name, ip, port: String(port), ephemeral: 'true' };
  const call = { method: 'POST', path: '/v1/ns/instance', query } as const;
  const { body, durationMs } = await scene.calls.until(NODE_INDICES, call, ANSWER_TIMEOUT_MS);
  const limit = { default: 30, strict: 2.5 };
  scene.time('ephemeral write accepted with two down after', body === undefined ? undefined : durationMs, limit);
}

function isAccepted({ answer }: WriteOutcome): boolean {
  return answer?.status === 200;
}

/** Success, or a refusal that says why. */
function isClear({ answer }: WriteOutcome): boolean {
  if (answer === undefined) return false;
  return answer.status === 200 || (answer.status >= 400 && answer.status < 600 && answer.body.trim() !== '');
}

function refusedOf(outcomes: readonly WriteOutcome[]): number {
  return outcomes.filter((outcome) => !isAccepted(outcome)).length;
}
