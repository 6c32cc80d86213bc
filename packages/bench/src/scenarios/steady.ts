// Scenario `steady`: 100,000 instances beat every 5 s, 20,000 beats per second, evenly spread. Meanwhile consumers ask for
// lists, and at the end for every list: no instance may ever be shown unhealthy or missing. Reported is the share of one
// core that the server used, from its CPU time, and how long a beat waited from its due time to its answer. On a machine that
// cannot send that many beats the load falls behind: rate and share are over the time that it took, and the share is also
// given as it would be at the full rate.
import type { Contender } from '../contender.js';
import { withContenders } from '../contender-group.js';
import { HealthSweep } from '../health-sweep.js';
import type { Answer } from '../http-response-reader.js';
import { encodeLightBeats, encodeLists, encodeRegistrations, type Population } from '../instance-population.js';
import { type LoadResult, runLoad } from '../load-generator.js';
import { type PacedResult, runPacedLoad } from '../paced-load.js';
import { readCpuSeconds } from '../process-figures.js';
import type { FigureRow } from '../round-table.js';
import type { BenchSetting, Scenario, ScenarioReport } from '../scenario.js';
import { CONNECTIONS, isOk } from '../throughput-comparison.js';

const BEAT_INTERVAL_SECONDS = 5;
/** List queries per second while the beats run: 1 % of the full beat rate. */
const LISTS_PER_SECOND = 200;
/** Registrations are sent in so many parts. */
const SET_UP_PARTS = 5;

/** Many beating instances over a long time; `--seconds` should exceed two lease times (30 s). */
export const steadyScenario: Scenario = {
  name: 'steady',
  title: '100,000 instances beating every 5 s: nobody falsely unhealthy, share of one core used',
  defaults: { rounds: 1, seconds: 60 },
  run: (setting) =>
    withContenders(setting, async ({ servers }) => {
      const reports: ScenarioReport[] = [];
      for (const server of servers) reports.push(await runSteady(server, setting));
      return { rows: reports.flatMap(({ rows }) => rows), failures: reports.flatMap(({ failures }) => failures) };
    }),
};

async function runSteady(server: Contender, setting: BenchSetting): Promise<ScenarioReport> {
  const population = { prefix: 'bench.steady', instances: setting.scale === 'smoke' ? 500 : 100_000 };
  const setUp = await registerAll(server, population);
  setting.log(`  ${server.name}: ${population.instances} registered in ${setUp.seconds.toFixed(1)} s`);

  const sampled = new HealthSweep();
  const cpuBefore = server.pid === undefined ? undefined : readCpuSeconds(server.pid);
  const [beats, lists] = await Promise.all([
    runBeats(server, population, setting.seconds),
    runListSamples(server, population, setting.seconds, sampled),
  ]);
  const cpuAfter = server.pid === undefined ? undefined : readCpuSeconds(server.pid);
  const final = await sweepAll(server, population);

  const cpuSeconds = cpuBefore === undefined || cpuAfter === undefined ? undefined : cpuAfter - cpuBefore;
  const rate = beats.answered / beats.seconds;
  const rows = [
    ...row(server, 'beats answered', '/s', rate),
    ...row(server, 'share of one core', '', share(cpuSeconds, beats.seconds)),
    ...row(server, 'share at the full rate', '', share(cpuSeconds, setting.seconds)),
    ...row(server, 'beat p50 from due time', 'ms', beats.latency.quantileMs(0.5)),
    ...row(server, 'beat p99 from due time', 'ms', beats.latency.quantileMs(0.99)),
    ...row(server, 'list p99 from due time', 'ms', lists.latency.quantileMs(0.99)),
    ...row(server, 'hosts seen unhealthy', '', sampled.unhealthy + final.unhealthy),
    ...row(server, 'hosts missing', '', sampled.missing + final.missing),
    ...row(server, 'hosts seen', '', sampled.hosts + final.hosts),
  ];
  return { rows, failures: failuresOf(server, [...setUp.loads, beats, lists], [sampled, final]) };
}

/** Registers everybody in parts. After each part all that are registered beat once, since the whole takes longer than a lease. */
async function registerAll({ endpoint }: Contender, population: Population) {
  const registrations = encodeRegistrations(endpoint, population);
  const beats = encodeLightBeats(endpoint, population);
  const part = Math.ceil(population.instances / SET_UP_PARTS);
  const send = (requests: readonly Buffer[], accepts: (answer: Answer) => boolean) =>
    runLoad({ endpoint, connections: CONNECTIONS, requests, stop: { afterRequests: requests.length }, accepts });
  const loads: LoadResult[] = [];
  let seconds = 0;
  for (let from = 0; from < population.instances; from += part) {
    const registered = await send(registrations.slice(from, from + part), isOk);
    seconds += registered.seconds;
    loads.push(registered, await send(beats.slice(0, from + part), isKnownBeat));
  }
  return { loads, seconds };
}

/** As many beats as planned are sent in any case, so the CPU time by the planned time is the share at the full rate. */
function share(cpuSeconds: number | undefined, seconds: number): number | undefined {
  return cpuSeconds === undefined ? undefined : cpuSeconds / seconds;
}

function runBeats({ endpoint }: Contender, population: Population, seconds: number): Promise<PacedResult> {
  return runPacedLoad({
    endpoint,
    connections: CONNECTIONS,
    requests: encodeLightBeats(endpoint, population),
    ratePerSecond: population.instances / BEAT_INTERVAL_SECONDS,
    seconds,
    accepts: isKnownBeat,
  });
}

const isKnownBeat = (answer: Answer): boolean => answer.status === 200 && answer.body.includes('10200');

function runListSamples(
  { endpoint }: Contender,
  population: Population,
  seconds: number,
  sweep: HealthSweep,
): Promise<PacedResult> {
  return runPacedLoad({
    endpoint,
    connections: 2,
    requests: encodeLists(endpoint, population),
    ratePerSecond: LISTS_PER_SECOND,
    seconds,
    accepts: (answer) => sweep.count(answer),
  });
}

async function sweepAll({ endpoint }: Contender, population: Population): Promise<HealthSweep> {
  const sweep = new HealthSweep();
  const requests = encodeLists(endpoint, population);
  const stop = { afterRequests: requests.length };
  await runLoad({ endpoint, connections: 8, requests, stop, accepts: (answer) => sweep.count(answer) });
  return sweep;
}

function row({ name }: Contender, figure: string, unit: string, value: number | undefined): readonly FigureRow[] {
  return value === undefined
    ? []
    : [{ figure, contender: name, unit, value: { median: value, min: value, max: value } }];
}

function failuresOf(
  { name }: Contender,
  results: readonly { readonly failed: number; readonly firstFailure: string | undefined }[],
  sweeps: readonly HealthSweep[],
): readonly string[] {
  const refused = results.filter(({ failed }) => failed > 0);
  const wrong = sweeps.filter(({ unhealthy, missing }) => unhealthy + missing > 0);
  return [
    ...refused.map(({ failed, firstFailure }) => `${name}: ${failed} requests failed, first: ${firstFailure}`),
    ...wrong.map(
      ({ unhealthy, missing, hosts }) => `${name}: ${unhealthy} unhealthy, ${missing} missing of ${hosts} seen`,
    ),
  ];
}
