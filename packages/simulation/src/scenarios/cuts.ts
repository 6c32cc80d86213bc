// F1, F2, F10, F17: paths between nodes are cut.

import type { PlannedDeed } from '../plan.js';
import type { Scenario } from '../scenario.js';
import { drawChanges, drawCluster, drawHalves, drawNodeCount, FAULTS_FROM_MS, OWN_CLIENTS } from './cluster-drawing.js';

/** Views are right this long after the cut is mended: B4' with a beat that was just missed. */
const EQUAL_AFTER_MS = 9000;

/** F1. A cut of 20 s or less ends before adopted leases can. */
export const cutInHalves: Scenario = {
  name: 'F1',
  title: 'a cut in two halves for 5 s, 20 s, 60 s, 10 min; clients on either side',
  draw(random) {
    const nodes = drawNodeCount(random);
    const forMs = random.pick([5000, 5000, 20_000, 20_000, 20_000, 60_000, 60_000, 600_000]);
    const [from, to] = drawHalves(random, nodes);
    const endMs = FAULTS_FROM_MS + forMs;
    const cut = { type: 'cut', from, to, ways: 'both', clients: 'split', forMs } as const;
    const isShort = forMs <= 20_000;
    return drawCluster(random, {
      nodes,
      homing: 'own',
      plan: [{ atMs: FAULTS_FROM_MS, deed: cut }, ...drawChanges(random, FAULTS_FROM_MS, Math.min(endMs, 70_000))],
      activeMs: endMs,
      expects: { ...(isShort && { harmMsMax: 0 }), equalAfterMs: EQUAL_AFTER_MS },
    });
  },
};

/** F2 */
export const oneWayCut: Scenario = {
  name: 'F2',
  title: 'a cut between two nodes, one way or both, while a third one hears both',
  draw(random) {
    const [from, to] = random.shuffled([0, 1, 2]) as [number, number];
    const forMs = random.pick([10_000, 30_000, 60_000]);
    const ways = random.pick(['one', 'both'] as const);
    const cut = { type: 'cut', from: [from], to: [to], ways, clients: 'free', forMs } as const;
    const endMs = FAULTS_FROM_MS + forMs;
    return drawCluster(random, {
      nodes: 3,
      plan: [{ atMs: FAULTS_FROM_MS, deed: cut }, ...drawChanges(random, FAULTS_FROM_MS, endMs)],
      activeMs: endMs,
      expects: { harmMsMax: 0, nobodyDown: true, equalAfterMs: EQUAL_AFTER_MS },
    });
  },
};

/** F10 */
export const farewells: Scenario = {
  name: 'F10',
  title: 'deregistrations during a cut, and while their holder is down',
  draw(random) {
    const nodes = drawNodeCount(random);
    const [from, to] = drawHalves(random, nodes);
    const forMs = random.integer(5000, 25_000);
    const fault = random.chance(0.5)
      ? ({ type: 'cut', from, to, ways: 'both', clients: 'free', forMs } as const)
      : ({
          type: 'crash',
          node: random.integer(0, nodes - 1),
          what: random.pick(['process', 'machine'] as const),
          disk: 'kept',
          forMs,
        } as const);
    const leaves = OWN_CLIENTS.map(
      (client): PlannedDeed => ({
        atMs: FAULTS_FROM_MS + random.integer(0, forMs),
        deed: { type: 'client', client, does: 'leave' },
      }),
    );
    return drawCluster(random, {
      nodes,
      plan: [{ atMs: FAULTS_FROM_MS, deed: fault }, ...leaves],
      activeMs: FAULTS_FROM_MS + forMs + 2000,
    });
  },
};

/** F17 */
export const flappingLink: Scenario = {
  name: 'F17',
  title: 'a link that is down for 2 s and up for 2 s, for minutes',
  draw(random) {
    const [one, other] = random.shuffled([0, 1, 2]) as [number, number];
    const rounds = random.integer(20, 75);
    const cut = { type: 'cut', from: [one], to: [other], ways: 'both', clients: 'free', forMs: 2000 } as const;
    const plan = Array.from({ length: rounds }, (_, round) => ({ atMs: FAULTS_FROM_MS + round * 4000, deed: cut }));
    const endMs = FAULTS_FROM_MS + rounds * 4000;
    return drawCluster(random, {
      nodes: 3,
      plan: [...plan, ...drawChanges(random, FAULTS_FROM_MS, Math.min(endMs, 70_000))],
      activeMs: endMs,
      expects: { harmMsMax: 0, nobodyDown: true, equalAfterMs: EQUAL_AFTER_MS, messagesPerSecondMax: 60 },
    });
  },
};
