// Scenario `canonical`: a registry as one is used: 10,000 instances in 500 services beat every 5 s, 2,000 subscribers, half
// over UDP and half over gRPC, 20 changes and 2,000 list queries a second. A change counts from its request until the last
// subscriber of its service has the list, by a push or by asking; this process, which makes all of the load, is in that time and is reported beside it.
import { setTimeout as sleep } from 'node:timers/promises';
import { type ChangeResult, runChangeLoad } from '../change-load.js';
import type { Contender } from '../contender.js';
import { withContenders } from '../contender-group.js';
import type { Endpoint } from '../endpoint.js';
import { HealthSweep } from '../health-sweep.js';
import {
  encodeLightBeats,
  encodeLists,
  encodeRegistrations,
  type Population,
  serviceNameOf,
} from '../instance-population.js';
import { runLoad } from '../load-generator.js';
import { MixedAudience } from '../mixed-audience.js';
import { OwnLoad } from '../own-load.js';
import { type PacedPlan, type PacedResult, runPacedLoad } from '../paced-load.js';
import { readCpuSeconds, readResidentBytes } from '../process-figures.js';
import type { FigureRow } from '../round-table.js';
import type { BenchSetting, Scenario, ScenarioReport } from '../scenario.js';
import { readServerMetric } from '../server-metric.js';
import { CONNECTIONS, isOk } from '../throughput-comparison.js';

const PER_SERVICE = 20;
const BEAT_INTERVAL_SECONDS = 5;
/** A UDP subscriber asks again as often as 1.x clients do. */
const RENEWAL_SECONDS = 10;
/** One in so many list answers is read. */
const SWEPT_SHARE = 20;
/** Cold code takes several times as long as warm code: so long everything runs before it is measured. */
const WARM_UP_SECONDS = 10;

interface Rates {
  readonly services: number;
  readonly changes: number;
  readonly lists: number;
}
const RATES: Readonly<Record<BenchSetting['scale'], Rates>> = {
  full: { services: 500, changes: 20, lists: 2000 },
  smoke: { services: 20, changes: 4, lists: 50 },
};

/** Everything at once. */
export const canonicalScenario: Scenario = {
  name: 'canonical',
  title: '10,000 instances, 2,000 subscribers, 20 changes/s, 2,000 lists/s: share of a core, change to last subscriber',
  defaults: { rounds: 1, seconds: 40 },
  run: (setting) =>
    withContenders(setting, async ({ servers }) => {
      const reports: ScenarioReport[] = [];
      for (const server of servers) reports.push(await runCanonical(server, setting));
      return { rows: reports.flatMap(({ rows }) => rows), failures: reports.flatMap(({ failures }) => failures) };
    }),
};

async function runCanonical(server: Contender, setting: BenchSetting): Promise<ScenarioReport> {
  const { endpoint, name } = server;
  const { services } = RATES[setting.scale];
  const { seconds } = setting;
  const population = { prefix: 'bench.canonical', instances: services * PER_SERVICE, perService: PER_SERVICE };
  const beats = encodeLightBeats(endpoint, population);
  const send = (requests: readonly Buffer[]) =>
    runLoad({ endpoint, connections: CONNECTIONS, requests, stop: { afterRequests: requests.length }, accepts: isOk });
  const registered = await send(encodeRegistrations(endpoint, population));
  const audience = await whileBeating(
    MixedAudience.open(endpoint, services, (service) => serviceNameOf(population, service)),
    () => send(beats),
  );
  setting.log(`  ${name}: ${registered.answered} registered, ${audience.size} subscribers`);
  const crowd = { endpoint, population, audience, beats, lists: encodeLists(endpoint, population) };
  const rates = RATES[setting.scale];
  const warmUp = drive(crowd, rates, { seconds: Math.min(WARM_UP_SECONDS, seconds), versions: 'warm' });
  await warmUp.loads;
  await whileBeating(warmUp.all, () => send(beats));
  const report = await measure(server, seconds, () => drive(crowd, rates, { seconds, versions: 'v' }));
  audience.close();
  return { ...report, failures: [...failuresOf(name, [registered]), ...report.failures] };
}

async function measure(server: Contender, seconds: number, driven: () => Driven): Promise<ScenarioReport> {
  const { name, pid } = server;
  await readServerMetric(server, DELAY_METRIC); // Begins its window anew.
  const own = new OwnLoad();
  const cpuBefore = cpuSecondsOf(server);
  const { loads, all } = driven();
  const ended = await loads;
  const cpuAfter = cpuSecondsOf(server);
  const ownRows = own.rows(name);
  const delay = await readServerMetric(server, DELAY_METRIC);
  const bytes = pid === undefined ? undefined : readResidentBytes(pid);
  const { changes, sweep } = await all;
  const tookSeconds = Math.max(...ended.map((load) => load.seconds));
  const behindSeconds = tookSeconds - seconds;
  const share = cpuBefore === undefined || cpuAfter === undefined ? undefined : (cpuAfter - cpuBefore) / tookSeconds;
  const rows = [
    ...row(name, 'share of one core', '', share),
    ...row(name, 'event-loop delay p99', 'ms', delay === undefined ? undefined : delay * 1000),
    ...changeRows(name, changes),
    ...row(name, 'beat p99 from due time', 'ms', ended[0].latency.quantileMs(0.99)),
    ...row(name, 'list p99 from due time', 'ms', ended[1].latency.quantileMs(0.99)),
    ...row(name, 'resident memory', 'MB', bytes === undefined ? undefined : bytes / 1e6),
    ...row(name, 'hosts seen', '', sweep.hosts),
    ...row(name, 'hosts falsely unhealthy', '', sweep.unhealthy),
    ...row(name, 'load fell behind by', 's', Math.max(0, behindSeconds)),
    ...ownRows,
  ];
  const wrongs = behindSeconds > BEAT_INTERVAL_SECONDS ? tooSlow(name, behindSeconds) : wrongsOf(name, sweep, changes);
  return { rows, failures: [...failuresOf(name, ended), ...wrongs] };
}

