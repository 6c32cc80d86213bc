// C6: a node is frozen for 25 s, as by a stopped virtual machine, while instances come, go and die.
import { setTimeout as sleep } from 'node:timers/promises';
import type { BeatingInstance } from '../clients/beating-instance.js';
import type { ClusterFlow } from '../cluster-flow.js';
import type { ClusterScene } from '../cluster-scene.js';
import {
  acceptedFigure,
  emptyListFigure,
  grpcFigures,
  httpFigures,
  NONE,
  refusedBeatFigures,
  rightFigure,
  STRICTLY_NONE,
  wrongSpans,
} from '../flow-figures.js';
import { NODE_INDICES } from '../network/cluster-network.js';
import {
  deregisterBeating,
  expectInstance,
  newBeating,
  newInstance,
  populate,
  registerBeating,
  serviceName,
} from '../population.js';
import { startedApart } from '../started-apart.js';
import { DepartureWatch } from '../view/departure-watch.js';
import { longestMs } from '../view/wrong-span.js';

const FROZEN = 2;
const OTHERS = [0, 1];
const FROZEN_MS = 25_000;
const WATCHED_MS = 38_000;
const BETWEEN_WRITES_MS = 1500;
const EACH = 10;
const SERVICES = 10;
/** When one that died must be gone, its holder being lost as well: bounds B5 and B3 of the cluster's design. */
const DEAD_GONE_MS = 39_500;

/** The flow. */
export const c06Frozen: ClusterFlow = {
  id: 'C6',
  title: 'node 2 is frozen for 25 s; 120 instances beat, 10 each are deregistered, registered, and die meanwhile',
  seconds: 85,
  async run(scene) {
    const { http } = await populate(scene, { services: SERVICES, http: 120 + 2 * EACH, grpc: 15 });
    const watch = new DepartureWatch(scene.view, NODE_INDICES.length);
    const [leaving, dying] = [http.slice(0, EACH), http.slice(EACH, 2 * EACH)];
    await scene.act('freeze', FROZEN);
    const frozenAtMs = performance.now();
    for (const instance of dying) void die(scene, instance, watch);
    const acceptedMs: (number | undefined)[] = [];
    await Promise.all([
      startedApart(
        leaving,
        BETWEEN_WRITES_MS,
        async (instance) =>
          void acceptedMs.push(await deregisterBeating(scene, instance, { nodes: NODE_INDICES, watch })),
      ),
      startedApart([...leaving.keys()], BETWEEN_WRITES_MS, (index) => come(scene, index)),
    ]);
    await sleep(FROZEN_MS - (performance.now() - frozenAtMs));
    await scene.act('thaw', FROZEN);
    const thawedAtMs = performance.now();
    await sleep(WATCHED_MS);
    tell(scene, { watch, thawedAtMs, acceptedMs });
  },
};

function tell(
  scene: ClusterScene,
  seen: { watch: DepartureWatch; thawedAtMs: number; acceptedMs: readonly (number | undefined)[] },
): void {
  const { watch, thawedAtMs, acceptedMs } = seen;
  httpFigures(scene, OTHERS, 'the other nodes', NONE);
  emptyListFigure(scene, NODE_INDICES, 'any node');
  rightFigure(scene, 'views right after the thaw', {
    at: NODE_INDICES,
    sinceMs: thawedAtMs,
    limit: { default: 20, strict: 6.5 },
  });
  scene.figure('dead or deregistered instances that came back', watch.returned(NODE_INDICES), NONE);
  const what = ['vanished', 'unhealthy', 'missing', 'lingering', 'unknown'] as const;
  const late = wrongSpans(scene, { at: [FROZEN], kinds: ['http', 'grpc'], what }).filter(
    ({ toMs }) => toMs === undefined || toMs > thawedAtMs,
  );
  scene.time('something wrong at the thawed node, longest', longestMs(late), { strict: 2 });
  grpcFigures(scene, OTHERS, { hit: STRICTLY_NONE, longest: {} });
  acceptedFigure(scene, 'deregistrations', acceptedMs, { default: 30 });
  refusedBeatFigures(scene);
}

async function die(scene: ClusterScene, instance: BeatingInstance, watch: DepartureWatch): Promise<void> {
  expectInstance(scene, instance.plan, 'open');
  await instance.stop();
  watch.watch(instance.plan);
  const timer = setTimeout(() => expectInstance(scene, instance.plan, 'gone'), DEAD_GONE_MS);
  scene.defer(() => clearTimeout(timer));
}

async function come(scene: ClusterScene, index: number): Promise<void> {
  const instance = newBeating(scene, newInstance(scene, serviceName(index % SERVICES)));
  await registerBeating(scene, instance, 'coming');
}
