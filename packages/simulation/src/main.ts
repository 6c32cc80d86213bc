// `npm run simulate`: runs histories, prints how many per second, and for each that breaks a promise its seed and the
// shortest failing prefix as a story. Exit code 0 when nothing broke, 1 when something did, 2 for arguments that make no
// sense.

import { clockDependence } from './clock-dependence.js';
import { type HistoryResult, runHistory } from './history.js';
import { planText } from './plan.js';
import type { Scenario } from './scenario.js';
import { SCENARIOS } from './scenarios/all-scenarios.js';
import { shortestFailingPrefix } from './shortest-prefix.js';
import { readSimulationArguments, SIMULATION_HELP, type SimulationRequest } from './simulation-arguments.js';

/** After so many failures the rest would only be more of the same. */
const FAILURES_MAX = 5;
/** Lines of a story that are printed; what led to a violation is at its end. */
const STORY_LINES_PRINTED = 120;
const PROGRESS_MS = 10_000;
/** Each so many-th history is run twice: the same seed must give the same trace (I14). */
const RUNS_PER_REPEAT = 25;

type RunRequest = Extract<SimulationRequest, { kind: 'run' }>;

function main(args: readonly string[]): number {
  const request = readSimulationArguments(args, SCENARIOS, Date.now() % 2 ** 32);
  switch (request.kind) {
    case 'help':
      console.log(SIMULATION_HELP);
      return 0;
    case 'list':
      for (const { name, title } of SCENARIOS) console.log(`${name.padEnd(5)} ${title}`);
      return 0;
    case 'refused':
      console.error(`${request.reason}\n\n${SIMULATION_HELP}`);
      return 2;
    case 'run':
      return runAll(request);
  }
}

function runAll({ runs, secondsMax, seed, scenarios, told }: RunRequest): number {
  const startedAt = Date.now();
  let progressAt = startedAt;
  let failures = 0;
  let virtualMs = 0;
  let steps = 0;
  let done = 0;
  console.log(`${runs} histories from seed ${seed}`);
  while (done < runs && failures < FAILURES_MAX && Date.now() - startedAt < secondsMax * 1000) {
    const scenario = scenarios[done % scenarios.length] as Scenario;
    const result = runOne(scenario, (seed + done) % 2 ** 32, { isRepeated: done % RUNS_PER_REPEAT === 0, told });
    done += 1;
    if (result.violation !== undefined) failures += 1;
    virtualMs += result.virtualMs;
    steps += result.steps;
    if (Date.now() - progressAt < PROGRESS_MS) continue;
    progressAt = Date.now();
    console.log(`${done} of ${runs} histories, ${failures} violations, ${perSecond(done, startedAt)} histories/s`);
  }
  const seconds = (Date.now() - startedAt) / 1000;
  console.log(
    `${done} histories in ${seconds.toFixed(1)} s (${perSecond(done, startedAt)}/s), ${(virtualMs / 3_600_000).toFixed(1)} virtual hours, ${steps} steps, ${failures} violations`,
  );
  return failures === 0 ? 0 : 1;
}

function runOne(
  scenario: Scenario,
  seed: number,
  { isRepeated, told }: { isRepeated: boolean; told: RunRequest['told'] },
): HistoryResult {
  const request = { scenario, seed, traceMode: told === 'all' ? 'story' : 'hash' } as const;
  const first = runHistory(request);
  const result = first.violation === undefined ? { ...first, violation: clockDependence(request, first) } : first;
  if (result.violation !== undefined) tellFailure(scenario, seed, shortestFailingPrefix(request, result));
  else if (told === 'all') console.log(result.story.join('\n'));
  if (isRepeated && runHistory(request).hash !== result.hash)
    throw new Error(`I14: seed ${seed} of ${scenario.name} gave two different traces`);
  return result;
}

function tellFailure(scenario: Scenario, seed: number, { violation, plan, story }: HistoryResult): void {
  console.log(`\nVIOLATION in scenario ${scenario.name}, seed ${seed}: ${violation?.message}`);
  console.log(`again: npm run simulate -- --runs 1 --scenario ${scenario.name} --seed ${seed}`);
  console.log(`the ${plan.length} deeds that lead to it:\n${planText(plan).join('\n')}`);
  console.log(`the end of its story:\n${story.slice(-STORY_LINES_PRINTED).join('\n')}\n`);
}

function perSecond(count: number, startedAt: number): string {
  return (count / Math.max(0.001, (Date.now() - startedAt) / 1000)).toFixed(1);
}

process.exitCode = main(process.argv.slice(2));
