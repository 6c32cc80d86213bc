// C5: all nodes are restarted one after the other, as for an update.
import { setTimeout as sleep } from 'node:timers/promises';
import type { ListAnswer } from '../../naming-api.js';
import { fromRandom } from '../clients/cluster-calls.js';
import type { ClusterFlow } from '../cluster-flow.js';
import type { ClusterScene } from '../cluster-scene.js';
import {
  backFigure,
  grpcFigures,
  httpFigures,
  NONE,
  refusedBeatFigures,
  rightFigure,
  STRICTLY_NONE,
  sampleFigures,
  sdkFigure,
  toldFigures,
} from '../flow-figures.js';
import { NODE_INDICES } from '../network/cluster-network.js';
import { populate } from '../population.js';
import { judgeList, type Wrong } from '../view/judge-list.js';

const READ_EVERY_MS = 100;
const PAUSE_MS = 5000;
const AFTER_MS = 20_000;

/** The flow. */
export const c05Rolling: ClusterFlow = {
  id: 'C5',
  title: 'rolling restart (SIGTERM, start, ready, 5 s, next) under readers, 150 HTTP instances and 30 gRPC connections',
  seconds: 70,
  async run(scene) {
    const population = await populate(scene, { services: 10, http: 150, grpc: 30, sdk: true });
    const reader = new Reader(scene);
    const reading = reader.read();
    for (const node of NODE_INDICES) {
      await scene.act('stop', node);
      await scene.act('start', node);
      await sleep(PAUSE_MS);
    }
    const lastReadyAtMs = performance.now() - PAUSE_MS;
    await sleep(AFTER_MS - PAUSE_MS);
    reader.stop();
    await reading;
    reader.tell();
    toldFigures(scene, population);
    backFigure(scene, population);
    rightFigure(scene, 'views equal and healthy after the last node is ready', {
      at: NODE_INDICES,
      sinceMs: lastReadyAtMs,
      limit: { default: 15, strict: 5 },
    });
    httpFigures(scene, NODE_INDICES, 'any node', STRICTLY_NONE);
    grpcFigures(scene, NODE_INDICES, { hit: {}, longest: { default: 10 } });
    sdkFigure(scene, NODE_INDICES);
    sampleFigures(scene, NODE_INDICES);
    refusedBeatFigures(scene);
  },
};

/** Reads lists as a consumer does that knows all nodes: from a random one, and from the next when that refuses. */
class Reader {
  readonly #scene: ClusterScene;
  #reads = 0;
  #failed = 0;
  #empty = 0;
  #shortOfHttp = 0;
  #shortOfGrpc = 0;
  #isStopped = false;

  constructor(scene: ClusterScene) {
    this.#scene = scene;
  }

  /** Reads ten times a second until it is stopped. */
  async read(): Promise<void> {
    const underWay: Promise<void>[] = [];
    while (!this.#isStopped) {
      underWay.push(this.#readOnce());
      await sleep(READ_EVERY_MS);
    }
    await Promise.all(underWay);
  }

  stop(): void {
    this.#isStopped = true;
  }

  /** Keeps the figures. */
  tell(): void {
    const scene = this.#scene;
    scene.figure('reads', this.#reads);
    scene.figure('reads failed with one retry', this.#failed, NONE);
    scene.figure('empty reads', this.#empty, NONE);
    scene.figure('reads short of an HTTP instance', this.#shortOfHttp, STRICTLY_NONE);
    scene.figure('reads short of a gRPC instance', this.#shortOfGrpc, STRICTLY_NONE);
  }

  async #readOnce(): Promise<void> {
    const { calls, expected } = this.#scene;
    const serviceName = expected.services[this.#reads % expected.services.length] as string;
    this.#reads += 1;
    const askedAtMs = performance.now();
    const call = { method: 'GET', path: '/v1/ns/instance/list', query: { serviceName } } as const;
    const { body, refusals } = await calls.first(fromRandom(NODE_INDICES).slice(0, 2), call);
    if (body === undefined) {
      this.#failed += 1;
      this.#scene.note(`read failed: ${refusals.join('; ')}`);
      return;
    }
    const { hosts } = JSON.parse(body) as ListAnswer;
    const wrong = judgeList(expected.of(serviceName), hosts, askedAtMs);
    if (hosts.length === 0) this.#empty += 1;
    if (lacks(wrong, 'http')) this.#shortOfHttp += 1;
    if (lacks(wrong, 'grpc')) this.#shortOfGrpc += 1;
  }
}

function lacks(wrong: readonly Wrong[], kind: 'http' | 'grpc'): boolean {
  return wrong.some(({ what, instance }) => what === 'vanished' && instance?.kind === kind);
}
