// Scenario `grpc-push`: one change to 1,000 and to 10,000 gRPC connections that subscribe to one service and acknowledge.
// Times count from the call that makes the change to the arrival in a subscriber, the receiving process included; our server
// tells when it had written the last byte. What each side cost in CPU time says whose the time was.
import { setTimeout as sleep } from 'node:timers/promises';
import type { Contender } from '../contender.js';
import { withContenders } from '../contender-group.js';
import { GrpcSubscriber, instanceMessage, openSubscribers } from '../grpc-subscriber.js';
import { LatencyHistogram } from '../latency-histogram.js';
import { ProcessTimes } from '../process-times.js';
import type { FigureRow } from '../round-table.js';
import type { BenchSetting, Scenario } from '../scenario.js';
import { readServerMetric } from '../server-metric.js';
import { spreadOf } from '../spread.js';

const ARRIVAL_TIMEOUT_MS = 15_000;
/** Between two changes: acknowledgements are read, windows have ended. */
const PAUSE_MS = 1000;
/** Hosts in the service besides the one that changes: a list of 2 KB. */
const HOSTS = 9;

/** One change to many connections. */
export const grpcPushScenario: Scenario = {
  name: 'grpc-push',
  title: 'One change to 1,000 and to 10,000 gRPC connections: time until it has arrived',
  defaults: { rounds: 7, seconds: 1 },
  run: (setting) =>
    withContenders(setting, async ({ servers }) => {
      const rows: FigureRow[] = [];
      const failures: string[] = [];
      for (const connections of setting.scale === 'smoke' ? [10, 50] : [1000, 10_000]) {
        for (const server of servers) rows.push(...(await measure(server, connections, setting, failures)));
      }
      return { rows, failures };
    }),
};

const FIGURES = [
  'arrival p50',
  'arrival p99',
  'arrival last',
  'last byte written',
  'CPU server',
  'CPU receiver',
  'server waited for its core',
  'receiver waited for its core',
] as const;

type Round = Readonly<Record<(typeof FIGURES)[number], number>>;

async function measure(
  server: Contender,
  connections: number,
  setting: BenchSetting,
  failures: string[],
): Promise<FigureRow[]> {
  const { endpoint, name } = server;
  const serviceName = `bench.grpc.push.${connections}`;
  const arrivals = new Arrivals();
  const publishers = await openSubscribers(
    HOSTS + 1,
    () => new GrpcSubscriber(endpoint),
    (publisher, n) => publisher.call(registration(serviceName, `10.0.0.${n + 1}`, 'v0')),
    1,
  );
  const [publisher] = publishers as [GrpcSubscriber];
  const subscribers = await openSubscribers(
    connections,
    () => new GrpcSubscriber(endpoint, (list) => arrivals.take(list)),
    (subscriber) => subscriber.subscribe(serviceName),
  );
  const rounds: Round[] = [];
  // The first one warms up.
  for (let round = 0; round <= setting.rounds; round++) {
    const version = `v${round + 1}`;
    const change = () => publisher.call(registration(serviceName, '10.0.0.1', version));
    const arriving = () => arrivals.expect(`"${version}"`, connections);
    const { missing, ...figures } = await oneRound(server, { connections, change, arriving });
    if (missing > 0) failures.push(`${name}: ${missing} connections got no push`);
    if (round > 0) rounds.push(figures);
  }
  for (const client of [...publishers, ...subscribers]) client.close();
  return FIGURES.flatMap((figure) => {
    const values = rounds.map((round) => round[figure]).filter((value) => !Number.isNaN(value));
    if (values.length === 0) return [];
    return [{ figure: `push to ${connections}, ${figure}`, contender: name, unit: 'ms', value: spreadOf(values) }];
  });
}

async function oneRound(
  server: Contender,
  plan: {
    readonly connections: number;
    readonly change: () => Promise<unknown>;
    readonly arriving: () => Promise<LatencyHistogram>;
  },
): Promise<Round & { readonly missing: number }> {
  await sleep(PAUSE_MS);
  const times = new ProcessTimes(server);
  const arriving = plan.arriving();
  await plan.change();
  const latency = await arriving;
  const waited = times.waited();
  // The last acknowledgements are read, and the history is written.
  await sleep(PAUSE_MS);
  const cpu = times.cpu();
  return {
    missing: plan.connections - latency.count,
    ...arrivalOf(latency),
    'last byte written': await lastWrittenMs(server),
    'CPU server': cpu.server,
    'CPU receiver': cpu.self,
    'server waited for its core': waited.server,
    'receiver waited for its core': waited.self,
  };
}

function registration(serviceName: string, ip: string, version: string): Buffer {
  return instanceMessage('registerInstance', { serviceName, ip, version });
}

function arrivalOf(latency: LatencyHistogram): Pick<Round, 'arrival p50' | 'arrival p99' | 'arrival last'> {
  return {
    'arrival p50': latency.quantileMs(0.5),
    'arrival p99': latency.quantileMs(0.99),
    'arrival last': latency.maxMs,
  };
}

async function lastWrittenMs(server: Contender): Promise<number> {
  return ((await readServerMetric(server, 'rollcall_grpc_last_round_seconds')) ?? Number.NaN) * 1000;
}

/** Waits until a version has reached everybody. */
class Arrivals {
  #version: Buffer = Buffer.alloc(0);
  #latency = new LatencyHistogram();
  #startedAtMs = 0;
  #expected = 0;
  #done: () => void = () => undefined;

  /** Starts the clock. @param version - text that only the awaited list has */
  expect(version: string, count: number): Promise<LatencyHistogram> {
    this.#version = Buffer.from(version);
    this.#latency = new LatencyHistogram();
    this.#expected = count;
    this.#startedAtMs = performance.now();
    return new Promise((resolve) => {
      const timer = setTimeout(() => this.#done(), ARRIVAL_TIMEOUT_MS);
      this.#done = () => {
        clearTimeout(timer);
        resolve(this.#latency);
      };
    });
  }

  take(list: Buffer): void {
    if (!list.includes(this.#version)) return;
    this.#latency.record(performance.now() - this.#startedAtMs);
    if (this.#latency.count === this.#expected) this.#done();
  }
}
