// Scenario `udp-push`: one change to 1,000 and to 10,000 UDP subscribers, each with a socket of its own that acknowledges.
// Times count from the start of the change's request to the arrival in a subscriber, the receiving process included.
import { setTimeout as sleep } from 'node:timers/promises';
import type { Contender } from '../contender.js';
import { withContenders } from '../contender-group.js';
import { encodeRegistrations } from '../instance-population.js';
import { runLoad } from '../load-generator.js';
import { PushAudience } from '../push-audience.js';
import type { FigureRow } from '../round-table.js';
import type { BenchSetting, Scenario } from '../scenario.js';
import { spreadOf } from '../spread.js';
import { CONNECTIONS, isOk } from '../throughput-comparison.js';

/** Far beyond any merge window and resend. */
const ARRIVAL_TIMEOUT_MS = 15_000;
/** Between two rounds: acknowledgements are read, windows have ended. */
const PAUSE_MS = 500;

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
  const figures: { p50: number; p99: number; last: number }[] = [];
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
      if (missing > 0) failures.push(`${name}: the change did not reach ${missing} of ${subscribers} subscribers`);
      figures.push({ p50: latency.quantileMs(0.5), p99: latency.quantileMs(0.99), last: latency.maxMs });
    }
  } finally {
    audience.close();
  }
  return (['p50', 'p99', 'last'] as const).map((figure) => ({
    figure: `push to ${subscribers}, arrival ${figure}`,
    contender: name,
    unit: 'ms',
    value: spreadOf(figures.map((round) => round[figure])),
  }));
}
