// Scenario `idle-memory`: resident memory of a server that has answered once and then was left alone.
import { setTimeout as sleep } from 'node:timers/promises';
import type { Contender } from '../contender.js';
import { withContenders } from '../contender-group.js';
import { readResidentBytes } from '../process-figures.js';
import type { Scenario } from '../scenario.js';
import { spreadOf } from '../spread.js';

const MIB = 2 ** 20;

/** Resident memory at rest; `--seconds` is how long it is left alone. */
export const idleMemoryScenario: Scenario = {
  name: 'idle-memory',
  title: 'Resident memory of a server without instances, some seconds after its start',
  defaults: { rounds: 3, seconds: 5 },
  run: async (setting) => {
    const values = new Map<string, number[]>();
    for (let round = 0; round < setting.rounds; round++) {
      await withContenders(setting, async ({ all }) => {
        await sleep(setting.seconds * 1000);
        for (const contender of all) {
          const mib = residentMib(contender);
          if (mib !== undefined) values.set(contender.name, [...(values.get(contender.name) ?? []), mib]);
        }
      });
    }
    const rows = [...values].map(([contender, mib]) => ({
      figure: 'idle resident memory',
      contender,
      unit: 'MiB',
      value: spreadOf(mib),
    }));
    return { rows, failures: rows.length === 0 ? ['memory of a process cannot be read on this system'] : [] };
  },
};

function residentMib({ pid }: Contender): number | undefined {
  const bytes = pid === undefined ? undefined : readResidentBytes(pid);
  return bytes === undefined ? undefined : bytes / MIB;
}
