// Scenario `client-view`: what a caller pays per call and per pushed list, our client and npm `nacos` in turn. In this process, no
// server: choices per CPU second on a view of 100 instances, CPU time of a pushed list of 1,000, memory of each instance kept.
import { setFlagsFromString } from 'node:v8';
import { runInNewContext } from 'node:vm';
import { consistentHash, type Instance, leastActive, roundRobin, type SelectOptions } from '@rollcall/client';
import { decodeServiceList, LiveView } from '@rollcall/client/internal';
import { serviceKey } from '@rollcall/protocol';
import { type ListKeeper, npmKeeper, ownKeeper } from '../list-keeper.js';
import { pushedListText } from '../pushed-list.js';
import type { FigureRow } from '../round-table.js';
import type { BenchSetting, Scenario, ScenarioReport } from '../scenario.js';
import { spreadOf } from '../spread.js';

const VIEW_INSTANCES = 100;
const LIST_INSTANCES = 1000;
const PUSHES = 50;
const KEYS = 4096;
const KEEPERS = { client: ownKeeper, 'npm nacos': npmKeeper } as const;

/** Choosing, taking pushes and keeping; `--seconds` is how long each way of choosing is measured in a round. */
export const clientViewScenario: Scenario = {
  name: 'client-view',
  title: 'choices per second of 100 instances, a pushed list of 1,000, memory per instance: our client and npm nacos',
  defaults: { rounds: 3, seconds: 1 },
  run: runView,
};

async function runView(setting: BenchSetting): Promise<ScenarioReport> {
  const values = new Map<string, { readonly row: Omit<FigureRow, 'value'>; readonly values: number[] }>();
  const note = (figure: string, contender: string, unit: string, value: number): void => {
    const key = `${figure} ${contender}`;
    const known = values.get(key) ?? { row: { figure, contender, unit }, values: [] };
    known.values.push(value);
    values.set(key, known);
  };
  for (let round = 0; round < setting.rounds; round++) {
    for (const [name, make] of Object.entries(KEEPERS)) await measureKeeper(name, make, setting, note);
    for (const [name, choose] of Object.entries(ownChoices()))
      note(`select, ${name}`, 'client', 'M/CPU s', (await choicesPerCpuSecond(choose, setting.seconds)) / 1e6);
    const text = pushedListText({ service: 'bench', instances: LIST_INSTANCES, version: 1 });
    note(
      'decode 1,000, best of 50',
      'client',
      'CPU ms',
      bestCpuMs(() => decodeServiceList(text)),
    );
    note(
      'decode 1,000, best of 50',
      'JSON.parse',
      'CPU ms',
      bestCpuMs(() => JSON.parse(text)),
    );
  }
  return { rows: [...values.values()].map(({ row, values: all }) => ({ ...row, value: spreadOf(all) })), failures: [] };
}

type Note = (figure: string, contender: string, unit: string, value: number) => void;

async function measureKeeper(
  name: string,
  make: (services: readonly string[]) => ListKeeper,
  { seconds, scale }: BenchSetting,
  note: Note,
): Promise<void> {
  const kept = Array.from({ length: scale === 'smoke' ? 10 : 100 }, (_, i) => `kept${i}`);
  const keeper = make(['small', 'large', ...kept]);
  try {
    keeper.take(pushedListText({ service: 'small', instances: VIEW_INSTANCES, version: 1 }));
    const rate = await choicesPerCpuSecond(() => keeper.choose('small'), seconds);
    note('select, as a caller would', name, 'M/CPU s', rate / 1e6);
    let version = 0;
    const texts = Array.from({ length: PUSHES + 1 }, () =>
      pushedListText({ service: 'large', instances: LIST_INSTANCES, version: ++version }),
    );
    keeper.take(texts.pop() as string);
    note(
      'take a push of 1,000, best of 50',
      name,
      'CPU ms',
      bestCpuMs(() => keeper.take(texts.pop() as string)),
    );
    note('memory of an instance', name, 'bytes', bytesPerInstance(keeper, kept));
  } finally {
    await keeper.close();
  }
}

function ownChoices(): Record<string, () => unknown> {
  const { instances } = decodeServiceList(pushedListText({ service: 'bench', instances: VIEW_INSTANCES, version: 1 }));
  const requests = Array.from({ length: KEYS }, (_, i): SelectOptions => ({ key: `user-${i}` }));
  const busy = leastActive();
  const [inTurn, byKey, idlest] = [roundRobin(), consistentHash(), busy.strategy].map((strategy) => {
    const service = serviceKey('public', 'DEFAULT_GROUP', 'bench');
    const view = new LiveView({ service, clusters: [], strategy, closed: () => {}, listenerFailed: () => {} });
    view.take(instances, { added: instances, removed: [], modified: [] }, 'server');
    return view;
  }) as [LiveView, LiveView, LiveView];
  let turn = 0;
  return {
    'round robin': () => inTurn.select(),
    [`consistent hash, ${KEYS} keys`]: () => byKey.select(requests[turn++ % KEYS]),
    'least active': () => idlest.select(),
    'least active, begun and ended': () => busy.begin(idlest.select() as Instance)(),
  };
}

async function choicesPerCpuSecond(choose: () => unknown, seconds: number): Promise<number> {
  const isPromised = choose() instanceof Promise;
  const endsAt = performance.now() + seconds * 1000;
  const before = process.cpuUsage();
  let choices = 0;
  while (performance.now() < endsAt) {
    if (isPromised) for (let i = 0; i < 1000; i++) await choose();
    else for (let i = 0; i < 1000; i++) choose();
    choices += 1000;
  }
  const { user, system } = process.cpuUsage(before);
  return choices / ((user + system) / 1e6);
}

function bestCpuMs(work: () => unknown): number {
  return Math.min(...Array.from({ length: PUSHES }, () => cpuMs(work)));
}

function cpuMs(work: () => unknown): number {
  const before = process.cpuUsage();
  work();
  const { user, system } = process.cpuUsage(before);
  return (user + system) / 1000;
}

/** Heap of many lists that are kept, as the difference. */
function bytesPerInstance(keeper: ListKeeper, services: readonly string[]): number {
  const texts = services.map((service) => pushedListText({ service, instances: LIST_INSTANCES, version: 1 }));
  setFlagsFromString('--expose-gc');
  const collect = runInNewContext('gc') as () => void;
  collect();
  const before = process.memoryUsage().heapUsed;
  // Each text is made anew by its reader, as that of a datagram is: what keeps it pays for it.
  for (const text of texts) keeper.take(Buffer.from(text).toString());
  collect();
  return (process.memoryUsage().heapUsed - before) / (services.length * LIST_INSTANCES);
}
