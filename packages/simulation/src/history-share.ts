// The share of one thread in a batch of histories. Histories have nothing in common, so threads take turns by number.

import { type JudgedHistory, judgeHistory } from './judged-history.js';
import type { Scenario } from './scenario.js';

/** Each so many-th history is run twice. */
const RUNS_PER_REPEAT = 25;

/** Which histories of a batch a thread runs: number `first`, and each `threads`-th from there. Plain data. */
export interface HistoryShare {
  readonly first: number;
  readonly threads: number;
  readonly runs: number;
  /** Seed of history 0. */
  readonly seed: number;
  readonly scenarioNames: readonly string[];
  readonly told: 'failures' | 'all';
  /** No history begins after this, epoch ms; infinite: all are run. */
  readonly endsAt: number;
}

/**
 * Runs a share.
 *
 * @param parts - `scenarios`: all that can be named; `now`: the clock that `endsAt` is of
 */
export async function runShare(
  { first, threads, runs, seed, scenarioNames, told, endsAt }: HistoryShare,
  parts: { readonly scenarios: readonly Scenario[]; readonly now: () => number },
  report: (judged: JudgedHistory) => void,
): Promise<void> {
  const chosen = scenarioNames.map((name) => parts.scenarios.find((known) => known.name === name) as Scenario);
  for (let index = first; index < runs && parts.now() < endsAt; index += threads) {
    const scenario = chosen[index % chosen.length] as Scenario;
    const run = index % RUNS_PER_REPEAT === 0 ? 'twice' : 'once';
    report(await judgeHistory({ scenario, seed: (seed + index) % 2 ** 32, run, told }));
  }
}
