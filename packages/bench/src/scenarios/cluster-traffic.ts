// Scenario `cluster-traffic`: what three nodes tell each other while 10,000 instances in 1,000 services beat every 5 s, 2,000
// beats per second, and nothing changes: without clients' beats for a moment, with each client at its node, and with each
// beat at a random node, as the 1.x SDKs do. Frames and bytes are those that the nodes count (handshakes and reports of
// progress included), CPU is read from outside. No instance may be shown unhealthy or missing at any node.
import { setTimeout as sleep } from 'node:timers/promises';
import { HealthSweep } from '../health-sweep.js';
import type { Answer } from '../http-response-reader.js';
import {
  encodeFullBeats,
  encodeLightBeats,
  encodeLists,
  encodeRegistrations,
  type Population,
} from '../instance-population.js';
import { type LoadResult, runLoad } from '../load-generator.js';
import { type PacedResult, runPacedLoad } from '../paced-load.js';
import { readCpuSeconds } from '../process-figures.js';
import { type RollcallCluster, startRollcallCluster } from '../rollcall-cluster.js';
import type { FigureRow } from '../round-table.js';
import type { BenchSetting, Scenario, ScenarioReport } from '../scenario.js';
import { readServerMetric } from '../server-metric.js';
import { isOk } from '../throughput-comparison.js';

const BEAT_INTERVAL_SECONDS = 5;
const CONNECTIONS_PER_NODE = 16;
/** Registrations are sent in so many parts. */
const SET_UP_PARTS = 5;
const EQUAL_TIMEOUT_MS = 60_000;

/** Where clients send their beats. */
type Choice = 'none' | 'own' | 'random';

/** What one part of the run gave. */
interface Part {
  readonly choice: Choice;
  readonly seconds: number;
  readonly frames: number;
  readonly bytes: number;
  /** Share of one core, by node. */
  readonly shares: readonly number[];
  readonly loads: readonly PacedResult[];
}

/** Messages between nodes; `--seconds` is the length of each of the three parts. */
export const clusterTrafficScenario: Scenario = {
  name: 'cluster-traffic',
  title: 'three nodes, 10,000 instances, 2,000 beats/s: messages and bytes between nodes, CPU of each',
  defaults: { rounds: 1, seconds: 30 },
  run: async (setting) => {
    const cluster = await startRollcallCluster();
    try {
      return await runTraffic(cluster, setting);
    } finally {
      await cluster.stop();
    }
  },
};

async function runTraffic(cluster: RollcallCluster, setting: BenchSetting): Promise<ScenarioReport> {
  const population = { prefix: 'bench.cluster', instances: setting.scale === 'smoke' ? 300 : 10_000 };
  const startedAtMs = performance.now();
  const registrations = await registerAll(cluster, population);
  setting.log(
    `  registered, and the same at all nodes, after ${((performance.now() - startedAtMs) / 1000).toFixed(1)} s`,
  );
  const parts: Part[] = [];
  for (const choice of ['none', 'own', 'random'] as const) {
    // Without beats no longer than leases allow.
    const seconds = choice === 'none' ? Math.min(setting.seconds, BEAT_INTERVAL_SECONDS) : setting.seconds;
    const part = await runPart(cluster, population, { choice, seconds });
    parts.push(part);
    setting.log(`  ${choice.padEnd(7)} ${(part.frames / part.seconds).toFixed(1)} frames/s between nodes`);
  }
  const sweep = await sweepAll(cluster, population);
  const rows = [
    ...parts.flatMap(rowsOf),
    row('hosts seen unhealthy or missing', 'random', '', sweep.unhealthy + sweep.missing),
    row('hosts seen', 'random', '', sweep.hosts),
  ];
  return { rows, failures: [...refusedOf('registration', registrations), ...failuresOf(parts, sweep)] };
}

/**
 * Instance `index` registers at node `index % 3`. In parts, after each of which all beat, and beat until all nodes hold the
 * same: the whole may take longer than a lease.
 */
async function registerAll(cluster: RollcallCluster, population: Population): Promise<readonly LoadResult[]> {
  const { nodes } = cluster;
  const lists = nodes.map(({ endpoint }, node) => {
    const isOwn = (_: Buffer, index: number) => index % nodes.length === node;
    return {
      endpoint,
      registrations: encodeRegistrations(endpoint, population).filter(isOwn),
      // Full ones: who was too slow for a lease comes back.
      beats: encodeFullBeats(endpoint, population).filter(isOwn),
    };
  });
  const results: LoadResult[] = [];
  const send = async (kind: 'registrations' | 'beats', from: number, to: number): Promise<void> => {
    const loads = lists.map(({ endpoint, [kind]: all }) => {
      const requests = all.slice(Math.floor(all.length * from), Math.floor(all.length * to));
      const stop = { afterRequests: requests.length };
      const accepts = kind === 'beats' ? isKnownBeat : isOk;
      return runLoad({ endpoint, connections: CONNECTIONS_PER_NODE, requests, stop, accepts });
    });
    results.push(...(await Promise.all(loads)));
  };
  for (let part = 1; part <= SET_UP_PARTS; part++) {
    await send('registrations', (part - 1) / SET_UP_PARTS, part / SET_UP_PARTS);
    await send('beats', 0, part / SET_UP_PARTS);
  }
  const endsAtMs = performance.now() + EQUAL_TIMEOUT_MS;
  while (!(await cluster.areEqual())) {
    if (performance.now() > endsAtMs)
      throw new Error('The three nodes do not hold the same a minute after the last registration');
    await send('beats', 0, 1);
  }
  return results;
}

