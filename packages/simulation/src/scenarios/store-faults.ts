// F15: the shared store fails in all its ways, nodes crash and are cut off from each other, and operators go on.

import { drawClocks } from '../clock-drawing.js';
import type { Deed, PlannedDeed } from '../plan.js';
import type { HistoryPlan, Scenario } from '../scenario.js';
import type { SeededRandom } from '../seeded-random.js';
import { INSTANCES, NAMESPACES, SERVICES, type StoreDeed } from '../store/store-deed.js';
import { drawHalves, drawNodeCount } from './cluster-drawing.js';
import { drawDeeds } from './random-deeds.js';

const ACTIVE_MS = 90_000;
const FROM_MS = 3000;
const FAULTS_MIN = 3;
const FAULTS_MAX = 12;
const REQUESTS_MIN = 30;
const REQUESTS_MAX = 80;
/** Share of histories in which all requests are about the same records: what one node writes meets what another one does. */
const NARROW_SHARE = 0.3;
/** Share of requests that are made at all nodes at one time. */
const COMPETING_SHARE = 0.25;
const COMPETING_MS_MAX = 10;

const PLACES = { namespace: NAMESPACES, service: SERVICES, instance: INSTANCES, edit: INSTANCES } as const;

/** What requests are about. */
interface Topic {
  readonly records: readonly StoreDeed['record'][];
  /** How many places for each kind of record. */
  readonly places: number;
  /** How many times as many requests as elsewhere. */
  readonly haste: number;
}

/** Where nodes meet, much is in doubt. */
const LONG_DOUBT: PlannedDeed = {
  atMs: 10_000,
  deed: { type: 'store-trouble', trouble: 'unknown-outcomes', forMs: 60_000 },
};

/** What can happen to nodes and clients here. */
const OTHER_DEEDS: ReadonlySet<Deed['type']> = new Set(['client', 'cut', 'crash', 'freeze', 'jump']);

/** F15 */
export const storeFaults: Scenario = {
  name: 'F15',
  title:
    'the shared store: no quorum, compaction, unknown outcomes, nodes cut off from it; operators at work at any node',
  draw: (random) => drawStoreHistory(random, ['namespace', 'service', 'instance', 'instance', 'edit']),
};

/**
 * The same without durable instances, whose probes and memories are deadlines among those of ephemeral ones: which of two things
 * comes first that are due at one instant may then depend on them.
 */
export const storeApart: Scenario = {
  name: 'apart',
  title: 'the shared store fails in all its ways: ephemeral instances are as they are without one',
  comparesStores: true,
  draw: (random) => drawStoreHistory(random, ['namespace']),
};

function drawStoreHistory(random: SeededRandom, records: readonly StoreDeed['record'][]): HistoryPlan {
  const nodes = drawNodeCount(random);
  const beatClients = random.integer(10, 16);
  const streamClients = random.integer(3, 6);
  const topic = drawTopic(random.fork('topic'), records);
  const others = drawDeeds(random, { nodes, clients: beatClients + streamClients }, ACTIVE_MS);
  const plan = [
    ...others.filter(({ deed }) => OTHER_DEEDS.has(deed.type)),
    ...repeat(random.integer(FAULTS_MIN, FAULTS_MAX), () => [at(random, drawFault(random, nodes))]),
    ...repeat(random.integer(REQUESTS_MIN, REQUESTS_MAX) * topic.haste, () => drawRequests(random, nodes, topic)),
    ...(topic.places > 1 ? [] : [LONG_DOUBT]),
  ];
  return {
    // Clocks of one speed keep events of the store apart from those of registries (`node-process.ts`).
    clocks: drawClocks(random, nodes, { driftPpmMax: 0, offsetMsMax: 100 }),
    beatClients,
    streamClients,
    homing: 'mixed',
    store: 'shared',
    plan: plan.sort((a, b) => a.atMs - b.atMs),
    activeMs: ACTIVE_MS,
  };
}

function drawTopic(random: SeededRandom, records: readonly StoreDeed['record'][]): Topic {
  return random.chance(NARROW_SHARE)
    ? { records: [random.pick(records)], places: 1, haste: 2 }
    : { records, places: INSTANCES, haste: 1 };
}

function repeat(count: number, draw: () => PlannedDeed[]): PlannedDeed[] {
  return Array.from({ length: count }, draw).flat();
}

function at(random: SeededRandom, deed: Deed): PlannedDeed {
  return { atMs: random.integer(FROM_MS, ACTIVE_MS - 1000), deed };
}

function drawFault(random: SeededRandom, nodes: number): Deed {
  const forMs = random.pick([300, 2000, 5000, 16_000, 40_000]);
  switch (random.integer(0, 3)) {
    case 0: {
      const [some] = drawHalves(random, nodes);
      return { type: 'store-cut', nodes: some, how: random.pick(['refused', 'silent'] as const), forMs };
    }
    case 1:
      return { type: 'store-event', does: random.pick(['compact', 'compact', 'break-watches'] as const) };
    default: {
      const trouble = random.pick([
        'no-quorum',
        'no-room',
        'unknown-outcomes',
        'unknown-outcomes',
        'late-watches',
        'late-watches',
      ] as const);
      return { type: 'store-trouble', trouble, forMs };
    }
  }
}

/** One request at one node, or the same at all nodes within a moment. */
function drawRequests(random: SeededRandom, nodes: number, { records, places }: Topic): PlannedDeed[] {
  const deed = drawRequest(random, random.pick(records), places);
  const first = at(random, { type: 'operate', node: random.integer(0, nodes - 1), ...deed });
  if (!random.chance(COMPETING_SHARE)) return [first];
  return Array.from({ length: nodes }, (_, node) => ({
    atMs: first.atMs + random.integer(0, COMPETING_MS_MAX),
    deed: { type: 'operate', node, ...deed },
  }));
}

function drawRequest(random: SeededRandom, record: StoreDeed['record'], places: number): StoreDeed {
  const does = random.pick(['create', 'create', 'change', 'remove'] as const);
  return { record, which: random.integer(0, Math.min(places, PLACES[record]) - 1), does };
}
