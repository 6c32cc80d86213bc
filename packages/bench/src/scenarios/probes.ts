// Scenario `probes`: 10,000 persistent instances probed by TCP, one in ten on a closed port, in turn with the same server
// not probing: on a busy machine only the difference tells of the probes. Lists are due every 5 ms; their latency from the
// due time holds every delay of the server's event loop. At the end exactly the closed ports must be unhealthy.
import { setTimeout as sleep } from 'node:timers/promises';
import { findFreePort } from '../child-server.js';
import { encodeClientRequest } from '../client-request.js';
import type { Contender } from '../contender.js';
import { withContenders } from '../contender-group.js';
import type { Endpoint } from '../endpoint.js';
import { HealthSweep } from '../health-sweep.js';
import { encodeLists, INSTANCES_PER_SERVICE, type Population } from '../instance-population.js';
import { runLoad } from '../load-generator.js';
import { runPacedLoad } from '../paced-load.js';
import { readCpuSeconds } from '../process-figures.js';
import type { FigureRow } from '../round-table.js';
import type { BenchSetting, Scenario, ScenarioReport } from '../scenario.js';
import { readServerMetric } from '../server-metric.js';
import { spreadOf } from '../spread.js';
import { CONNECTIONS, isOk } from '../throughput-comparison.js';

const LISTS_PER_SECOND = 200;
/** Longest time until every instance was probed: 7 s until its first probe, and the wait for its turn. */
const FIRST_ROUND_MS = 15_000;
/** The same for few instances. */
const SMOKE_ROUND_MS = 8000;

/** The server tells the delay of its event loop over the last 10 s or more: so long each state lasts before it is watched. */
const SETTLE_MS = 10_000;
const STATES = ['on', 'off'] as const;
const FIGURES = [
  'event loop delay p99',
  'list p50 from due time',
  'list p99 from due time',
  'share of one core',
] as const;

/** What was seen while probes were on, or off. */
interface Phase {
  readonly state: (typeof STATES)[number];
  readonly figures: Readonly<Record<(typeof FIGURES)[number], number>>;
}

/** Many probed instances; `--seconds` is how long each state is watched. */
export const probesScenario: Scenario = {
  name: 'probes',
  title: '10,000 persistent instances probed by TCP: delay of the event loop with probes and without',
  defaults: { rounds: 2, seconds: 12 },
  run: (setting) =>
    withContenders(setting, ({ rollcall, baseline }) => runProbes(rollcall, baseline.endpoint.port, setting)),
};

async function runProbes(server: Contender, openPort: number, setting: BenchSetting): Promise<ScenarioReport> {
  const population = { prefix: 'bench.probes', instances: setting.scale === 'smoke' ? 100 : 10_000 };
  const { endpoint } = server;
  const requests = encodeRegistrations(endpoint, population, { openPort, closedPort: await findFreePort() });
  const stop = { afterRequests: requests.length };
  const registered = await runLoad({ endpoint, connections: CONNECTIONS, requests, stop, accepts: isOk });
  setting.log(`  ${server.name}: ${registered.answered} registered in ${registered.seconds.toFixed(1)} s`);
  await sleep(setting.scale === 'smoke' ? SMOKE_ROUND_MS : FIRST_ROUND_MS);

  const phases: Phase[] = [];
  const failures =
    registered.failed > 0 ? [`${registered.failed} registrations failed: ${registered.firstFailure}`] : [];
  for (let round = 0; round < setting.rounds; round++) {
    for (const state of STATES) {
      await setProbing(server, state);
      await sleep(setting.scale === 'smoke' ? 0 : SETTLE_MS);
      phases.push(await watch(server, { state, population, seconds: setting.seconds, failures }));
    }
  }
  await setProbing(server, 'on');
  const sweep = await sweepAll(server, population);
  const expected = population.instances / INSTANCES_PER_SERVICE;
  if (sweep.missing > 0) failures.push(`${sweep.missing} hosts are missing`);
  if (sweep.unhealthy !== expected) failures.push(`${sweep.unhealthy} hosts are unhealthy, expected ${expected}`);
  return { rows: STATES.flatMap((state) => rowsOf(server, state, phases)), failures };
}

async function setProbing({ endpoint }: Contender, state: Phase['state']): Promise<void> {
  const { host, port, contextPath } = endpoint;
  const query = `entry=healthCheckEnabled&value=${state === 'on'}`;
  await fetch(`http://${host}:${port}${contextPath}/v1/ns/operator/switches?${query}`, { method: 'PUT' });
}

async function watch(
  server: Contender,
  plan: Pick<Phase, 'state'> & { population: Population; seconds: number; failures: string[] },
): Promise<Phase> {
  const { endpoint, pid } = server;
  const { state, seconds, population, failures } = plan;
  const cpuSeconds = (): number => (pid === undefined ? undefined : readCpuSeconds(pid)) ?? Number.NaN;
  const cpuBefore = cpuSeconds();
  const lists = await runPacedLoad({
    endpoint,
    connections: CONNECTIONS,
    requests: encodeLists(endpoint, population),
    ratePerSecond: LISTS_PER_SECOND,
    seconds,
    accepts: ({ status }) => status === 200,
  });
  const cpuShare = (cpuSeconds() - cpuBefore) / seconds;
  const delay = await readServerMetric(server, 'rollcall_event_loop_delay_seconds{quantile="0.99"}');
  if (lists.failed > 0) failures.push(`${lists.failed} lists failed: ${lists.firstFailure}`);
  return {
    state,
    figures: {
      'event loop delay p99': (delay ?? Number.NaN) * 1000,
      'list p50 from due time': lists.latency.quantileMs(0.5),
      'list p99 from due time': lists.latency.quantileMs(0.99),
      'share of one core': cpuShare,
    },
  };
}

function rowsOf({ name }: Contender, state: Phase['state'], phases: readonly Phase[]): readonly FigureRow[] {
  const own = phases.filter((phase) => phase.state === state);
  return FIGURES.flatMap((figure) => {
    const values = own.map(({ figures }) => figures[figure]).filter((value) => !Number.isNaN(value));
    const unit = figure === 'share of one core' ? '' : 'ms';
    const text = `probes ${state}: ${figure}`;
    return values.length === 0 ? [] : [{ figure: text, contender: name, unit, value: spreadOf(values) }];
  });
}

// The instances of a service differ in their cluster only; that of the last one has the closed port.
function encodeRegistrations(
  endpoint: Endpoint,
  { prefix, instances }: Population,
  { openPort, closedPort }: { readonly openPort: number; readonly closedPort: number },
): readonly Buffer[] {
  return Array.from({ length: instances }, (_, index) => {
    const place = index % INSTANCES_PER_SERVICE;
    return encodeClientRequest(endpoint, {
      method: 'POST',
      path: '/v1/ns/instance',
      query: {
        serviceName: `DEFAULT_GROUP@@${prefix}.${Math.floor(index / INSTANCES_PER_SERVICE)}`,
        ip: '127.0.0.1',
        port: String(place === INSTANCES_PER_SERVICE - 1 ? closedPort : openPort),
        clusterName: `c${place}`,
        ephemeral: 'false',
      },
    });
  });
}

async function sweepAll({ endpoint }: Contender, population: Population): Promise<HealthSweep> {
  const sweep = new HealthSweep();
  const requests = encodeLists(endpoint, population);
  const stop = { afterRequests: requests.length };
  await runLoad({ endpoint, connections: 8, requests, stop, accepts: (answer) => sweep.count(answer) });
  return sweep;
}
