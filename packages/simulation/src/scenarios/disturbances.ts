// F3, F7, F8, F9, F11, F13, F18, F19: everything stays up, and nothing goes well.

import type { PlannedDeed } from '../plan.js';
import type { Scenario } from '../scenario.js';
import {
  BEAT_CLIENTS,
  drawChanges,
  drawCluster,
  drawNodeCount,
  FAULTS_FROM_MS,
  OWN_CLIENTS,
} from './cluster-drawing.js';

const END_MS = 70_000;

/** F3 */
export const badPaths: Scenario = {
  name: 'F3',
  title: 'loss of 1 to 30 %, duplicates, packets that are late by up to 5 s',
  draw(random) {
    const quality = {
      delayMinMs: 1,
      delayMaxMs: random.pick([20, 100, 300]),
      loss: random.integer(1, 30) / 100,
      duplicates: random.pick([0, 0.1, 0.2]),
      late: random.pick([0, 0.05, 0.1]),
      lateMaxMs: 5000,
    };
    return drawCluster(random, {
      nodes: drawNodeCount(random),
      plan: [
        { atMs: FAULTS_FROM_MS, deed: { type: 'quality', quality, forMs: END_MS - FAULTS_FROM_MS } },
        ...drawChanges(random, FAULTS_FROM_MS, END_MS),
      ],
      activeMs: END_MS,
    });
  },
};

/** F7 */
export const frozenNode: Scenario = {
  name: 'F7',
  title: 'a node stands still for 5 to 60 s, then goes on',
  draw(random) {
    const nodes = drawNodeCount(random);
    const forMs = random.integer(5000, 60_000);
    const freeze = { type: 'freeze', node: random.integer(0, nodes - 1), forMs } as const;
    const endMs = FAULTS_FROM_MS + forMs;
    const departures = Array.from(
      { length: 10 },
      (): PlannedDeed => ({
        atMs: random.integer(FAULTS_FROM_MS, endMs),
        deed: { type: 'client', client: random.integer(0, BEAT_CLIENTS - 1), does: 'leave' },
      }),
    );
    return drawCluster(random, {
      nodes,
      plan: [{ atMs: FAULTS_FROM_MS, deed: freeze }, ...departures, ...drawChanges(random, FAULTS_FROM_MS, endMs)],
      activeMs: endMs,
      // C6: the node that goes on may be wrong for 2 s; the others never.
      expects: { harmMsMax: 2000, equalAfterMs: 9000, leftStayAwayFromMs: endMs + 3000 },
    });
  },
};

/** F8 */
export const wrongClocks: Scenario = {
  name: 'F8',
  comparesClocks: true,
  title: 'wall clocks that jump by an hour, and all clocks 200 ppm off',
  draw(random) {
    const nodes = drawNodeCount(random);
    const jumps = Array.from(
      { length: random.integer(1, 6) },
      (): PlannedDeed => ({
        atMs: random.integer(FAULTS_FROM_MS, END_MS),
        deed: { type: 'jump', node: random.integer(0, nodes - 1), ms: random.pick([-3_600_000, 3_600_000]) },
      }),
    );
    return drawCluster(random, {
      nodes,
      homing: 'own',
      clocks: { driftPpmMax: 200, offsetMsMax: 100 },
      plan: [...jumps, ...drawChanges(random, FAULTS_FROM_MS, END_MS)],
      activeMs: END_MS,
      expects: { harmMsMax: 0, nobodyDown: true },
    });
  },
};

/** F9 */
export const differentLists: Scenario = {
  name: 'F9',
  title: 'members are added and removed; for a minute the lists of the nodes differ',
  draw(random) {
    const nodes = drawNodeCount(random);
    const all = random.shuffled(Array.from({ length: nodes }, (_, index) => index));
    const forMs = random.pick([10_000, 60_000]);
    const count = random.integer(1, nodes);
    const change = { type: 'members', nodes: all.slice(0, count), without: [random.pick(all)], forMs } as const;
    const endMs = FAULTS_FROM_MS + forMs;
    return drawCluster(random, {
      nodes,
      plan: [{ atMs: FAULTS_FROM_MS, deed: change }, ...drawChanges(random, FAULTS_FROM_MS, endMs)],
      activeMs: endMs,
    });
  },
};

/** F11 */
export const writesThatMove: Scenario = {
  name: 'F11',
  title: 'slow answers: clients try the next node while the first one still takes their write',
  draw(random) {
    const quality = {
      delayMinMs: 1,
      delayMaxMs: random.pick([1000, 2000, 3500]),
      loss: 0.1,
      duplicates: 0,
      late: 0.2,
      lateMaxMs: 4000,
    };
    const updates = Array.from(
      { length: 40 },
      (): PlannedDeed => ({
        atMs: random.integer(FAULTS_FROM_MS, END_MS),
        deed: {
          type: 'client',
          client: random.pick(OWN_CLIENTS),
          does: random.pick(['update', 'update', 'leave', 'return']),
        },
      }),
    );
    return drawCluster(random, {
      nodes: drawNodeCount(random),
      homing: 'any',
      plan: [{ atMs: FAULTS_FROM_MS, deed: { type: 'quality', quality, forMs: END_MS - FAULTS_FROM_MS } }, ...updates],
      activeMs: END_MS,
    });
  },
};

/** F13 */
export const massDeath: Scenario = {
  name: 'F13',
  title: 'a third of all clients vanish in one second',
  draw(random) {
    const deaths = Array.from(
      { length: 16 },
      (_, index): PlannedDeed => ({
        atMs: FAULTS_FROM_MS + random.integer(0, 1000),
        deed: { type: 'client', client: index * 3, does: 'die' },
      }),
    );
    return drawCluster(random, {
      nodes: drawNodeCount(random),
      plan: deaths,
      activeMs: 50_000,
      expects: { harmMsMax: 0, goneAfterMs: 31_500, nobodyDown: true },
    });
  },
};

/** F18 */
export const slowPeer: Scenario = {
  name: 'F18',
  title: 'a node that reads 1 KiB/s',
  draw(random) {
    const nodes = drawNodeCount(random);
    const node = random.integer(0, nodes - 1);
    const slow = { type: 'slow', node, bytesPerSecond: 1024, forMs: 40_000 } as const;
    return drawCluster(random, {
      nodes,
      plan: [{ atMs: FAULTS_FROM_MS, deed: slow }, ...drawChanges(random, FAULTS_FROM_MS, 48_000)],
      activeMs: 50_000,
      expects: { harmMsMax: 0, sparedNode: node },
    });
  },
};

/** F19 */
export const lateBeats: Scenario = {
  name: 'F19',
  title: 'a full beat arrives after the deregistration of its client',
  draw(random) {
    const leaves = OWN_CLIENTS.map(
      (client): PlannedDeed => ({
        atMs: random.integer(FAULTS_FROM_MS, 30_000),
        deed: { type: 'client', client, does: 'leave-with-late-beat' },
      }),
    );
    return drawCluster(random, {
      nodes: drawNodeCount(random),
      plan: leaves,
      activeMs: 70_000,
      // The beat comes up to 2 s later and may be a lease of its own for 30 s.
      expects: { harmMsMax: 0, goneAfterMs: 34_000 },
    });
  },
};
