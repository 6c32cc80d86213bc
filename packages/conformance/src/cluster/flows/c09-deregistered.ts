// C9: instances leave in order around the loss of a node; each must be able to, and stay away.
import { setTimeout as sleep } from 'node:timers/promises';
import type { BeatingInstance } from '../clients/beating-instance.js';
import type { ClusterFlow } from '../cluster-flow.js';
import { acceptedFigure, httpFigures, NONE, refusedBeatFigures, wrongSpans } from '../flow-figures.js';
import { NODE_INDICES } from '../network/cluster-network.js';
import { deregisterBeating, populate } from '../population.js';
import { DepartureWatch } from '../view/departure-watch.js';
import { instancesOf } from '../view/wrong-span.js';

const KILLED = 1;
const SURVIVORS = [0, 2];
const EACH = 10;
const FIRST_MS = 300;
const SECOND_MS = 15_000;
const SAMPLE_MS = 50;

/** The flow. */
export const c09Deregistered: ClusterFlow = {
  id: 'C9',
  title: '10 deregistrations 0.3 s after the kill of node 1, 10 more 15 s later',
  seconds: 60,
  async run(scene) {
    const { http } = await populate(scene, { services: 5, http: scene.sized(80, 50) });
    scene.view.everyMs = SAMPLE_MS;
    const watch = new DepartureWatch(scene.view, NODE_INDICES.length);
    const leave = (instances: readonly BeatingInstance[]): Promise<readonly (number | undefined)[]> =>
      Promise.all(instances.map((instance) => deregisterBeating(scene, instance, { nodes: NODE_INDICES, watch })));
    await scene.act('kill', KILLED);
    await sleep(FIRST_MS);
    const first = await leave(http.slice(0, EACH));
    await sleep(scene.sized(SECOND_MS, 4000));
    const second = await leave(http.slice(EACH, 2 * EACH));
    await sleep(scene.sized(10_000, 2500));
    acceptedFigure(scene, 'deregistrations at once', first, { default: 30, strict: 2.5 });
    acceptedFigure(scene, 'deregistrations later', second, { default: 30, strict: 2.5 });
    const times = watch.at(SURVIVORS).map(({ absentAtMs, sinceMs }) => absentAtMs && absentAtMs - sinceMs);
    const last = times.includes(undefined) ? undefined : Math.max(...times.map((time) => time ?? 0));
    scene.time('gone at the survivors after the acknowledgement', last, { default: 10, strict: 1 });
    await scene.act('start', KILLED);
    await sleep(scene.sized(15_000, 4000));
    scene.figure('came back at the survivors', watch.returned(SURVIVORS), NONE);
    const ghosts = wrongSpans(scene, { at: [KILLED], kinds: ['http'], what: ['lingering', 'unknown'] });
    scene.figure('came back with the returned node', instancesOf(ghosts), NONE);
    httpFigures(scene, SURVIVORS, 'the survivors', NONE);
    refusedBeatFigures(scene);
  },
};
