// Scenario `grpc-push`: one change to 1,000 and to 10,000 gRPC connections that subscribe to one service and acknowledge.
// Times count from the call that makes the change to the arrival in a subscriber, the receiving process included.
import { setTimeout as sleep } from 'node:timers/promises';
import type { Contender } from '../contender.js';
import { withContenders } from '../contender-group.js';
import { GrpcSubscriber, instanceMessage, openSubscribers } from '../grpc-subscriber.js';
import { LatencyHistogram } from '../latency-histogram.js';
import type { FigureRow } from '../round-table.js';
import type { BenchSetting, Scenario } from '../scenario.js';
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

async function measure(
  { endpoint, name }: Contender,
  connections: number,
  setting: BenchSetting,
  failures: string[],
): Promise<FigureRow[]> {
  const serviceName = `bench.grpc.push.${connections}`;
  const change = (version: string) => instanceMessage('registerInstance', { serviceName, ip: '10.0.0.1', version });
  const arrivals = new Arrivals();
  const publishers = await openSubscribers(
    HOSTS + 1,
    () => new GrpcSubscriber(endpoint),
    (publisher, n) =>
      publisher.call(instanceMessage('registerInstance', { serviceName, ip: `10.0.0.${n + 1}`, version: 'v0' })),
    1,
  );
  const [publisher] = publishers as [GrpcSubscriber];
  const subscribers = await openSubscribers(
    connections,
    () => new GrpcSubscriber(endpoint, (list) => arrivals.take(list)),
    (subscriber) => subscriber.subscribe(serviceName),
  );
  const figures: LatencyHistogram[] = [];
  for (let round = 0; round <= setting.rounds; round++) {
    await sleep(PAUSE_MS);
    const arriving = arrivals.expect(`"v${round + 1}"`, connections);
    await publisher.call(change(`v${round + 1}`));
    const latency = await arriving;
    if (latency.count < connections) failures.push(`${name}: ${connections - latency.count} connections got no push`);
    // The first one warms up.
    if (round > 0) figures.push(latency);
  }
  for (const client of [...publishers, ...subscribers]) client.close();
  const row = (figure: string, values: readonly number[]) => ({
    figure: `push to ${connections}, arrival ${figure}`,
    contender: name,
    unit: 'ms',
    value: spreadOf(values),
  });
  return [
    row(
      'p50',
      figures.map((latency) => latency.quantileMs(0.5)),
    ),
    row(
      'p99',
      figures.map((latency) => latency.quantileMs(0.99)),
    ),
    row(
      'last',
      figures.map((latency) => latency.maxMs),
    ),
  ];
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
