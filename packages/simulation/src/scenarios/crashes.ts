// F4, F5, F6, F12: nodes end and come back.

import type { PlannedDeed } from '../plan.js';
import type { Scenario } from '../scenario.js';
import { drawChanges, drawCluster, drawNodeCount, FAULTS_FROM_MS, OWN_CLIENTS } from './cluster-drawing.js';

/** F4 */
export const nodeLost: Scenario = {
  name: 'F4',
  title: 'a node crashes for good',
  draw(random) {
    const nodes = drawNodeCount(random);
    const crash = {
      type: 'crash',
      node: random.integer(0, nodes - 1),
      what: random.pick(['process', 'machine'] as const),
      disk: 'lost',
      forMs: undefined,
    } as const;
    return drawCluster(random, {
      nodes,
      plan: [
        { atMs: FAULTS_FROM_MS + random.integer(0, 5000), deed: crash },
        ...drawChanges(random, FAULTS_FROM_MS, 40_000),
      ],
      activeMs: 60_000,
      expects: { harmMsMax: 0 },
    });
  },
};

/** F5 */
export const nodeBack: Scenario = {
  name: 'F5',
  title: 'a node crashes and comes back within 3 s, 20 s, 2 min, with and without its disk',
  draw(random) {
    const nodes = drawNodeCount(random);
    const forMs = random.pick([1000, 3000, 20_000, 20_000, 120_000]);
    const crash = {
      type: 'crash',
      node: random.integer(0, nodes - 1),
      what: random.pick(['process', 'machine'] as const),
      disk: random.pick(['kept', 'lost'] as const),
      forMs,
    } as const;
    const endMs = FAULTS_FROM_MS + forMs + 15_000;
    return drawCluster(random, {
      nodes,
      plan: [{ atMs: FAULTS_FROM_MS, deed: crash }, ...drawChanges(random, FAULTS_FROM_MS, endMs)],
      activeMs: endMs,
      expects: { harmMsMax: 0 },
    });
  },
};

/** F6 */
export const rollingRestart: Scenario = {
  name: 'F6',
  title: 'a rolling restart of all nodes; or all of them at once',
  draw(random) {
    const nodes = drawNodeCount(random);
    const isAtOnce = random.chance(0.3);
    const gapMs = random.integer(9000, 20_000);
    const disk = random.pick(['kept', 'kept', 'lost'] as const);
    const plan = Array.from(
      { length: nodes },
      (_, node): PlannedDeed => ({
        atMs: FAULTS_FROM_MS + (isAtOnce ? 0 : node * gapMs),
        deed: { type: 'crash', node, what: 'process', disk, forMs: random.integer(500, 4000) },
      }),
    );
    const endMs = FAULTS_FROM_MS + nodes * gapMs + 10_000;
    return drawCluster(random, {
      nodes,
      plan: [...plan, ...drawChanges(random, FAULTS_FROM_MS, Math.min(endMs, 60_000))],
      activeMs: endMs,
      // Without journals the clients have to fill an empty cluster with their next beats.
      ...(!isAtOnce && { expects: { harmMsMax: 0 } }),
    });
  },
};

/** F12 */
export const deathWithHolder: Scenario = {
  name: 'F12',
  title: 'clients die together with the node that holds their leases',
  draw(random) {
    const nodes = drawNodeCount(random);
    const node = random.integer(0, nodes - 1);
    const atMs = FAULTS_FROM_MS + random.integer(0, 5000);
    const crash = { type: 'crash', node, what: 'machine', disk: 'lost', forMs: undefined } as const;
    const deaths = OWN_CLIENTS.map((client): PlannedDeed => ({ atMs, deed: { type: 'client', client, does: 'die' } }));
    return drawCluster(random, {
      nodes,
      homing: 'own',
      plan: [{ atMs, deed: crash }, ...deaths],
      activeMs: atMs + 60_000,
      expects: { harmMsMax: 0, goneAfterMs: 39_600 },
    });
  },
};