/** Beats and renewals that are not sent in time end leases and subscriptions: whoever was too slow, the run tells nothing. */
function tooSlow(name: string, behindSeconds: number): readonly string[] {
  const allowed = `allowed are ${BEAT_INTERVAL_SECONDS}`;
  return [`${name}: nothing was shown: beats and renewals fell behind by ${Math.round(behindSeconds)} s, ${allowed}`];
}

function failuresOf(
  name: string,
  loads: readonly { readonly failed: number; readonly firstFailure: string | undefined }[],
): readonly string[] {
  const refused = loads.filter(({ failed }) => failed > 0);
  return refused.map(({ failed, firstFailure }) => `${name}: ${failed} requests failed, first: ${firstFailure}`);
}

function wrongsOf(
  name: string,
  { unhealthy, missing, hosts }: HealthSweep,
  { missingUdp, missingGrpc }: ChangeResult,
): readonly string[] {
  const wrongs: string[] = [];
  if (unhealthy + missing > 0) wrongs.push(`${name}: ${unhealthy} unhealthy, ${missing} missing of ${hosts} seen`);
  if (missingUdp + missingGrpc > 0)
    wrongs.push(`${name}: did not reach everybody: ${missingUdp} changes over UDP, ${missingGrpc} over gRPC`);
  return wrongs;
}

interface Crowd {
  readonly endpoint: Endpoint;
  readonly population: Population & { readonly perService: number };
  readonly audience: MixedAudience;
  readonly beats: readonly Buffer[];
  readonly lists: readonly Buffer[];
}

/** Everything at work. */
interface Driven {
  /** When the last request is answered: beats, lists, renewals. */
  readonly loads: Promise<readonly [PacedResult, PacedResult, PacedResult]>;
  /** When the last change has arrived, too. */
  readonly all: Promise<{ readonly changes: ChangeResult; readonly sweep: HealthSweep }>;
}

/** Runs everything for a time. */
function drive(
  { endpoint, population, audience, beats, lists }: Crowd,
  rates: Rates,
  { seconds, versions }: { readonly seconds: number; readonly versions: string },
): Driven {
  const sweep = new HealthSweep(PER_SERVICE);
  let answers = 0;
  const paced = (
    requests: readonly Buffer[],
    ratePerSecond: number,
    accepts: PacedPlan['accepts'] = isOk,
    connections = CONNECTIONS,
  ) => runPacedLoad({ endpoint, connections, requests, ratePerSecond, seconds, accepts });
  const renewed: PacedPlan['accepts'] = (answer, renewal) => {
    audience.renewed(renewal, answer.body);
    return isOk(answer);
  };
  const plan = { endpoint, population, services: rates.services, perSecond: rates.changes, seconds, versions };
  const changing = runChangeLoad(audience, plan);
  const loads = Promise.all([
    paced(beats, population.instances / BEAT_INTERVAL_SECONDS),
    paced(lists, rates.lists, (answer) => (answers++ % SWEPT_SHARE === 0 ? sweep.count(answer) : isOk(answer))),
    paced(audience.renewals, audience.renewals.length / RENEWAL_SECONDS, renewed, 2),
  ]);
  return { loads, all: Promise.all([changing, loads]).then(([changes]) => ({ changes, sweep })) };
}

const DELAY_METRIC = 'rollcall_event_loop_delay_seconds{quantile="0.99"}';

/** Setting up takes longer than a lease on a slow machine: everybody beats meanwhile. */
async function whileBeating<T>(work: Promise<T>, beat: () => Promise<unknown>): Promise<T> {
  let isOver = false;
  const over = work.finally(() => {
    isOver = true;
  });
  do {
    await beat();
    await Promise.race([over, sleep(BEAT_INTERVAL_SECONDS * 1000, undefined, { ref: false })]);
  } while (!isOver);
  return over;
}

function cpuSecondsOf({ pid }: Contender): number | undefined {
  return pid === undefined ? undefined : readCpuSeconds(pid);
}

function changeRows(name: string, { all, udp, grpc, changes, late }: ChangeResult): readonly FigureRow[] {
  const prefix = 'change to last subscriber';
  return [
    ...row(name, `${prefix} p50`, 'ms', all.quantileMs(0.5)),
    ...row(name, `${prefix} p99`, 'ms', all.quantileMs(0.99)),
    ...row(name, `${prefix} max`, 'ms', all.maxMs),
    ...row(name, `${prefix} p99, UDP`, 'ms', udp.quantileMs(0.99)),
    ...row(name, `${prefix} p99, gRPC`, 'ms', grpc.quantileMs(0.99)),
    ...row(name, 'changes', '', changes),
    ...row(name, 'changes later than 5 s', '', late),
  ];
}

function row(contender: string, figure: string, unit: string, value: number | undefined): readonly FigureRow[] {
  return value === undefined ? [] : [{ figure, contender, unit, value: { median: value, min: value, max: value } }];
}
