// Rounds: every contender is measured once per round, each round starting with another one, so that a slow minute of
// the machine hits all alike. Results are compared round by round, and reported as medians with their spread.
import { loadavg } from 'node:os';
import type { Contender, ContenderName } from './contender.js';
import { readCpuSeconds } from './process-figures.js';
import { ratiosOf, type Spread, spreadOf } from './spread.js';

/** What one contender did in one round. */
export interface RoundFigures {
  /** Right answers per second. */
  readonly ratePerSecond: number;
  /** Right answers per second of CPU time that the server used; undefined when its process cannot be seen. */
  readonly ratePerCpuSecond: number | undefined;
  readonly p50Ms: number;
  readonly p99Ms: number;
}

/** All rounds of all contenders. */
export interface RoundTable {
  readonly rounds: ReadonlyMap<ContenderName, readonly RoundFigures[]>;
}

/** One line of a report: a figure of one contender. */
export interface FigureRow {
  readonly figure: string;
  readonly contender: string;
  readonly unit: string;
  readonly value: Spread;
}

/** The load of one round on one contender. */
export type MeasureRound = (contender: Contender) => Promise<{
  readonly answered: number;
  readonly seconds: number;
  readonly ratePerSecond: number;
  readonly latency: { quantileMs(share: number): number };
}>;

/** Measures all contenders in alternating rounds. */
export async function runRounds(
  contenders: readonly Contender[],
  rounds: number,
  measure: MeasureRound,
  log: (line: string) => void,
): Promise<RoundTable> {
  const table = new Map<ContenderName, RoundFigures[]>(contenders.map(({ name }) => [name, []]));
  for (let round = 0; round < rounds; round++) {
    const first = round % contenders.length;
    for (const contender of [...contenders.slice(first), ...contenders.slice(0, first)]) {
      const figures = await measureOnce(contender, measure);
      table.get(contender.name)?.push(figures);
      log(
        `  round ${round + 1}/${rounds} ${contender.name.padEnd(8)} ${Math.round(figures.ratePerSecond)}/s (load average ${loadavg()[0]?.toFixed(1)})`,
      );
    }
  }
  return { rounds: table };
}

async function measureOnce(contender: Contender, measure: MeasureRound): Promise<RoundFigures> {
  const cpuBefore = contender.pid === undefined ? undefined : readCpuSeconds(contender.pid);
  const { answered, ratePerSecond, latency } = await measure(contender);
  const cpuAfter = contender.pid === undefined ? undefined : readCpuSeconds(contender.pid);
  const cpuSeconds = cpuBefore === undefined || cpuAfter === undefined ? 0 : cpuAfter - cpuBefore;
  return {
    ratePerSecond,
    ratePerCpuSecond: cpuSeconds > 0 ? answered / cpuSeconds : undefined,
    p50Ms: latency.quantileMs(0.5),
    p99Ms: latency.quantileMs(0.99),
  };
}

/** The rows of a report: each contender's figures, then ours over every other's. */
export function figureRows(label: string, table: RoundTable): readonly FigureRow[] {
  const rows: FigureRow[] = [];
  const ours = table.rounds.get('rollcall') ?? [];
  const add = (figure: string, contender: string, unit: string, values: readonly number[]): void => {
    if (values.length > 0) rows.push({ figure: `${label} ${figure}`, contender, unit, value: spreadOf(values) });
  };
  for (const [name, rounds] of table.rounds) {
    add('rate', name, '/s', rates(rounds));
    add('rate per CPU second', name, '/s', cpuRates(rounds));
    add(
      'p50',
      name,
      'ms',
      rounds.map((round) => round.p50Ms),
    );
    add(
      'p99',
      name,
      'ms',
      rounds.map((round) => round.p99Ms),
    );
  }
  for (const [name, rounds] of table.rounds) {
    if (name === 'rollcall') continue;
    add('rate, ratio', `rollcall / ${name}`, 'x', ratiosOf(rates(ours), rates(rounds)));
    add('rate per CPU second, ratio', `rollcall / ${name}`, 'x', ratiosOf(cpuRates(ours), cpuRates(rounds)));
  }
  return rows;
}

const rates = (rounds: readonly RoundFigures[]): readonly number[] => rounds.map((round) => round.ratePerSecond);

const cpuRates = (rounds: readonly RoundFigures[]): readonly number[] =>
  rounds.flatMap(({ ratePerCpuSecond }) => (ratePerCpuSecond === undefined ? [] : [ratePerCpuSecond]));
