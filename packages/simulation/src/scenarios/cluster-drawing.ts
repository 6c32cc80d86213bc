// What the scenarios of a cluster have in common: three nodes or five, clients of both kinds, a few changes all the time.

import { type ClockBounds, drawClocks } from '../clock-drawing.js';
import type { Deed, PlannedDeed } from '../plan.js';
import type { HistoryPlan } from '../scenario.js';
import type { SeededRandom } from '../seeded-random.js';

/** Faults begin when all clients are registered. */
export const FAULTS_FROM_MS = 8000;

/** What differs between scenarios. */
export interface ClusterShape extends Omit<HistoryPlan, 'clocks' | 'beatClients' | 'streamClients' | 'homing'> {
  readonly homing?: HistoryPlan['homing'];
  readonly clocks?: ClockBounds;
  readonly nodes: number;
}

/** Three nodes mostly. */
export function drawNodeCount(random: SeededRandom): number {
  return random.pick([3, 3, 3, 5]);
}

/** A history of a cluster with the usual clients. */
export function drawCluster(
  random: SeededRandom,
  { nodes, clocks, homing = 'mixed', ...rest }: ClusterShape,
): HistoryPlan {
  return {
    clocks: drawClocks(random, nodes, clocks),
    beatClients: CLIENTS.beats,
    streamClients: CLIENTS.streams,
    homing,
    ...rest,
    plan: [...rest.plan].sort((a, b) => a.atMs - b.atMs),
  };
}

/** 1.x clients of a history; they are the first ones. */
export const BEAT_CLIENTS = 36;
const CLIENTS = { beats: BEAT_CLIENTS, streams: 12 };
/** Clients that never leave in changes drawn here: scenarios do things to them. */
const RESERVED_CLIENTS = 6;

/** Clients for scenarios to deal with themselves: 1.x ones, the first of them. */
export const OWN_CLIENTS: readonly number[] = Array.from({ length: RESERVED_CLIENTS }, (_, index) => index);

/** Changes that clients make: updates, goodbyes, deaths, returns, one about each second. */
export function drawChanges(random: SeededRandom, fromMs: number, toMs: number): PlannedDeed[] {
  const count = Math.floor((toMs - fromMs) / 1000);
  return Array.from({ length: count }, () => ({ atMs: random.integer(fromMs, toMs), deed: drawChange(random) }));
}

function drawChange(random: SeededRandom): Deed {
  const client = random.integer(RESERVED_CLIENTS, CLIENTS.beats + CLIENTS.streams - 1);
  return { type: 'client', client, does: random.pick(['update', 'update', 'leave', 'die', 'return', 'return']) };
}

/** The nodes in random order, in two parts that are not empty. */
export function drawHalves(random: SeededRandom, nodes: number): [one: number[], other: number[]] {
  const order = random.shuffled(Array.from({ length: nodes }, (_, index) => index));
  const size = random.integer(1, nodes - 1);
  return [order.slice(0, size), order.slice(size)];
}
