// Deeds drawn at random: what can happen, how often and for how long.

import type { Deed, PlannedDeed } from '../plan.js';
import type { SeededRandom } from '../seeded-random.js';

/** Faults begin when the cluster is up. */
const CALM_START_MS = 6000;
const DEEDS_MIN = 20;
const DEEDS_MAX = 60;

/** Shares of the kinds of deeds in a random history. */
const DEED_WEIGHTS: readonly (readonly [share: number, draw: (random: SeededRandom, size: Size) => Deed])[] = [
  [24, drawUpdate],
  [8, drawLeave],
  [8, drawDeath],
  [14, drawReturn],
  [8, drawCut],
  [6, drawQuality],
  [8, drawCrash],
  [5, drawFreeze],
  [3, drawJump],
  [2, drawSlow],
];

/** What there is to draw from. */
export interface Size {
  readonly nodes: number;
  readonly clients: number;
}

/** Deeds in order of time, up to shortly before `activeMs`. */
export function drawDeeds(random: SeededRandom, size: Size, activeMs: number): PlannedDeed[] {
  const count = random.integer(DEEDS_MIN, DEEDS_MAX);
  const plan = Array.from({ length: count }, () => ({
    atMs: random.integer(CALM_START_MS, activeMs - 1000),
    deed: drawDeed(random, size),
  }));
  return plan.sort((a, b) => a.atMs - b.atMs);
}

function drawDeed(random: SeededRandom, size: Size): Deed {
  const total = DEED_WEIGHTS.reduce((sum, [share]) => sum + share, 0);
  let place = random.integer(1, total);
  for (const [share, draw] of DEED_WEIGHTS) {
    place -= share;
    if (place <= 0) return draw(random, size);
  }
  throw new Error('The shares of deeds do not add up');
}

function drawClient(random: SeededRandom, { clients }: Size): number {
  return random.integer(0, clients - 1);
}

function drawNode(random: SeededRandom, { nodes }: Size): number {
  return random.integer(0, nodes - 1);
}

function drawUpdate(random: SeededRandom, size: Size): Deed {
  return { type: 'client', client: drawClient(random, size), does: 'update' };
}

function drawLeave(random: SeededRandom, size: Size): Deed {
  return { type: 'client', client: drawClient(random, size), does: 'leave' };
}

function drawDeath(random: SeededRandom, size: Size): Deed {
  return { type: 'client', client: drawClient(random, size), does: 'die' };
}

function drawReturn(random: SeededRandom, size: Size): Deed {
  return { type: 'client', client: drawClient(random, size), does: 'return' };
}

function drawCut(random: SeededRandom, { nodes }: Size): Deed {
  const order = random.shuffled(Array.from({ length: nodes }, (_, index) => index));
  const first = random.integer(1, nodes - 1);
  const isOneWay = random.chance(0.3);
  return {
    type: 'cut',
    from: order.slice(0, first),
    // Not always two halves: a third node may see both sides.
    to: order.slice(first, random.integer(first + 1, nodes)),
    ways: isOneWay ? 'one' : 'both',
    clients: random.chance(0.5) ? 'split' : 'free',
    forMs: random.pick([500, 3000, 8000, 20_000, 45_000]),
  };
}

function drawQuality(random: SeededRandom): Deed {
  const quality = {
    delayMinMs: 1,
    delayMaxMs: random.pick([15, 100, 1000]),
    loss: random.pick([0, 0.02, 0.1, 0.3]),
    duplicates: random.pick([0, 0.05, 0.2]),
    late: random.pick([0, 0.05, 0.2]),
    lateMaxMs: random.pick([500, 2000, 5000]),
  };
  return { type: 'quality', quality, forMs: random.pick([2000, 10_000, 30_000]) };
}

function drawCrash(random: SeededRandom, size: Size): Deed {
  return {
    type: 'crash',
    node: drawNode(random, size),
    what: random.pick(['process', 'machine']),
    disk: random.pick(['kept', 'kept', 'lost']),
    forMs: random.pick([500, 3000, 10_000, 20_000, 60_000]),
  };
}

function drawFreeze(random: SeededRandom, size: Size): Deed {
  return {
    type: 'freeze',
    node: drawNode(random, size),
    forMs: random.pick([400, 2000, 5000, 12_000, 25_000, 60_000]),
  };
}

function drawJump(random: SeededRandom, size: Size): Deed {
  return {
    type: 'jump',
    node: drawNode(random, size),
    ms: random.pick([-3_600_000, -5000, -200, 200, 5000, 3_600_000]),
  };
}

function drawSlow(random: SeededRandom, size: Size): Deed {
  return { type: 'slow', node: drawNode(random, size), bytesPerSecond: 1024, forMs: random.pick([5000, 20_000]) };
}
