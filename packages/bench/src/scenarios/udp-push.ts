// Scenario `udp-push`: one change to 1,000 and to 10,000 UDP subscribers, each with a socket of its own that acknowledges.
// Times count from the start of the change's request to the arrival in a subscriber, the receiving process included; how
// soon the last datagram had been sent is told by the server itself.
import { setTimeout as sleep } from 'node:timers/promises';
import type { Contender } from '../contender.js';
import { withContenders } from '../contender-group.js';
import { encodeRegistrations } from '../instance-population.js';
import { runLoad } from '../load-generator.js';
import { PushAudience } from '../push-audience.js';
import type { FigureRow } from '../round-table.js';
import type { BenchSetting, Scenario } from '../scenario.js';
import { readServerMetric } from '../server-metric.js';
import { spreadOf } from '../spread.js';
import { CONNECTIONS, isOk } from '../throughput-comparison.js';

/** Far beyond any merge window and resend. */
const ARRIVAL_TIMEOUT_MS = 15_000;
/** Between two rounds: acknowledgements are read, windows have ended. */
const PAUSE_MS = 500;
const FIGURES = ['arrival p50', 'arrival p99', 'arrival last', 'last sent'] as const;

/** One change to many subscribers. */
export const udpPushScenario: Scenario = {
  name: 'udp-push',
  title: 'One change to 1,000 and to 10,000 UDP subscribers: time until it has arrived',
  defaults: { rounds: 10, seconds: 1 },
  run: (setting) =>
    withContenders(setting, async ({ servers }) => {
      const rows: FigureRow[] = [];
      const failures: string[] = [];
      for (const subscribers of setting.scale === 'smoke' ? [10, 50] : [1000, 10_000]) {
        for (const server of servers) rows.push(...(await measure(server, subscribers, setting, failures)));
      }
      return { rows, failures };
    }),
};

async function measure(
  server: Contender,
  subscribers: number,
  setting: BenchSetting,
  failures: string[],
): Promise<FigureRow[]> {
  const { endpoint, name } = server;
  const population = { prefix: `bench.push.${subscribers}`, instances: 1 };
  const audience = await PushAudience.open(subscribers);
  const send = async (requests: readonly Buffer[], connections: number): Promise<void> => {
    const result = await runLoad({
      endpoint,
      connections,
      requests,
      stop: { afterRequests: requests.length },
      accepts: isOk,
    });
    if (result.failed > 0) failures.push(`${name}: ${result.failed} failures, first: ${result.firstFailure}`);
  };
  const figures: Record<(typeof FIGURES)[number], number>[] = [];
  try {
    await send(encodeRegistrations(endpoint, population, 'v0'), 1);
    const subscriptions = audience.encodeSubscriptions(endpoint, `DEFAULT_GROUP@@${population.prefix}.0`);
    for (let round = 1; round <= setting.rounds; round++) {
      await send(subscriptions, CONNECTIONS);
      await sleep(PAUSE_MS);
      const version = `v${round}`;
      const startedAtMs = performance.now();
      const arriving = audience.arrival(version, startedAtMs, ARRIVAL_TIMEOUT_MS);
      await send(encodeRegistrations(endpoint, population, version), 1);
      const { latency, missing } = await arriving;
      if (missing > 0) {
        const known = await countSubscribers(server, `${population.prefix}.0`);
        failures.push(
          `${name}: the change did not reach ${missing} of ${subscribers}; the server knew ${known} of them`,
        );
      }
      const sentSeconds = (await readServerMetric(server, 'rollcall_udp_last_round_seconds')) ?? Number.NaN;
      figures.push({
        'arrival p50': latency.quantileMs(0.5),
        'arrival p99': latency.quantileMs(0.99),
        'arrival last': latency.maxMs,
        'last sent': sentSeconds * 1000,
      });
    }
  } finally {
    audience.close();
  }
  return FIGURES.flatMap((figure) => {
    const values = figures.map((round) => round[figure]).filter((value) => !Number.isNaN(value));
    if (values.length === 0) return [];
    return [{ figure: `push to ${subscribers}, ${figure}`, contender: name, unit: 'ms', value: spreadOf(values) }];
  });
}

/** Who asked longer than 30 s ago is forgotten, which a round that took long explains. */
async function countSubscribers({ endpoint }: Contender, serviceName: string): Promise<number> {
  const { host, port, contextPath } = endpoint;
  const query = new URLSearchParams({ serviceName, pageNo: '1', pageSize: '1' });
  const answer = await fetch(`http://${host}:${port}${contextPath}/v1/ns/service/subscribers?${query}`);
  return ((await answer.json()) as { readonly count: number }).count;
}
