// One history as it is reported: run, checked for dependence on wall clocks, run again now and then, and told when it breaks
// a promise.

import { clockDependence } from './clock-dependence.js';
import { type HistoryRequest, type HistoryResult, runHistory } from './history.js';
import { planText } from './plan.js';
import type { Scenario } from './scenario.js';
import { shortestFailingPrefix } from './shortest-prefix.js';
import { storeDependence } from './store-dependence.js';

/** Lines of a story that are printed; what led to a violation is at its end. */
const STORY_LINES_PRINTED = 120;

/** Which history, and what is wanted of it. */
export interface HistoryTask {
  readonly scenario: Scenario;
  readonly seed: number;
  /** `twice`: the same seed must give the same trace (I14). */
  readonly run: 'once' | 'twice';
  readonly told: 'failures' | 'all';
}

/** What came of it: plain data. */
export interface JudgedHistory {
  readonly failed: boolean;
  readonly virtualMs: number;
  readonly steps: number;
  /** What is to be printed. */
  readonly lines: readonly string[];
}

/** Runs and judges a history. Throws when the same seed gives two traces. */
export async function judgeHistory({ scenario, seed, run, told }: HistoryTask): Promise<JudgedHistory> {
  const request = { scenario, seed, traceMode: told === 'all' ? 'story' : 'hash' } as const;
  const result = await runHistory(request);
  if (run === 'twice' && (await runHistory(request)).hash !== result.hash)
    throw new Error(`I14: seed ${seed} of ${scenario.name} gave two different traces`);
  const { virtualMs, steps, story } = result;
  const failed =
    result.violation === undefined ? await dependent(request, result) : await shortestFailingPrefix(request, result);
  if (failed === undefined) return { failed: false, virtualMs, steps, lines: told === 'all' ? story : [] };
  return { failed: true, virtualMs, steps, lines: failureLines(scenario, seed, failed) };
}

/** The whole history when it depends on something that it must not. */
async function dependent(request: HistoryRequest, result: HistoryResult): Promise<HistoryResult | undefined> {
  const violation = (await clockDependence(request, result)) ?? (await storeDependence(request, result));
  return violation === undefined ? undefined : { ...(await runHistory({ ...request, traceMode: 'story' })), violation };
}

function failureLines(scenario: Scenario, seed: number, { violation, plan, story }: HistoryResult): string[] {
  return [
    `\nVIOLATION in scenario ${scenario.name}, seed ${seed}: ${violation?.message}`,
    `again: npm run simulate -- --runs 1 --scenario ${scenario.name} --seed ${seed}`,
    `the ${plan.length} deeds that lead to it:`,
    ...planText(plan),
    'the end of its story:',
    ...story.slice(-STORY_LINES_PRINTED),
    '',
  ];
}
