// The clients of a history. All of them start in its first seconds; what they do later is in the plan.

import { BEAT_TIMEOUT_KEY, DELETE_TIMEOUT_KEY } from '@rollcall/protocol';
import { BeatClient } from './clients/beat-client.js';
import type { SimClient } from './clients/sim-client.js';
import { StreamClient } from './clients/stream-client.js';
import type { HistoryPlan } from './scenario.js';
import type { SeededRandom } from './seeded-random.js';
import { type SimKey, servicesOf } from './sim-key.js';
import type { StreamSessions } from './stream-sessions.js';
import type { World } from './world.js';

const START_MS_MAX = 4000;
const SUBSCRIPTIONS_MAX = 3;
/** How long it takes until a client sees that the process at the other end has gone. */
const BREAK_MS = 5;

/** The clients, and where they are cut off. */
export interface Workload {
  readonly clients: readonly (SimClient & { readonly side: number })[];
  readonly streamClients: readonly StreamClient[];
}

/** Makes the clients of a history and lets them start. */
export function makeWorkload(world: World, sessions: StreamSessions, shape: HistoryPlan): Workload {
  const random = world.random.fork('workload');
  const beatClients = world.keys.slice(0, shape.beatClients).map((key) => makeBeatClient(world, shape, key));
  const streamClients = world.keys
    .slice(shape.beatClients)
    .map((key) => makeStreamClient(world, sessions, random.fork(`client ${key.index}`), key));
  breakWithNodes(world, streamClients);
  const clients = [...beatClients, ...streamClients];
  for (const client of clients) world.queue.at(random.integer(0, START_MS_MAX), () => client.start());
  return {
    clients: clients.map((client) => Object.assign(client, { side: sideOf(world, client.key) })),
    streamClients,
  };
}

/** Node of a client: the one it prefers, and the one with which it is cut off. */
function sideOf(world: World, key: SimKey): number {
  return key.index % world.nodes.length;
}

function makeBeatClient(world: World, { homing, leases }: HistoryPlan, key: SimKey): BeatClient {
  const random = world.random.fork(`client ${key.index}`);
  const isAtHome = homing === 'own' || (homing === 'mixed' && random.chance(0.5));
  return new BeatClient(world, {
    name: `c${key.index}`,
    key,
    random,
    home: isAtHome ? sideOf(world, key) : undefined,
    beats: random.chance(0.3) ? 'full' : 'light',
    lease: leases === 'own' ? drawLease(random) : new Map(),
  });
}

/** A lease with times that are not the usual ones: longer than beats are apart, removed no later than usual. */
function drawLease(random: SeededRandom): Map<string, string> {
  const [beatTimeoutMs, deleteTimeoutMs] = random.pick([
    [7000, 9000],
    [8000, 30_000],
    [12_000, 20_000],
    [20_000, 25_000],
  ]) as [number, number];
  return new Map([
    [BEAT_TIMEOUT_KEY, String(beatTimeoutMs)],
    [DELETE_TIMEOUT_KEY, String(deleteTimeoutMs)],
  ]);
}

function makeStreamClient(world: World, sessions: StreamSessions, random: SeededRandom, key: SimKey): StreamClient {
  const services = random.shuffled(servicesOf(world.keys)).slice(0, random.integer(1, SUBSCRIPTIONS_MAX));
  return new StreamClient(world, {
    name: `c${key.index}`,
    key,
    random,
    home: sideOf(world, key),
    sessions,
    subscriptions: services,
  });
}

/** When a process ends, its machine ends its connections; when the machine goes, nobody is told. */
function breakWithNodes(world: World, clients: readonly StreamClient[]): void {
  world.crashListeners.push((node) => {
    if (!node.refuses) return;
    for (const client of clients) {
      const { connection } = client;
      if (client.node === node && connection !== undefined)
        world.queue.after(BREAK_MS, () => client.broken(connection));
    }
  });
}
