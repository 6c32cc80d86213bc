// C3: a node is killed; nobody who lives is hurt at the others.
import { setTimeout as sleep } from 'node:timers/promises';
import type { ClusterFlow } from '../cluster-flow.js';
import {
  backFigure,
  emptyListFigure,
  grpcFigures,
  httpFigures,
  NONE,
  refusedBeatFigures,
  STRICTLY_NONE,
  sampleFigures,
  sdkFigure,
  toldFigures,
} from '../flow-figures.js';
import { populate } from '../population.js';

const KILLED = 1;
const SURVIVORS = [0, 2];

/** The flow. */
export const c03Killed: ClusterFlow = {
  id: 'C3',
  title: 'kill -9 of node 1 under 300 HTTP instances, 50 gRPC connections and a pair of SDKs, 60 s',
  seconds: 85,
  async run(scene) {
    const plan = { services: 10, http: scene.sized(300, 80), grpc: scene.sized(50, 15), sdk: true };
    const population = await populate(scene, plan);
    await scene.act('kill', KILLED);
    await sleep(scene.sized(60_000, 20_000));
    httpFigures(scene, SURVIVORS, 'the survivors', NONE);
    emptyListFigure(scene, SURVIVORS, 'the survivors');
    sampleFigures(scene, SURVIVORS);
    toldFigures(scene, population);
    grpcFigures(scene, SURVIVORS, { hit: STRICTLY_NONE, longest: { default: 10 } });
    sdkFigure(scene, SURVIVORS);
    backFigure(scene, population);
    refusedBeatFigures(scene);
    scene.time('slowest beat', scene.beats.slowestMs, { strict: 2.5 });
  },
};
