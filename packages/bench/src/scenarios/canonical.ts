// Scenario `canonical`: a registry as one is used: 10,000 instances in 500 services beat every 5 s, 2,000 subscribers, half
// over UDP and half over gRPC, 20 changes and 2,000 list queries a second. A change counts from its request until the last
// subscriber of its service has the list; this process, which makes all of the load, is in that time and is reported beside it.
import { setTimeout as sleep } from 'node:timers/promises';
import { type ChangeResult, runChangeLoad } from '../change-load.js';
import type { Contender } from '../contender.js';
import { withContenders } from '../contender-group.js';
import { HealthSweep } from '../health-sweep.js';
import { encodeLightBeats, encodeLists, encodeRegistrations, serviceNameOf } from '../instance-population.js';
import { runLoad } from '../load-generator.js';
import { MixedAudience } from '../mixed-audience.js';
import { OwnLoad } from '../own-load.js';
import { runPacedLoad } from '../paced-load.js';
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
/** What the setting up left behind (garbage, journal) is over then. */
const SETTLE_MS = 2000;

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
  const { services, changes: perSecond, lists: listRate } = RATES[setting.scale];
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
  if (setting.scale === 'full') await whileBeating(sleep(SETTLE_MS), () => send(beats));

  const sweep = new HealthSweep(PER_SERVICE);
  let answers = 0;
  const paced = (of: readonly Buffer[], ratePerSecond: number, accepts = isOk, connections = CONNECTIONS) =>
    runPacedLoad({ endpoint, connections, requests: of, ratePerSecond, seconds, accepts });
  await readServerMetric(server, DELAY_METRIC); // Begins its window anew.
  const own = new OwnLoad();
  const cpuBefore = cpuSecondsOf(server);
  const changing = runChangeLoad(audience, { endpoint, population, services, perSecond, seconds });
  const loads = await Promise.all([
    paced(beats, population.instances / BEAT_INTERVAL_SECONDS),
    paced(encodeLists(endpoint, population), listRate, (answer) =>
      answers++ % SWEPT_SHARE === 0 ? sweep.count(answer) : isOk(answer),
    ),
    paced(audience.renewals, audience.renewals.length / RENEWAL_SECONDS, isOk, 2),
  ]);
  const cpuAfter = cpuSecondsOf(server);
  const ownRows = own.rows(name);
  const delay = await readServerMetric(server, DELAY_METRIC);
  const bytes = server.pid === undefined ? undefined : readResidentBytes(server.pid);
  const changes = await changing;
  audience.close();
  const tookSeconds = Math.max(...loads.map((load) => load.seconds));
  const share = cpuBefore === undefined || cpuAfter === undefined ? undefined : (cpuAfter - cpuBefore) / tookSeconds;
  const rows = [
    ...row(name, 'share of one core', '', share),
    ...row(name, 'event-loop delay p99', 'ms', delay === undefined ? undefined : delay * 1000),
    ...changeRows(name, changes),
    ...row(name, 'beat p99 from due time', 'ms', loads[0].latency.quantileMs(0.99)),
    ...row(name, 'list p99 from due time', 'ms', loads[1].latency.quantileMs(0.99)),
    ...row(name, 'resident memory', 'MB', bytes === undefined ? undefined : bytes / 1e6),
    ...row(name, 'hosts seen', '', sweep.hosts),
    ...row(name, 'hosts falsely unhealthy', '', sweep.unhealthy),
    ...row(name, 'load fell behind by', 's', Math.max(0, tookSeconds - seconds)),
    ...ownRows,
  ];
  const failures = [registered, ...loads].flatMap(({ failed, firstFailure }) =>
    failed > 0 ? [`${name}: ${failed} requests failed, first: ${firstFailure}`] : [],
  );
  if (sweep.unhealthy + sweep.missing > 0)
    failures.push(`${name}: ${sweep.unhealthy} unhealthy, ${sweep.missing} missing of ${sweep.hosts} seen`);
  const { missingUdp, missingGrpc } = changes;
  if (missingUdp + missingGrpc > 0)
    failures.push(`${name}: did not reach everybody: ${missingUdp} changes over UDP, ${missingGrpc} over gRPC`);
  return { rows, failures };
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