async function runPart(
  cluster: RollcallCluster,
  population: Population,
  { choice, seconds: plannedSeconds }: { readonly choice: Choice; readonly seconds: number },
): Promise<Part> {
  const before = await readCounters(cluster);
  const startedAtMs = performance.now();
  const loads = await beatFor(cluster, population, { choice, seconds: plannedSeconds });
  const seconds = (performance.now() - startedAtMs) / 1000;
  const after = await readCounters(cluster);
  return {
    choice,
    seconds,
    frames: after.frames - before.frames,
    bytes: after.bytes - before.bytes,
    shares: after.cpuSeconds.map((value, node) => (value - (before.cpuSeconds[node] ?? 0)) / seconds),
    loads,
  };
}

async function beatFor(
  { nodes }: RollcallCluster,
  population: Population,
  { choice, seconds }: { readonly choice: Choice; readonly seconds: number },
): Promise<readonly PacedResult[]> {
  if (choice === 'none') {
    await sleep(seconds * 1000);
    return [];
  }
  const cycles = Math.ceil(seconds / BEAT_INTERVAL_SECONDS);
  const total = Math.ceil((population.instances * seconds) / BEAT_INTERVAL_SECONDS);
  const places = Array.from({ length: cycles }, () => placesOf(population.instances, { choice, nodes: nodes.length }))
    .flat()
    .slice(0, total);
  return Promise.all(
    nodes.map(({ endpoint }, node) => {
      const beats = encodeLightBeats(endpoint, population);
      const requests = places.flatMap((place, beat) => (place === node ? [beats[beat % beats.length] as Buffer] : []));
      const ratePerSecond = requests.length / seconds;
      return runPacedLoad({
        endpoint,
        connections: CONNECTIONS_PER_NODE,
        requests,
        ratePerSecond,
        seconds,
        accepts: isKnownBeat,
      });
    }),
  );
}

/** The node to which each instance beats in one interval. */
function placesOf(
  instances: number,
  { choice, nodes }: { readonly choice: Choice; readonly nodes: number },
): readonly number[] {
  const placeOf = (index: number) => (choice === 'own' ? index % nodes : Math.floor(Math.random() * nodes));
  return Array.from({ length: instances }, (_, index) => placeOf(index));
}

const isKnownBeat = (answer: Answer): boolean => answer.status === 200 && answer.body.includes('10200');

async function readCounters({ nodes }: RollcallCluster) {
  const sumOf = async (sample: string): Promise<number> => {
    const values = await Promise.all(nodes.map((node) => readServerMetric(node, sample)));
    return values.reduce<number>((sum, value) => sum + (value ?? 0), 0);
  };
  return {
    frames: await sumOf('rollcall_peer_frames_sent_total'),
    bytes: await sumOf('rollcall_peer_sent_bytes_total'),
    cpuSeconds: nodes.map(({ pid }) => readCpuSeconds(pid) ?? 0),
  };
}

async function sweepAll({ nodes }: RollcallCluster, population: Population): Promise<HealthSweep> {
  const sweep = new HealthSweep();
  for (const { endpoint } of nodes) {
    const requests = encodeLists(endpoint, population);
    const stop = { afterRequests: requests.length };
    await runLoad({ endpoint, connections: 8, requests, stop, accepts: (answer) => sweep.count(answer) });
  }
  return sweep;
}

function rowsOf({ choice, seconds, frames, bytes, shares, loads }: Part): readonly FigureRow[] {
  const answered = loads.reduce((sum, load) => sum + load.answered, 0);
  return [
    row('beats answered', choice, '/s', answered / seconds),
    row('messages between nodes', choice, '/s', frames / seconds),
    row('bytes between nodes', choice, 'KiB/s', bytes / seconds / 1024),
    ...shares.map((share, node) => row(`node ${node}: share of one core`, choice, '%', share * 100)),
  ];
}

function row(figure: string, contender: string, unit: string, value: number): FigureRow {
  return { figure, contender, unit, value: { median: value, min: value, max: value } };
}

function failuresOf(parts: readonly Part[], { unhealthy, missing, hosts }: HealthSweep): readonly string[] {
  const wrong = unhealthy + missing > 0 ? [`${unhealthy} unhealthy, ${missing} missing of ${hosts} seen`] : [];
  return [...parts.flatMap(({ choice, loads }) => refusedOf(choice, loads)), ...wrong];
}

/** @param loads - one for each node */
function refusedOf(what: string, loads: readonly Pick<LoadResult, 'failed' | 'firstFailure'>[]): readonly string[] {
  return loads.flatMap(({ failed, firstFailure }, node) =>
    failed > 0 ? [`${what}: ${failed} requests failed at node ${node}, first: ${firstFailure}`] : [],
  );
}
