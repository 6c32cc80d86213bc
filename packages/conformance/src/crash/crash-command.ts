// `npm run conformance -- crash`: runs the crash test and prints its rounds. The seed comes first, so that a run that
// failed can be repeated even if its output was cut.
import { type CrashPlan, type CrashReport, type CrashRound, runCrashTest } from './crash-test.js';

/** Runs the crash test; the exit code is 0 when nothing was missing and nothing came back. */
export async function runCrashCommand(plan: CrashPlan, json: boolean): Promise<number> {
  const say = json ? console.error : console.log;
  say(`crash test: ${plan.rounds} rounds, seed ${plan.seed}`);
  const report = await runCrashTest(plan, (round) => say(formatRound(round, plan.rounds)));
  if (json) console.log(JSON.stringify({ ...plan, ...report }, undefined, 2));
  say(formatSummary(report));
  const failed = report.rounds.filter(({ violations }) => violations.length > 0).length;
  if (failed > 0) say(`Repeat with --seed ${plan.seed}; the data lies in "${report.dataDirectory}"`);
  say(`${report.rounds.length - failed} passed, ${failed} failed`);
  return failed === 0 ? 0 : 1;
}

function formatRound({ round, end, acknowledged, inDoubt, startMs, violations }: CrashRound, rounds: number): string {
  const line = `round ${round}/${rounds}: ${acknowledged} acknowledged, ${inDoubt} in doubt, ${end}, up after ${startMs} ms`;
  return [line, ...violations.map((violation) => `  WRONG ${violation}`)].join('\n');
}

function formatSummary({ rounds }: CrashReport): string {
  const sum = (figure: (round: CrashRound) => number): number =>
    rounds.reduce((total, round) => total + figure(round), 0);
  const starts = rounds.map(({ startMs }) => startMs).toSorted((a, b) => a - b);
  const median = starts[Math.floor(starts.length / 2)] ?? 0;
  return (
    `${sum(({ acknowledged }) => acknowledged)} writes acknowledged, ${sum(({ inDoubt }) => inDoubt)} in doubt; ` +
    `start to first answer: median ${median} ms, slowest ${starts.at(-1) ?? 0} ms`
  );
}
