// C8: clients die together with the node that knew them best; they must go, and stay away.
import { setTimeout as sleep } from 'node:timers/promises';
import type { BeatingInstance } from '../clients/beating-instance.js';
import type { ClusterFlow } from '../cluster-flow.js';
import type { ClusterScene } from '../cluster-scene.js';
import { httpFigures, NONE, STRICTLY_NONE, sampleFigures, wrongSpans } from '../flow-figures.js';
import { NODE_INDICES } from '../network/cluster-network.js';
import { connectClient, expectInstance, newInstance, populate, serviceName, settle } from '../population.js';
import { type Departure, DepartureWatch } from '../view/departure-watch.js';
import { heldBy, type LossAccounts, lossAccounts } from '../view/loss-accounts.js';
import { instancesOf } from '../view/wrong-span.js';

const KILLED = 1;
const SURVIVORS = [0, 2];
const ASKED = 0;
const SERVICES = 10;
const DYING = 30;
const GRPC_DYING = 5;
/** Within this the others know of a beat. */
const TOLD_MS = 500;
const SAMPLE_MS = 100;
const WAIT_MS = 65_000;
const RETURNED_MS = 10_000;

/** The flow. */
export const c08Dead: ClusterFlow = {
  id: 'C8',
  title: '30 HTTP instances and 5 gRPC clients die with node 1',
  seconds: 90,
  async run(scene) {
    const { http } = await populate(scene, { services: SERVICES, http: DYING + SERVICES });
    const plans = Array.from({ length: GRPC_DYING }, (_, index) => newInstance(scene, serviceName(index)));
    const clients = [];
    for (const plan of plans) clients.push(await connectClient(scene, plan, KILLED));
    await settle(scene);
    scene.view.everyMs = SAMPLE_MS;
    const dying = http.slice(0, DYING);
    const overHttp = new DepartureWatch(scene.view, NODE_INDICES.length);
    const overGrpc = new DepartureWatch(scene.view, NODE_INDICES.length);
    const held = await heldBy(
      scene,
      dying.map(({ plan }) => plan),
      { node: KILLED, asked: ASKED },
    );
    await Promise.all(dying.map((instance) => instance.stop()));
    // A beat that nobody else knows of is lost with its node (docs/cluster.md): the time since the last one would be too short.
    await sleep(TOLD_MS);
    for (const client of clients) client.stop();
    await scene.act('kill', KILLED);
    for (const { plan } of dying) expectInstance(scene, plan, 'open');
    for (const plan of plans) expectInstance(scene, plan, 'open', 'grpc');
    for (const { plan } of dying) overHttp.watch(plan);
    for (const plan of plans) overGrpc.watch(plan);
    const killedAtMs = performance.now();
    const isOver = (): boolean =>
      [overHttp, overGrpc].every((watch) => watch.at(SURVIVORS).every(({ absentAtMs }) => absentAtMs !== undefined));
    while (!isOver() && performance.now() - killedAtMs < WAIT_MS) await sleep(SAMPLE_MS);
    tellHttp(scene, dying, overHttp.at(SURVIVORS));
    tellAccounts(scene, await lossAccounts(scene, held, { lost: KILLED, at: SURVIVORS }));
    const gone = overGrpc.at(SURVIVORS).map(({ absentAtMs }) => sinceOf(absentAtMs, killedAtMs));
    scene.time('gRPC: removed since the kill, latest', latest(gone), { default: 200, strict: 55 });
    for (const { plan } of dying) expectInstance(scene, plan, 'gone');
    for (const plan of plans) expectInstance(scene, plan, 'gone', 'grpc');
    await scene.act('start', KILLED);
    await sleep(RETURNED_MS);
    const back = overHttp.returned(SURVIVORS) + overGrpc.returned(SURVIVORS);
    const ghosts = wrongSpans(scene, { at: [KILLED], kinds: ['http', 'grpc'], what: ['lingering', 'unknown'] });
    scene.figure('dead ones that came back with the node', back + instancesOf(ghosts), NONE);
    httpFigures(scene, SURVIVORS, 'the survivors', NONE);
    sampleFigures(scene, SURVIVORS);
  },
};

function tellHttp(scene: ClusterScene, dying: readonly BeatingInstance[], departures: readonly Departure[]): void {
  const lastBeats = new Map(dying.map(({ plan, lastBeatAtMs }) => [`${plan.ip}:${plan.port}`, lastBeatAtMs]));
  const since = (time: 'unhealthyAtMs' | 'absentAtMs'): readonly (number | undefined)[] =>
    departures.map((departure) => sinceOf(departure[time], lastBeats.get(departure.address) ?? 0));
  const [unhealthy, removed] = [since('unhealthyAtMs'), since('absentAtMs')];
  scene.time('HTTP: unhealthy since the last beat, earliest', earliest(unhealthy));
  scene.time('HTTP: unhealthy since the last beat, latest', latest(unhealthy), { strict: 24.5 });
  scene.time('HTTP: removed since the last beat, earliest', earliest(removed), { strict: 39.5, strictLeast: 29 });
  scene.time('HTTP: removed since the last beat, latest', latest(removed), { default: 60, strict: 39.5 });
}

function tellAccounts(scene: ClusterScene, { asked, wrongSums, withoutTakeOver, longestMs }: LossAccounts): void {
  scene.figure('accounts asked for, of instances that the killed node held', asked);
  scene.figure('  whose stages do not add up', wrongSums, STRICTLY_NONE);
  scene.figure('  without the take-over of the lease', withoutTakeOver, STRICTLY_NONE);
  scene.time('  last word of the node to take-over, longest', longestMs, { strict: 8.1 });
}

function sinceOf(atMs: number | undefined, sinceMs: number): number | undefined {
  return atMs === undefined ? undefined : atMs - sinceMs;
}

function latest(timesMs: readonly (number | undefined)[]): number | undefined {
  return timesMs.includes(undefined) ? undefined : Math.max(...timesMs.map((time) => time ?? 0));
}

function earliest(timesMs: readonly (number | undefined)[]): number | undefined {
  const known = timesMs.filter((time) => time !== undefined);
  return known.length === 0 ? undefined : Math.min(...known);
}
