// C2: nothing happens, and nothing must be seen.
import { setTimeout as sleep } from 'node:timers/promises';
import type { ClusterFlow } from '../cluster-flow.js';
import { emptyListFigure, httpFigures, NONE, STRICTLY_NONE, sampleFigures } from '../flow-figures.js';
import { NODE_INDICES } from '../network/cluster-network.js';
import { populate } from '../population.js';

/** The flow. */
export const c02Steady: ClusterFlow = {
  id: 'C2',
  title: '200 instances for 40 s',
  seconds: 55,
  async run(scene) {
    await populate(scene, { services: 10, http: scene.sized(200, 60) });
    await sleep(scene.sized(40_000, 8000));
    httpFigures(scene, NODE_INDICES, 'any node', NONE);
    emptyListFigure(scene, NODE_INDICES, 'any node');
    sampleFigures(scene, NODE_INDICES);
    const { beats, refusedByAll, refusedTries, unknown } = scene.beats;
    scene.figure('beats', beats);
    scene.figure('beats refused by all nodes', refusedByAll, NONE);
    scene.figure('beats refused by a node', refusedTries, STRICTLY_NONE);
    scene.figure('beats answered 20404', unknown, STRICTLY_NONE);
  },
};
