// Scenario `probes`: 10,000 persistent instances probed by TCP, one in ten on a closed port. Meanwhile one list query
// after the other is due every 5 ms: its latency from its due time holds every delay of the server's event loop. At the
// end exactly the closed ports must be unhealthy.
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
import { CONNECTIONS, isOk } from '../throughput-comparison.js';

const LISTS_PER_SECOND = 200;
/** Longest time until every instance was probed: 7 s until its first probe, and the wait for its turn. */
const FIRST_ROUND_MS = 15_000;
/** The same for few instances. */
const SMOKE_ROUND_MS = 8000;

/** Many probed instances; `--seconds` is how long the event loop is watched. */
export const probesScenario: Scenario = {
  name: 'probes',
  title: '10,000 persistent instances probed by TCP: delay of the event loop, share of one core used',
  defaults: { rounds: 1, seconds: 20 },
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

  const cpuBefore = server.pid === undefined ? undefined : readCpuSeconds(server.pid);
  const lists = await runPacedLoad({
    endpoint,
    connections: 1,
    requests: encodeLists(endpoint, population),
    ratePerSecond: LISTS_PER_SECOND,
    seconds: setting.seconds,
    accepts: ({ status }) => status === 200,
  });
  const cpuAfter = server.pid === undefined ? undefined : readCpuSeconds(server.pid);
  const sweep = await sweepAll(server, population);

  const cpuShare =
    cpuBefore === undefined || cpuAfter === undefined ? undefined : (cpuAfter - cpuBefore) / setting.seconds;
  const rows = [
    ...row(server, 'list p50 from due time', 'ms', lists.latency.quantileMs(0.5)),
    ...row(server, 'list p99 from due time', 'ms', lists.latency.quantileMs(0.99)),
    ...row(server, 'list p99.9 from due time', 'ms', lists.latency.quantileMs(0.999)),
    ...row(server, 'share of one core', '', cpuShare),
    ...row(server, 'hosts unhealthy', '', sweep.unhealthy),
    ...row(server, 'hosts seen', '', sweep.hosts),
  ];
  const failed = registered.failed + lists.failed;
  const expected = population.instances / INSTANCES_PER_SERVICE;
  return {
    rows,
    failures: [
      ...(failed > 0 ? [`${failed} requests failed: ${registered.firstFailure ?? lists.firstFailure}`] : []),
      ...(sweep.missing > 0 ? [`${sweep.missing} hosts are missing`] : []),
      ...(sweep.unhealthy === expected ? [] : [`${sweep.unhealthy} hosts are unhealthy, expected ${expected}`]),
    ],
  };
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

function row({ name }: Contender, figure: string, unit: string, value: number | undefined): readonly FigureRow[] {
  return value === undefined
    ? []
    : [{ figure, contender: name, unit, value: { median: value, min: value, max: value } }];
}
