// `npm run bench`: runs the scenarios asked for, one after another, and prints their figures. Exit code 0 when all of
// them worked, 1 when one broke, 2 when the arguments were not understood. A slow result is never a failure.
import { writeFile } from 'node:fs/promises';
import { BENCH_HELP, type BenchRequest, readBenchArguments } from './bench-arguments.js';
import type { BenchResult } from './bench-result.js';
import { pinLoadGenerator } from './core-pinning.js';
import { readMachineShape } from './machine-shape.js';
import { formatCurves, formatMachine, formatRows } from './report-text.js';
import type { BenchSetting, Scenario, ScenarioReport } from './scenario.js';
import { SCENARIOS } from './scenarios/all-scenarios.js';
import { drawResult } from './svg-plot.js';

type RunRequest = Extract<BenchRequest, { kind: 'run' }>;

const SMOKE_SECONDS = 0.3;

async function main(args: readonly string[]): Promise<number> {
  const request = readBenchArguments(args, SCENARIOS);
  switch (request.kind) {
    case 'help':
      console.log(BENCH_HELP);
      return args.length === 0 ? 2 : 0;
    case 'list':
      for (const { name, title } of SCENARIOS) console.log(`${name.padEnd(16)} ${title}`);
      return 0;
    case 'run':
      return runScenarios(request);
  }
}

async function runScenarios(request: RunRequest): Promise<number> {
  pinLoadGenerator();
  const machine = readMachineShape();
  console.log(formatMachine(machine));
  const reports: Record<string, ScenarioReport> = {};
  for (const scenario of request.scenarios) {
    console.log(`\n${scenario.name}: ${scenario.title}`);
    const report = await runScenario(scenario, settingOf(scenario, request, console.log));
    reports[scenario.name] = report;
    if (report.curves !== undefined) console.log(`${formatCurves(report.curves)}\n`);
    console.log(formatRows(report.rows));
    for (const failure of report.failures) console.log(`FAILED ${failure}`);
  }
  const result: BenchResult = { machine, scenarios: reports };
  if (request.jsonFile !== undefined) await writeFile(request.jsonFile, `${JSON.stringify(result, undefined, 2)}\n`);
  if (request.svgFile !== undefined) await writeFile(request.svgFile, drawResult(result));
  const broken = Object.values(reports).filter(({ failures }) => failures.length > 0).length;
  console.log(`\n${request.scenarios.length - broken} passed, ${broken} failed`);
  return broken === 0 ? 0 : 1;
}

function settingOf(scenario: Scenario, request: RunRequest, log: (line: string) => void): BenchSetting {
  const defaults = request.smoke ? { rounds: 1, seconds: SMOKE_SECONDS } : scenario.defaults;
  return {
    rounds: request.rounds ?? defaults.rounds,
    seconds: request.seconds ?? defaults.seconds,
    scale: request.smoke ? 'smoke' : 'full',
    peer: request.peer,
    log,
  };
}

async function runScenario(scenario: Scenario, setting: BenchSetting): Promise<ScenarioReport> {
  try {
    return await scenario.run(setting);
  } catch (error) {
    return { rows: [], failures: [error instanceof Error ? error.message : String(error)] };
  }
}

main(process.argv.slice(2)).then(
  (code) => {
    process.exitCode = code;
  },
  (error: unknown) => {
    console.error(`bench: ${error instanceof Error ? error.message : String(error)}`);
    process.exitCode = 2;
  },
);
