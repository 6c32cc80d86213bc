// L02: 60 instances whose last beats are spread over a scan interval of real servers: how long after its last beat is each one
// unhealthy, and gone, in the list? A server that looks at deadlines has the same answer for all of them.
import { setTimeout as sleep } from 'node:timers/promises';
import type { Flow } from '../flow.js';
import type { FlowContext } from '../flow-context.js';
import { FlowFailure } from '../flow-failure.js';
import type { ListAnswer } from '../naming-api.js';
import { MachineNoise } from '../observer/machine-noise.js';
import { percentile } from '../sdk/percentile.js';

const INSTANCES = 60;
/** Real servers look every 5 s. */
const SPREAD_MS = 5000;
const PAUSE_MS = 2;
const UNHEALTHY_MS = 15_000;
const REMOVED_MS = 30_000;
/** A change is seen by the next query, which takes part of this. */
const LIMIT_MS = 50;
const WATCH_MS = 45_000;

interface Watched {
  readonly ip: string;
  /** When its last beat was answered, wall clock ms; the server had it a little before. */
  readonly lastBeatAtMs: number;
  unhealthyAtMs?: number;
  removedAtMs?: number;
}

/** Figures, and limits on a quiet machine. */
export const l02Raw: Flow = {
  id: 'L02',
  client: 'raw',
  title:
    '60 instances fall silent over 5 s: unhealthy 15.0 + 0.05 s and removed 30.0 + 0.05 s after the last beat of each',
  seconds: 38,
  runs: 'alone',
  run: async (context) => {
    const noise = new MachineNoise(context);
    const serviceName = context.uniqueName('service');
    const address = (n: number) => ({ serviceName, ip: `10.84.0.${n + 1}`, port: '8080' });
    for (let n = 0; n < INSTANCES; n++) await context.api.register(address(n));
    noise.begin();
    const watched: Watched[] = [];
    for (let n = 0; n < INSTANCES; n++) {
      await context.api.beat(address(n));
      watched.push({ ip: address(n).ip, lastBeatAtMs: Date.now() });
      await sleep(SPREAD_MS / INSTANCES);
    }
    await watchAll(context, serviceName, watched);
    judge(context, noise, 'unhealthy', UNHEALTHY_MS, watched, ({ unhealthyAtMs }) => unhealthyAtMs);
    judge(context, noise, 'removed', REMOVED_MS, watched, ({ removedAtMs }) => removedAtMs);
    noise.report();
  },
};

/** Asks for the list until nobody is in it, and notes when each was first seen otherwise. */
async function watchAll(context: FlowContext, serviceName: string, watched: readonly Watched[]): Promise<void> {
  const endsAtMs = Date.now() + WATCH_MS;
  for (;;) {
    const list = await context.api.list({ serviceName });
    note(list, watched);
    if (list.hosts.length === 0) return;
    if (Date.now() > endsAtMs) throw new FlowFailure(`${list.hosts.length} instances are listed after ${WATCH_MS} ms`);
    await sleep(PAUSE_MS);
  }
}

function note({ hosts }: ListAnswer, watched: readonly Watched[]): void {
  const nowMs = Date.now();
  const healthyByIp = new Map(hosts.map(({ ip, healthy }) => [ip, healthy]));
  for (const each of watched) {
    const healthy = healthyByIp.get(each.ip);
    if (healthy === false) each.unhealthyAtMs ??= nowMs;
    if (healthy === undefined) each.removedAtMs ??= nowMs;
  }
}

function judge(
  context: FlowContext,
  noise: MachineNoise,
  what: string,
  promisedMs: number,
  watched: readonly Watched[],
  atMs: (each: Watched) => number | undefined,
): void {
  const seconds = watched.map((each) => {
    const seenAtMs = atMs(each);
    if (seenAtMs === undefined) throw new FlowFailure(`"${each.ip}" was never seen ${what}`);
    return (seenAtMs - each.lastBeatAtMs) / 1000;
  });
  seconds.sort((a, b) => a - b);
  const [first, last] = [seconds[0] ?? 0, seconds.at(-1) ?? 0];
  context.measure(`last beat to ${what}, first`, first, 's');
  context.measure(`last beat to ${what}, p50`, percentile(seconds, 0.5), 's');
  context.measure(`last beat to ${what}, last`, last, 's');
  noise.requireAtMost(`The last one ${what}`, Math.round(last * 1000 - promisedMs), LIMIT_MS);
  noise.requireAtMost(`The first one ${what}`, Math.round(promisedMs - first * 1000), LIMIT_MS);
}
