// Scenario `client-view`: what a caller pays per call and per pushed list. In this process, no server: choices per CPU second
// on a view of 100 instances, CPU time to decode a list of 1,000, memory of each instance of a list that is kept.
import { setFlagsFromString } from 'node:v8';
import { runInNewContext } from 'node:vm';
import { consistentHash, leastActive, roundRobin, weightedRandom } from '@rollcall/client';
import { decodeServiceList, LiveView } from '@rollcall/client/internal';
import { serviceKey } from '@rollcall/protocol';
import type { FigureRow } from '../round-table.js';
import type { BenchSetting, Scenario, ScenarioReport } from '../scenario.js';
import { spreadOf } from '../spread.js';

const VIEW_INSTANCES = 100;
const LIST_INSTANCES = 1000;
const STRATEGIES = {
  'weighted random': weightedRandom(),
  'round robin': roundRobin(),
  'consistent hash': consistentHash(),
  'least active': leastActive().strategy,
};

/** Choosing, decoding and keeping; `--seconds` is how long each strategy chooses in a round. */
export const clientViewScenario: Scenario = {
  name: 'client-view',
  title: 'the client: choices per second of 100 instances, decoding a list of 1,000, memory per instance',
  defaults: { rounds: 3, seconds: 1 },
  run: (setting) => Promise.resolve(runView(setting)),
};

function runView(setting: BenchSetting): ScenarioReport {
  const rounds = Array.from({ length: setting.rounds }, (_, round) => round);
  const rows = Object.entries(STRATEGIES).map(([name, strategy]): FigureRow => {
    const view = viewOf(strategy);
    const values = rounds.map(() => choicesPerCpuSecond(view, setting.seconds) / 1e6);
    return { figure: `select, ${name}`, contender: 'client', unit: 'M/CPU s', value: spreadOf(values) };
  });
  const text = listText(LIST_INSTANCES);
  const decoding = rounds.map(() =>
    Math.min(...Array.from({ length: 50 }, () => cpuMs(() => decodeServiceList(text)))),
  );
  rows.push({ figure: 'decode 1,000, best of 50', contender: 'client', unit: 'CPU ms', value: spreadOf(decoding) });
  rows.push({
    figure: 'memory of an instance',
    contender: 'client',
    unit: 'bytes',
    value: spreadOf(rounds.map(() => bytesPerInstance())),
  });
  return { rows, failures: [] };
}

function viewOf(strategy: (typeof STRATEGIES)[keyof typeof STRATEGIES]): LiveView {
  const service = serviceKey('public', 'DEFAULT_GROUP', 'bench');
  const view = new LiveView({ service, clusters: [], strategy, closed: () => {}, listenerFailed: () => {} });
  const { instances } = decodeServiceList(listText(VIEW_INSTANCES));
  view.take(instances, { added: instances, removed: [], modified: [] }, 'server');
  return view;
}

function choicesPerCpuSecond(view: LiveView, seconds: number): number {
  const endsAt = performance.now() + seconds * 1000;
  const before = process.cpuUsage();
  let choices = 0;
  while (performance.now() < endsAt) {
    for (let i = 0; i < 5000; i++) view.select();
    choices += 5000;
  }
  const { user, system } = process.cpuUsage(before);
  return choices / ((user + system) / 1e6);
}

function cpuMs(work: () => unknown): number {
  const before = process.cpuUsage();
  work();
  const { user, system } = process.cpuUsage(before);
  return (user + system) / 1000;
}

/** Heap of many lists that are kept, as the difference; garbage of decoding is small against it. */
function bytesPerInstance(): number {
  const lists = 200;
  const text = listText(LIST_INSTANCES);
  setFlagsFromString('--expose-gc');
  const collect = runInNewContext('gc') as () => void;
  collect();
  const before = process.memoryUsage().heapUsed;
  const kept = Array.from({ length: lists }, () => decodeServiceList(text).instances);
  collect();
  const bytes = process.memoryUsage().heapUsed - before;
  return kept.length === lists ? bytes / (lists * LIST_INSTANCES) : Number.NaN;
}

function listText(count: number): string {
  const hosts = Array.from({ length: count }, (_, i) => ({
    ip: `10.0.${i >> 8}.${i & 255}`,
    port: 8080,
    valid: true,
    healthy: true,
    marked: false,
    instanceId: `10.0.${i >> 8}.${i & 255}#8080#DEFAULT#DEFAULT_GROUP@@bench`,
    metadata: { version: '1.2.3', zone: 'a' },
    enabled: true,
    weight: 1,
    clusterName: 'DEFAULT',
    serviceName: 'DEFAULT_GROUP@@bench',
    ephemeral: true,
  }));
  return JSON.stringify({ name: 'DEFAULT_GROUP@@bench', cacheMillis: 10_000, lastRefTime: 1, hosts });
}
