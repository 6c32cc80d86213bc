// Scenario `growth`: instances, services, subscribers and changes are doubled, one of them at a time, from 1,000 to 100,000. What
// one more costs the server, and what using one costs, must stay as it is: whatever grows faster shows as a rising line.
import { setTimeout as sleep } from 'node:timers/promises';
import type { Contender } from '../contender.js';
import { withContenders } from '../contender-group.js';
import type { Curve } from '../curve.js';
import {
  type GrowthDimension,
  type GrowthUse,
  growingChanges,
  growingInstances,
  growingServices,
  growingSubscribers,
} from '../growth-dimension.js';
import { runLoad } from '../load-generator.js';
import { readCpuSeconds, readResidentBytes } from '../process-figures.js';
import { PushAudience } from '../push-audience.js';
import type { FigureRow } from '../round-table.js';
import type { BenchSetting, Scenario, ScenarioReport } from '../scenario.js';
import { CONNECTIONS, isOk } from '../throughput-comparison.js';

const SIZES = {
  full: [1000, 2000, 4000, 8000, 16_000, 32_000, 64_000, 100_000],
  smoke: [50, 100],
} as const;
/** Requests of a use at one size: enough for the 10 ms in which CPU time is told. */
const USES = { full: 20_000, smoke: 50 } as const;
/** Subscriptions of one socket. */
const PER_MEMBER = 50;
/** Datagrams that do not come in this time are lost. */
const DATAGRAMS_TIMEOUT_MS = 15_000;
const PAUSE_MS = 20;
const BASELINE_ANSWER = Buffer.from('HTTP/1.1 200 OK\r\nContent-Length: 2\r\n\r\nok');

type Points = Map<string, { readonly unit: string; readonly points: (readonly [number, number])[] }>;

/** Cost per unit at growing numbers; `--seconds` is the pause before memory is read. */
export const growthScenario: Scenario = {
  name: 'growth',
  title: 'Instances, services, subscribers, changes doubled one at a time from 1,000 to 100,000: cost per unit',
  defaults: { rounds: 1, seconds: 2 },
  run: async (setting) => {
    const reports: Required<ScenarioReport>[] = [];
    const audience = await PushAudience.open((SIZES[setting.scale].at(-1) ?? 0) / PER_MEMBER);
    try {
      const dimensions = [growingInstances, growingServices, growingSubscribers(audience), growingChanges];
      for (const dimension of dimensions) {
        await withContenders(setting, async ({ servers, baseline }) => {
          await baseline.prepare(BASELINE_ANSWER);
          for (const server of servers) reports.push(await growOne({ server, baseline }, dimension, setting, audience));
        });
      }
    } finally {
      audience.close();
    }
    return {
      rows: reports.flatMap(({ rows }) => rows),
      failures: reports.flatMap(({ failures }) => failures),
      curves: reports.flatMap(({ curves }) => curves),
    };
  },
};

async function growOne(
  { server, baseline }: { readonly server: Contender; readonly baseline: Contender },
  dimension: GrowthDimension,
  setting: BenchSetting,
  audience: PushAudience,
): Promise<Required<ScenarioReport>> {
  const { endpoint, pid, name } = server;
  const failures: string[] = [];
  const points: Points = new Map();
  const measure = async (use: GrowthUse, size: number): Promise<void> => {
    const us = await costOf(server, use, { audience, failures });
    if (us !== undefined) addPoint(points, use.label, 'µs', size, us);
  };
  await warmUp(server, setting, failures);
  const prepared = dimension.prepare(endpoint);
  if (prepared.length > 0) await send(server, prepared, failures);
  const bytesBefore = pid === undefined ? undefined : readResidentBytes(pid);
  let from = 0;
  for (const size of SIZES[setting.scale]) {
    await measure(dimension.grow(endpoint, from, size), size);
    for (const use of dimension.uses(endpoint, size, USES[setting.scale])) {
      // What is asked for the first time is read and kept: that is paid once for each address, however many there are.
      if (use.datagrams === undefined) await send(server, use.requests, failures);
      await measure(use, size);
    }
    const control = controlUse(baseline, USES[setting.scale]);
    const us = await costOf(baseline, control, { audience, failures });
    if (us !== undefined) addPoint(points, control.label, 'µs', size, us);
    await sleep(setting.seconds * 1000);
    const bytes = pid === undefined ? undefined : readResidentBytes(pid);
    if (bytes !== undefined && bytesBefore !== undefined)
      addPoint(points, 'resident memory, per one of all', 'B', size, (bytes - bytesBefore) / size);
    setting.log(`  ${name}: ${size} ${dimension.name}`);
    from = size;
  }
  return { rows: rowsOf(name, dimension.name, points), failures, curves: curvesOf(name, dimension.name, points) };
}

