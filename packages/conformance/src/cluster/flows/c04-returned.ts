// C4: a node that was killed comes back; it answers with nothing until it has everything, and its old data harms nobody.
import { setTimeout as sleep } from 'node:timers/promises';
import type { ClusterFlow } from '../cluster-flow.js';
import {
  emptyListFigure,
  httpFigures,
  NONE,
  refusedBeatFigures,
  rightFigure,
  STRICTLY_NONE,
  sampleFigures,
  sumAt,
  toldFigures,
  wrongSpans,
} from '../flow-figures.js';
import { NODE_INDICES } from '../network/cluster-network.js';
import { populate } from '../population.js';
import { instancesOf, longestMs } from '../view/wrong-span.js';

const RETURNED = 1;
const SURVIVORS = [0, 2];
const AWAY_MS = 20_000;
const WATCHED_MS = 35_000;
const SAMPLE_MS = 100;

/** The flow. */
export const c04Returned: ClusterFlow = {
  id: 'C4',
  title: 'the killed node starts again, sampled every 100 ms until 35 s after its first list',
  seconds: 85,
  async run(scene) {
    const population = await populate(scene, { services: 10, http: 300, grpc: 50 });
    await scene.act('kill', RETURNED);
    await sleep(AWAY_MS);
    scene.view.clear();
    scene.view.everyMs = SAMPLE_MS;
    const startedAtMs = performance.now();
    await scene.act('start', RETURNED);
    const firstListAtMs = performance.now();
    await sleep(WATCHED_MS);
    scene.time('first list after the start', firstListAtMs - startedAtMs, { default: 30, strict: 11 });
    const equal = { at: NODE_INDICES, sinceMs: firstListAtMs, limit: { default: 30, strict: 2 } };
    rightFigure(scene, 'views equal after the first list', equal);
    httpFigures(scene, SURVIVORS, 'the survivors', NONE);
    const short = wrongSpans(scene, { at: [RETURNED], kinds: ['http', 'grpc'], what: ['vanished'] });
    scene.figure('short lists at the returned node', sumAt(scene, [RETURNED], 'shortLists'), STRICTLY_NONE);
    scene.time('  for, longest', longestMs(short), { default: 10 });
    emptyListFigure(scene, SURVIVORS, 'the survivors');
    scene.figure('empty lists at the returned node', sumAt(scene, [RETURNED], 'emptyLists'), STRICTLY_NONE);
    const ill = wrongSpans(scene, { at: [RETURNED], kinds: ['http', 'grpc'], what: ['unhealthy'] });
    scene.figure('instances unhealthy at the returned node', instancesOf(ill), STRICTLY_NONE);
    const ghosts = wrongSpans(scene, { at: NODE_INDICES, kinds: ['http', 'grpc'], what: ['unknown', 'lingering'] });
    scene.figure('instances that nobody registered', instancesOf(ghosts), NONE);
    toldFigures(scene, population);
    sampleFigures(scene, NODE_INDICES);
    refusedBeatFigures(scene);
  },
};
