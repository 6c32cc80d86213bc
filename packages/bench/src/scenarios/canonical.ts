// Scenario `canonical`: a registry as one is used: 10,000 instances in 500 services beat every 5 s, 2,000 subscribers, half
// over UDP and half over gRPC, 20 changes and 2,000 list queries a second. A change counts from its request until the last
// subscriber of its service has the list; this process, which makes all of the load, is in that time.
import { setTimeout as sleep } from 'node:timers/promises';
import type { Contender } from '../contender.js';
import { withContenders } from '../contender-group.js';
import { HealthSweep } from '../health-sweep.js';
import {
  encodeLightBeats,
  encodeLists,
  encodeRegistrations,
  instanceAddress,
  type Population,
  serviceNameOf,
} from '../instance-population.js';
import { LatencyHistogram } from '../latency-histogram.js';
import { runLoad } from '../load-generator.js';
import { MixedAudience } from '../mixed-audience.js';
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
  const requests = encodeRegistrations(endpoint, population);
  const stop = { afterRequests: requests.length };
  const registered = await runLoad({ endpoint, connections: CONNECTIONS, requests, stop, accepts: isOk });
  const audience = await MixedAudience.open(server.endpoint, services, (service) => serviceNameOf(population, service));
  setting.log(`  ${name}: ${registered.answered} registered, ${audience.size} subscribers`);

  const sweep = new HealthSweep(PER_SERVICE);
  let answers = 0;
  const paced = (of: readonly Buffer[], ratePerSecond: number, accepts: typeof isOk, connections = CONNECTIONS) =>
    runPacedLoad({ endpoint, connections, requests: of, ratePerSecond, seconds, accepts });
  const cpuBefore = server.pid === undefined ? undefined : readCpuSeconds(server.pid);
  const [changes, ...loads] = await Promise.all([
    runChanges(audience, server, { population, services, perSecond, seconds }),
    paced(
      encodeLightBeats(endpoint, population),
      population.instances / BEAT_INTERVAL_SECONDS,
      ({ status }) => status === 200,
    ),
    paced(encodeLists(endpoint, population), listRate, (answer) =>
      answers++ % SWEPT_SHARE === 0 ? sweep.count(answer) : answer.status === 200,
    ),
    paced(audience.renewals, audience.renewals.length / RENEWAL_SECONDS, ({ status }) => status === 200, 2),
  ]);
  const cpuAfter = server.pid === undefined ? undefined : readCpuSeconds(server.pid);
  const delay = await readServerMetric(server, 'rollcall_event_loop_delay_seconds{quantile="0.99"}');
  const bytes = server.pid === undefined ? undefined : readResidentBytes(server.pid);
  audience.close();
  const row = (figure: string, unit: string, value: number | undefined): readonly FigureRow[] =>
    value === undefined ? [] : [{ figure, contender: name, unit, value: { median: value, min: value, max: value } }];
  const rows = [
    ...row('share of one core', '', share(cpuBefore, cpuAfter, seconds)),
    ...row('event-loop delay p99', 'ms', delay === undefined ? undefined : delay * 1000),
    ...row('change to last subscriber p50', 'ms', changes.latency.quantileMs(0.5)),
    ...row('change to last subscriber p99', 'ms', changes.latency.quantileMs(0.99)),
    ...row('change to last subscriber max', 'ms', changes.latency.maxMs),
    ...row('resident memory', 'MB', bytes === undefined ? undefined : bytes / 1e6),
    ...row('hosts seen', '', sweep.hosts),
    ...row('hosts falsely unhealthy', '', sweep.unhealthy),
  ];
  const failures = [registered, ...loads].flatMap(({ failed, firstFailure }) =>
    failed > 0 ? [`${name}: ${failed} requests failed, first: ${firstFailure}`] : [],
  );
  if (sweep.unhealthy + sweep.missing > 0)
    failures.push(`${name}: ${sweep.unhealthy} unhealthy, ${sweep.missing} missing of ${sweep.hosts} seen`);
  if (changes.missing > 0) failures.push(`${name}: ${changes.missing} changes did not reach everybody`);
  return { rows, failures };
}

function share(before: number | undefined, after: number | undefined, seconds: number): number | undefined {
  return before === undefined || after === undefined ? undefined : (after - before) / seconds;
}

interface ChangePlan {
  readonly population: Population;
  readonly services: number;
  readonly perSecond: number;
  readonly seconds: number;
}

/** One service after another gets new metadata for its first instance. */
async function runChanges(
  audience: MixedAudience,
  { endpoint }: Contender,
  { population, services, perSecond, seconds }: ChangePlan,
): Promise<{ readonly latency: LatencyHistogram; readonly missing: number }> {
  const latency = new LatencyHistogram();
  const pending: Promise<void>[] = [];
  let missing = 0;
  const startedAtMs = performance.now();
  for (let n = 0; n < perSecond * seconds; n++) {
    await sleep(Math.max(0, startedAtMs + (n / perSecond) * 1000 - performance.now()));
    const service = n % services;
    const version = `v${n + 1}`;
    const { serviceName, ip } = instanceAddress(population, service * PER_SERVICE);
    const metadata = JSON.stringify({ version });
    const query = new URLSearchParams({ serviceName, ip, port: '8080', ephemeral: 'true', metadata });
    const changedAtMs = performance.now();
    const arriving = audience.arrival(service, version, changedAtMs);
    const url = `http://${endpoint.host}:${endpoint.port}${endpoint.contextPath}/v1/ns/instance?${query}`;
    const changing = fetch(url, { method: 'POST' }).then((answer) => answer.text());
    pending.push(
      Promise.all([arriving, changing]).then(([lastMs]) => {
        if (lastMs === undefined) missing += 1;
        else latency.record(lastMs);
      }),
    );
  }
  await Promise.all(pending);
  return { latency, missing };
}