/** Bare TCP in the same minute: what rises there, too, is the machine. */
function controlUse({ endpoint }: Contender, count: number): GrowthUse {
  const [request = Buffer.alloc(0)] = growingChanges.grow(endpoint, 0, 1).requests;
  return {
    label: 'bare TCP beside it, per answer',
    units: count,
    requests: Array.from({ length: count }, () => request),
  };
}

/** A cold server takes five times as long for the first thousands. */
async function warmUp(server: Contender, setting: BenchSetting, failures: string[]): Promise<void> {
  const count = USES[setting.scale] / 4;
  for (const version of [0, 1]) {
    const use = growingChanges.grow(server.endpoint, version * count, (version + 1) * count);
    await send(server, use.requests, failures);
  }
}

/** CPU time of the server per unit, µs; undefined when its process cannot be seen. */
async function costOf(
  server: Contender,
  { requests, units, datagrams = 0 }: GrowthUse,
  { audience, failures }: { readonly audience: PushAudience; readonly failures: string[] },
): Promise<number | undefined> {
  const { pid, name } = server;
  const before = pid === undefined ? undefined : readCpuSeconds(pid);
  const wanted = audience.received + datagrams;
  await send(server, requests, failures);
  const endsAtMs = performance.now() + DATAGRAMS_TIMEOUT_MS;
  while (datagrams > 0 && audience.received < wanted && performance.now() < endsAtMs) await sleep(PAUSE_MS);
  if (datagrams > 0 && audience.received < wanted)
    failures.push(`${name}: ${wanted - audience.received} of ${datagrams} datagrams did not come`);
  const after = pid === undefined ? undefined : readCpuSeconds(pid);
  return before === undefined || after === undefined ? undefined : ((after - before) * 1e6) / units;
}

async function send({ endpoint, name }: Contender, requests: readonly Buffer[], failures: string[]): Promise<void> {
  const stop = { afterRequests: requests.length };
  const { failed, firstFailure } = await runLoad({ endpoint, connections: CONNECTIONS, requests, stop, accepts: isOk });
  if (failed > 0) failures.push(`${name}: ${failed} failures, first: ${firstFailure}`);
}

function addPoint(points: Points, label: string, unit: string, size: number, value: number): void {
  const line = points.get(label) ?? { unit, points: [] };
  line.points.push([size, value]);
  points.set(label, line);
}

/** How much dearer the last size is than the second: the first one still warms up. */
function rowsOf(name: string, dimension: string, lines: Points): readonly FigureRow[] {
  return [...lines].flatMap(([label, { points }]) => {
    const [, early, ...later] = points;
    const last = later.at(-1);
    if (early === undefined || last === undefined || early[1] <= 0) return [];
    const [ratio, contender] = [last[1] / early[1], `${name}, ${last[0]} over ${early[0]}`];
    const value = { median: ratio, min: ratio, max: ratio };
    return [{ figure: `${dimension}: ${label}`, contender, unit: 'x', value }];
  });
}

function curvesOf(contender: string, dimension: string, lines: Points): readonly Curve[] {
  return [...lines].map(([label, { unit, points }]) => ({
    title: `${dimension}: ${label}`,
    unit,
    contender,
    points,
  }));
}
