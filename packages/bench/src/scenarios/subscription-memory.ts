// Scenario `subscription-memory`: how much resident memory grows per UDP subscription when there are 100,000 of them on
// five services. Garbage that the server has not yet collected counts as well.
import { setTimeout as sleep } from 'node:timers/promises';
import { withContenders } from '../contender-group.js';
import { encodeList } from '../instance-population.js';
import { runLoad } from '../load-generator.js';
import { readResidentBytes } from '../process-figures.js';
import type { Scenario } from '../scenario.js';
import { spreadOf } from '../spread.js';
import { CONNECTIONS, isOk } from '../throughput-comparison.js';

const SERVICES = 5;
const LOWEST_PORT = 1024;

/** Resident bytes per subscription; `--seconds` is the pause before reading, well below the 70 s of their life. */
export const subscriptionMemoryScenario: Scenario = {
  name: 'subscription-memory',
  title: 'Growth of resident memory per UDP subscription at 100,000 subscriptions',
  defaults: { rounds: 3, seconds: 5 },
  run: async (setting) => {
    const subscriptions = setting.scale === 'smoke' ? 100 : 100_000;
    const values = new Map<string, number[]>();
    const failures: string[] = [];
    for (let round = 0; round < setting.rounds; round++) {
      await withContenders(setting, async ({ servers }) => {
        for (const { name, endpoint, pid } of servers) {
          const before = pid === undefined ? undefined : readResidentBytes(pid);
          const requests = Array.from({ length: subscriptions }, (_, n) =>
            encodeList(endpoint, `bench.subscribed.${n % SERVICES}`, LOWEST_PORT + Math.floor(n / SERVICES)),
          );
          const stop = { afterRequests: requests.length };
          const result = await runLoad({ endpoint, connections: CONNECTIONS, requests, stop, accepts: isOk });
          if (result.failed > 0) failures.push(`${name}: ${result.failed} failures, first: ${result.firstFailure}`);
          await sleep(setting.seconds * 1000);
          const after = pid === undefined ? undefined : readResidentBytes(pid);
          if (before === undefined || after === undefined) continue;
          values.set(name, [...(values.get(name) ?? []), (after - before) / subscriptions]);
        }
      });
    }
    const rows = [...values].map(([contender, bytes]) => ({
      figure: 'resident memory per subscription',
      contender,
      unit: 'B',
      value: spreadOf(bytes),
    }));
    return { rows, failures };
  },
};
