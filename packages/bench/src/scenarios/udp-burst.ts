// Scenario `udp-burst`: 1,000 changes in 10 s to one service with 100 UDP subscribers. Changes are merged, so far fewer
// datagrams are sent; what counts is how soon after the last change everybody has the newest list.
import type { Contender } from '../contender.js';
import { withContenders } from '../contender-group.js';
import { encodeRegistrations } from '../instance-population.js';
import { runLoad } from '../load-generator.js';
import { runPacedLoad } from '../paced-load.js';
import { PushAudience } from '../push-audience.js';
import type { FigureRow } from '../round-table.js';
import type { BenchSetting, Scenario } from '../scenario.js';
import { CONNECTIONS, isOk } from '../throughput-comparison.js';

const CHANGES_PER_SECOND = 100;
const SETTLE_TIMEOUT_MS = 15_000;

/** Many changes in a short time. */
export const udpBurstScenario: Scenario = {
  name: 'udp-burst',
  title: '1,000 changes in 10 s to a service with 100 UDP subscribers: datagrams, and newest list everywhere',
  defaults: { rounds: 1, seconds: 10 },
  run: (setting) =>
    withContenders(setting, async ({ servers }) => {
      const rows: FigureRow[] = [];
      const failures: string[] = [];
      for (const server of servers) rows.push(...(await measure(server, setting, failures)));
      return { rows, failures };
    }),
};

async function measure(server: Contender, setting: BenchSetting, failures: string[]): Promise<FigureRow[]> {
  const { endpoint, name } = server;
  const subscribers = setting.scale === 'smoke' ? 10 : 100;
  const changes = Math.max(1, Math.floor(CHANGES_PER_SECOND * setting.seconds));
  const population = { prefix: 'bench.burst', instances: 1 };
  const audience = await PushAudience.open(subscribers);
  try {
    const registration = encodeRegistrations(endpoint, population, 'v0');
    const subscriptions = audience.encodeSubscriptions(endpoint, `DEFAULT_GROUP@@${population.prefix}.0`);
    for (const requests of [registration, subscriptions]) {
      const stop = { afterRequests: requests.length };
      const { failed, firstFailure } = await runLoad({
        endpoint,
        connections: CONNECTIONS,
        requests,
        stop,
        accepts: isOk,
      });
      if (failed > 0) failures.push(`${name}: ${failed} failures, first: ${firstFailure}`);
    }
    const requests = Array.from({ length: changes }, (_, n) =>
      encodeRegistrations(endpoint, population, `v${n + 1}`),
    ).flat();
    const load = { endpoint, connections: 1, requests, ratePerSecond: CHANGES_PER_SECOND, seconds: setting.seconds };
    const { failed, firstFailure } = await runPacedLoad({ ...load, accepts: isOk });
    if (failed > 0) failures.push(`${name}: ${failed} changes failed, first: ${firstFailure}`);
    const settleMs = await settle(audience, `v${changes}`);
    if (settleMs === undefined) failures.push(`${name}: ${audience.countWithout(`v${changes}`)} have no newest list`);
    return [
      row(name, 'datagrams per subscriber', '', audience.received / subscribers),
      row(name, 'newest list everywhere after the last answer', 'ms', settleMs ?? SETTLE_TIMEOUT_MS),
    ];
  } finally {
    audience.close();
  }
}

/** Time until everybody has the version, in ms; undefined when that takes too long. */
async function settle(audience: PushAudience, version: string): Promise<number | undefined> {
  const startedAtMs = performance.now();
  while (audience.countWithout(version) > 0) {
    if (performance.now() - startedAtMs > SETTLE_TIMEOUT_MS) return undefined;
    await new Promise(setImmediate);
  }
  return performance.now() - startedAtMs;
}

function row(contender: string, figure: string, unit: string, value: number): FigureRow {
  return { figure, contender, unit, value: { median: value, min: value, max: value } };
}
