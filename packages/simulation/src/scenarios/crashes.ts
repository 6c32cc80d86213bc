// F4, F5, F6, F12: nodes end and come back, with and without a word.

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

/** F5. In each fourth history it stands still while its first copy comes, in messages of ten records. */
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
    const backAtMs = FAULTS_FROM_MS + forMs;
    const plan: PlannedDeed[] = [{ atMs: FAULTS_FROM_MS, deed: crash }];
    const haltMs = random.chance(0.25) ? random.integer(5000, 30_000) : 0;
    if (haltMs > 0)
      plan.push({
        atMs: backAtMs + random.integer(1, 40),
        deed: { type: 'freeze', node: crash.node, forMs: haltMs },
      });
    const endMs = backAtMs + haltMs + 15_000;
    return drawCluster(random, {
      nodes,
      plan: [...plan, ...drawChanges(random, FAULTS_FROM_MS, endMs)],
      activeMs: endMs,
      ...(haltMs > 0 && { replication: { chunkRecords: 10 } }),
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

/** As F6, in order: each node says goodbye before it ends. */
export const goodbyes: Scenario = {
  name: 'leave',
  title: 'all nodes stop in order, one after the other, and come back',
  draw(random) {
    const nodes = drawNodeCount(random);
    const gapMs = random.integer(9000, 20_000);
    const plan = Array.from(
      { length: nodes },
      (_, node): PlannedDeed => ({
        atMs: FAULTS_FROM_MS + node * gapMs,
        deed: { type: 'leave', node, forMs: random.integer(500, 8000) },
      }),
    );
    const endMs = FAULTS_FROM_MS + nodes * gapMs + 10_000;
    return drawCluster(random, {
      nodes,
      plan: [...plan, ...drawChanges(random, FAULTS_FROM_MS, Math.min(endMs, 60_000))],
      activeMs: endMs,
      expects: { harmMsMax: 0 },
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

/**
 * F14, in small: messages of ten records, so that a copy takes many of them. A node that lost its disk starts to copy, is cut
 * off half-way, twice; readers get no list from it until it has all.
 */
export const brokenCopy: Scenario = {
  name: 'F14',
  title: 'the first copy of a node that starts is cut off half-way, twice',
  draw(random) {
    const nodes = drawNodeCount(random);
    const node = random.integer(0, nodes - 1);
    const others = Array.from({ length: nodes }, (_, index) => index).filter((index) => index !== node);
    const downMs = random.integer(8000, 20_000);
    const backAtMs = FAULTS_FROM_MS + downMs;
    const cut = { type: 'cut', from: [node], to: others, ways: 'both', clients: 'free' } as const;
    const plan: PlannedDeed[] = [
      { atMs: FAULTS_FROM_MS, deed: { type: 'crash', node, what: 'process', disk: 'lost', forMs: downMs } },
      { atMs: backAtMs + random.integer(3, 30), deed: { ...cut, forMs: random.integer(500, 2500) } },
      { atMs: backAtMs + random.integer(2600, 3500), deed: { ...cut, forMs: random.integer(500, 2500) } },
    ];
    return drawCluster(random, {
      nodes,
      plan: [...plan, ...drawChanges(random, FAULTS_FROM_MS, backAtMs)],
      activeMs: backAtMs + 10_000,
      replication: { chunkRecords: 10 },
      expects: { harmMsMax: 0 },
    });
  },
};

/** F16 */
export const twins: Scenario = {
  name: 'F16',
  title: 'a second process starts with the address of a node',
  draw(random) {
    const nodes = drawNodeCount(random);
    const node = random.integer(0, nodes - 1);
    const twin = { type: 'twin', node, forMs: 20_000 } as const;
    return drawCluster(random, {
      nodes,
      plan: [{ atMs: random.integer(35_000, 45_000), deed: twin }],
      activeMs: 70_000,
      expects: { twins: true },
    });
  },
};
