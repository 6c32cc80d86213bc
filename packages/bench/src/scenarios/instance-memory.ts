// Scenario `instance-memory`: how much resident memory grows per instance when 100,000 of them, without metadata, in
// 10,000 services, are registered and have beaten once. Garbage that the server has not yet collected counts as well:
// from outside there is only what the system sees.
import { setTimeout as sleep } from 'node:timers/promises';
import type { Contender } from '../contender.js';
import { withContenders } from '../contender-group.js';
import { encodeLightBeats, encodeRegistrations, type Population } from '../instance-population.js';
import { runLoad } from '../load-generator.js';
import { readResidentBytes } from '../process-figures.js';
import type { Scenario } from '../scenario.js';
import { spreadOf } from '../spread.js';
import { CONNECTIONS, isOk } from '../throughput-comparison.js';

/** Resident bytes per instance; `--seconds` is the pause before reading, below the 15 s of a lease. */
export const instanceMemoryScenario: Scenario = {
  name: 'instance-memory',
  title: 'Growth of resident memory per instance at 100,000 instances without metadata',
  defaults: { rounds: 3, seconds: 5 },
  run: async (setting) => {
    const population = { prefix: 'bench.memory', instances: setting.scale === 'smoke' ? 100 : 100_000 };
    const values = new Map<string, number[]>();
    const failures: string[] = [];
    for (let round = 0; round < setting.rounds; round++) {
      await withContenders(setting, async ({ servers }) => {
        for (const server of servers) {
          const growth = await measureGrowth(server, population, setting.seconds, failures);
          if (growth !== undefined) values.set(server.name, [...(values.get(server.name) ?? []), growth]);
        }
      });
    }
    const rows = [...values].map(([contender, bytes]) => ({
      figure: 'resident memory per instance',
      contender,
      unit: 'B',
      value: spreadOf(bytes),
    }));
    return { rows, failures };
  },
};

async function measureGrowth(
  server: Contender,
  population: Population,
  pauseSeconds: number,
  failures: string[],
): Promise<number | undefined> {
  const { endpoint, pid } = server;
  if (pid === undefined) return undefined;
  const before = readResidentBytes(pid);
  for (const encode of [encodeRegistrations, encodeLightBeats]) {
    const requests = encode(endpoint, population);
    const stop = { afterRequests: requests.length };
    const result = await runLoad({ endpoint, connections: CONNECTIONS, requests, stop, accepts: isOk });
    if (result.failed > 0) failures.push(`${server.name}: ${result.failed} failures, first: ${result.firstFailure}`);
  }
  await sleep(pauseSeconds * 1000);
  const after = readResidentBytes(pid);
  return before === undefined || after === undefined ? undefined : (after - before) / population.instances;
}
