// Scenario `client-beats`: what it costs a process to keep 1,000 instances registered, our client and npm `nacos` in turn
// against one server of ours. The share of a core is read over several beats of every instance.
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { setTimeout as sleep } from 'node:timers/promises';
import { fileURLToPath } from 'node:url';
import { stopChildServer } from '../child-server.js';
import { withContenders } from '../contender-group.js';
import { readCpuSeconds } from '../process-figures.js';
import type { FigureRow } from '../round-table.js';
import type { BenchSetting, Scenario, ScenarioReport } from '../scenario.js';
import { spreadOf } from '../spread.js';

const PROGRAM = fileURLToPath(new URL('../client-beats.js', import.meta.url));
const CLIENTS = ['rollcall', 'nacos'] as const;
/** npm `nacos` beats for the first time after up to 10 s. */
const SETTLE_MS = 15_000;

/** Beats of many instances; `--seconds` is how long each client is watched. */
export const clientBeatsScenario: Scenario = {
  name: 'client-beats',
  title: '1,000 instances kept by one process: share of a core, our client and npm nacos',
  defaults: { rounds: 2, seconds: 20 },
  run: (setting) => withContenders(setting, ({ rollcall }) => runBeats(rollcall.endpoint.port, setting)),
};

async function runBeats(port: number, setting: BenchSetting): Promise<ScenarioReport> {
  const shares = new Map<string, number[]>(CLIENTS.map((name) => [name, []]));
  for (let round = 0; round < setting.rounds; round++) {
    for (const name of CLIENTS) {
      const share = await shareOf(name, port, setting);
      shares.get(name)?.push(share);
      setting.log(`  ${name.padEnd(8)} ${share.toFixed(2)} % of a core`);
    }
  }
  const rows = [...shares].map(
    ([contender, values]): FigureRow => ({
      figure: 'share of one core',
      contender,
      unit: '%',
      value: spreadOf(values),
    }),
  );
  return { rows, failures: [] };
}

async function shareOf(name: string, port: number, setting: BenchSetting): Promise<number> {
  const instances = setting.scale === 'smoke' ? 20 : 1000;
  const child = spawn(process.execPath, [PROGRAM, name, String(port), String(instances)], {
    stdio: ['ignore', 'ignore', 'inherit', 'ipc'],
  });
  try {
    await once(child, 'message');
    await sleep(setting.scale === 'smoke' ? 0 : SETTLE_MS);
    const before = readCpuSeconds(child.pid as number) ?? 0;
    await sleep(setting.seconds * 1000);
    return (((readCpuSeconds(child.pid as number) ?? 0) - before) / setting.seconds) * 100;
  } finally {
    await stopChildServer(child);
  }
}
