// Scenario `startup`: from the spawn of the process to its first complete answer, on an empty data directory. The
// baseline is a Node process that only accepts a connection: what Node itself takes.
import { startBaseline } from '../baseline-server.js';
import { openPeer } from '../peer-server.js';
import { startRollcall } from '../rollcall-server.js';
import type { FigureRow } from '../round-table.js';
import type { BenchSetting, Scenario } from '../scenario.js';
import { spreadOf } from '../spread.js';

/** Time from start to first answer. */
export const startupScenario: Scenario = {
  name: 'startup',
  title: 'From the start of the process to its first answer, empty data directory',
  defaults: { rounds: 15, seconds: 1 },
  run: async (setting) => {
    const times = new Map<string, number[]>();
    for (let round = 0; round < setting.rounds; round++) {
      for (const [name, start] of starters(setting)) {
        const started = await start();
        await started.stop();
        if (started.firstAnswerMs !== undefined) times.set(name, [...(times.get(name) ?? []), started.firstAnswerMs]);
      }
    }
    return { rows: rowsOf(times), failures: [] };
  },
};

type Start = () => Promise<{ readonly firstAnswerMs: number | undefined; stop(): Promise<void> }>;

function starters({ peer }: BenchSetting): readonly (readonly [string, Start])[] {
  return [
    ['rollcall', startRollcall],
    ['bare-tcp', startBaseline],
    ...(peer?.kind === 'command' ? ([['peer', () => openPeer(peer)]] as const) : []),
  ];
}

function rowsOf(times: ReadonlyMap<string, readonly number[]>): readonly FigureRow[] {
  return [...times].map(([contender, values]) => ({
    figure: 'first answer',
    contender,
    unit: 'ms',
    value: spreadOf(values),
  }));
}
