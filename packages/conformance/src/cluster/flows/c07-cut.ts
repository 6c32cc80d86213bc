// C7: a node is cut off from the others for 20 s; clients reach both sides, each only one of them.
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
  rightFigure,
  STRICTLY_NONE,
  sampleFigures,
  wrongSpans,
} from '../flow-figures.js';
import { NODE_INDICES } from '../network/cluster-network.js';
import {
  connectClient,
  deregisterBeating,
  newBeating,
  newInstance,
  registerBeating,
  serviceName,
  settle,
} from '../population.js';
import { startedApart } from '../started-apart.js';
import { DepartureWatch } from '../view/departure-watch.js';
import { instancesOf } from '../view/wrong-span.js';

const CUT = 0;
const SIDES: readonly (readonly number[])[] = [[CUT], [1, 2]];
const CUT_MS = 20_000;
const WATCHED_MS = 40_000;
const MEETING_PAUSE_MS = 20;
const BETWEEN_WRITES_MS = 1500;
const SERVICES = 10;
const PER_SIDE = 60;
const EACH = 10;
const GRPC = 12;

interface CutRun {
  readonly watch: DepartureWatch;
  readonly acceptedMs: (number | undefined)[];
}

/** The flow. */
export const c07Cut: ClusterFlow = {
  id: 'C7',
  title: 'node 0 is cut off for 20 s; on each side 60 instances beat, 10 are deregistered, 10 registered',
  seconds: 80,
  async run(scene) {
    const run: CutRun = { watch: new DepartureWatch(scene.view, NODE_INDICES.length), acceptedMs: [] };
    const sides: (readonly BeatingInstance[])[] = [];
    for (const nodes of SIDES) sides.push(await populateSide(scene, nodes, PER_SIDE + EACH));
    for (let index = 0; index < GRPC; index++) {
      await connectClient(scene, newInstance(scene, serviceName(index % SERVICES)), index % NODE_INDICES.length);
    }
    await settle(scene);
    await scene.act('cut', CUT);
    const cutAtMs = performance.now();
    await Promise.all(SIDES.map((nodes, side) => writeAt(scene, nodes, { leaving: sides[side] ?? [], run })));
    await sleep(CUT_MS - (performance.now() - cutAtMs));
    await scene.act('heal', CUT);
    const healedAtMs = performance.now();
    const metMs = await scene.untilAllUp({ pauseMs: MEETING_PAUSE_MS });
    await sleep(WATCHED_MS - (performance.now() - healedAtMs));
    scene.time('all nodes up again after healing', metMs);
    tell(scene, run, healedAtMs);
  },
};

function tell(scene: ClusterScene, { watch, acceptedMs }: CutRun, healedAtMs: number): void {
  httpFigures(scene, NODE_INDICES, 'any node', STRICTLY_NONE);
  grpcFigures(scene, NODE_INDICES, { hit: STRICTLY_NONE, longest: {} });
  emptyListFigure(scene, NODE_INDICES, 'any node');
  acceptedFigure(scene, 'writes', acceptedMs, { default: 30, strict: 2.5 });
  const limit = { default: 20, strict: 6.5 };
  rightFigure(scene, 'views right after healing', { at: NODE_INDICES, sinceMs: healedAtMs, limit });
  const kinds = ['http', 'grpc'] as const;
  const ghosts = wrongSpans(scene, { at: NODE_INDICES, kinds, what: ['lingering', 'unknown'] });
  const left = ghosts.filter(({ toMs }) => toMs === undefined);
  scene.figure('ghosts at the end', instancesOf(left), NONE);
  const gone = watch.at(NODE_INDICES).map(({ absentAtMs }) => absentAtMs);
  const lastGoneMs = Math.max(healedAtMs, ...gone.map((time) => time ?? 0)) - healedAtMs;
  scene.time('deregistered ones gone after healing', gone.includes(undefined) ? undefined : lastGoneMs, { strict: 2 });
  scene.figure('deregistered ones that came back', watch.returned(NODE_INDICES), STRICTLY_NONE);
  const { beats, refusedByAll, refusedTries } = scene.beats;
  scene.figure('beats', beats);
  scene.figure('beats refused by all nodes of their side', refusedByAll, STRICTLY_NONE);
  scene.figure('beats refused by a node', refusedTries, STRICTLY_NONE);
  sampleFigures(scene, NODE_INDICES);
}

async function populateSide(
  scene: ClusterScene,
  nodes: readonly number[],
  count: number,
): Promise<readonly BeatingInstance[]> {
  const instances = Array.from({ length: count }, (_, index) =>
    newBeating(scene, newInstance(scene, serviceName(index % SERVICES)), nodes),
  );
  for (const instance of instances) await registerBeating(scene, instance);
  return instances;
}

async function writeAt(
  scene: ClusterScene,
  nodes: readonly number[],
  { leaving, run }: { readonly leaving: readonly BeatingInstance[]; readonly run: CutRun },
): Promise<void> {
  const { watch, acceptedMs } = run;
  await Promise.all([
    startedApart(leaving.slice(0, EACH), BETWEEN_WRITES_MS, async (instance) => {
      acceptedMs.push(await deregisterBeating(scene, instance, { nodes, watch }));
    }),
    startedApart([...Array(EACH).keys()], BETWEEN_WRITES_MS, async (index) => {
      const instance = newBeating(scene, newInstance(scene, serviceName(index % SERVICES)), nodes);
      acceptedMs.push(await registerBeating(scene, instance, 'coming'));
    }),
  ]);
}
