// L01: the account of the ledger against an outside observer's clock. An instance falls silent; one subscriber acknowledges at
// once, another loses the first datagram; later an instance leaves. Every stage must be where the observer saw it.
import { setTimeout as sleep } from 'node:timers/promises';
import type { Flow } from '../flow.js';
import type { FlowContext, Limits } from '../flow-context.js';
import { FlowFailure, FlowSkip } from '../flow-failure.js';
import { LONG_LEASE_METADATA } from '../lease-watch.js';
import { UdpReceiver } from '../udp-receiver.js';

const TIMEOUT_MS = 3000;
const SILENT = { ip: '10.80.0.1', port: '8080' } as const;
const LEAVING = { ip: '10.80.0.2', port: '8080' } as const;
const STAGE_LIMITS: Limits = { strict: [-50, 50], real: [-50, 50] };

interface Stage {
  readonly name: string;
  readonly from: number;
  readonly to: number;
  readonly ms: number;
  readonly cause: string;
}

interface Told {
  readonly stages: readonly Stage[];
  readonly to: number;
  readonly totalMs: number;
  readonly end: string;
}

interface Account {
  readonly cause: string;
  readonly incident: { readonly from: number; readonly downAt: number };
  readonly subscribers: readonly { readonly subscriber: string; readonly told: Told }[];
}

/** By hand, since every moment must be known. */
export const l01Raw: Flow = {
  id: 'L01',
  client: 'raw',
  title: 'the account of a silent and of a leaving instance is what an observer saw, each stage within 50 ms',
  seconds: 16,
  runs: 'alone',
  run: async (context) => {
    const serviceName = context.uniqueName('service');
    const metadata = JSON.stringify({ 'preserved.heart.beat.timeout': String(TIMEOUT_MS) });
    await context.api.register({ serviceName, ...SILENT, metadata });
    await context.api.register({ serviceName, ...LEAVING, metadata: JSON.stringify(LONG_LEASE_METADATA) });
    await requireLedger(context, serviceName);
    const prompt = await UdpReceiver.open(context);
    const losing = await UdpReceiver.open(context);
    prompt.acknowledgeAll();
    for (const receiver of [prompt, losing]) await receiver.query({ serviceName });
    await sleep(1000);
    const lastBeatAtMs = Date.now();
    await context.api.beat({ serviceName, ...SILENT });
    const told = await unhealthyPush(prompt, 0);
    const lost = await unhealthyPush(losing, 0);
    losing.acknowledgeAll();
    const again = await unhealthyPush(losing, losing.pushes.indexOf(lost) + 1);
    await sleep(100);
    const account = await accountOf(context, serviceName, SILENT);
    context.requireWithin('last sign of life', account.incident.from - lastBeatAtMs, 'ms', STAGE_LIMITS);
    const downAtMs = lastBeatAtMs + TIMEOUT_MS;
    context.requireWithin('unhealthy', account.incident.downAt - downAtMs, 'ms', STAGE_LIMITS);
    requireChain(context, 'prompt', chainOf(account, prompt), { fromMs: lastBeatAtMs, toMs: told.atMs });
    const lossy = chainOf(account, losing);
    requireChain(context, 'losing', lossy, { fromMs: lastBeatAtMs, toMs: again.atMs });
    const loss = lossy.stages.find(({ cause }) => cause === 'push-lost');
    context.require(loss !== undefined, 'Stage of the lost push: there is none');
    context.requireWithin('lost push', (loss?.ms ?? 0) - (again.atMs - lost.atMs), 'ms', STAGE_LIMITS);
    await requireExit(context, serviceName, prompt);
  },
};

async function requireExit(context: FlowContext, serviceName: string, prompt: UdpReceiver): Promise<void> {
  const fromIndex = prompt.pushes.length;
  const leftAtMs = Date.now();
  await context.api.deregister({ serviceName, ...LEAVING });
  const isGone = ({ list }: (typeof prompt.pushes)[number]) => !list.hosts.some(({ ip }) => ip === LEAVING.ip);
  const told = await prompt.waitForPush('Exit', isGone, { timeoutMs: 5000, fromIndex });
  await sleep(100);
  const account = await accountOf(context, serviceName, LEAVING);
  requireChain(context, 'exit', chainOf(account, prompt), { fromMs: leftAtMs, toMs: told.atMs });
}

/** The chain adds up, and begins, ends and lasts as the observer saw. */
function requireChain(
  context: FlowContext,
  which: string,
  { stages, to, totalMs, end }: Told,
  { fromMs, toMs }: { readonly fromMs: number; readonly toMs: number },
): void {
  const sum = stages.reduce((all, { ms }) => all + ms, 0);
  context.require(sum === totalMs, `Stages of ${which}: they add up to ${sum} ms, the total says ${totalMs}`);
  context.require(end === 'told', `End of ${which}: found "${end}", expected "told"`);
  context.requireWithin(`${which} knew`, to - toMs, 'ms', STAGE_LIMITS);
  context.requireWithin(`total of ${which}`, totalMs - (toMs - fromMs), 'ms', STAGE_LIMITS);
}

function unhealthyPush(receiver: UdpReceiver, fromIndex: number) {
  return receiver.waitForPush(
    'Silent instance unhealthy',
    ({ list }) => list.hosts.some(({ ip, healthy }) => ip === SILENT.ip && !healthy),
    { timeoutMs: 14_000, fromIndex },
  );
}

function chainOf({ subscribers }: Account, receiver: UdpReceiver): Told {
  const found = subscribers.find(({ subscriber }) => subscriber === `127.0.0.1:${receiver.port}`);
  if (found === undefined) throw new FlowFailure(`Account: subscriber 127.0.0.1:${receiver.port} is not in it`);
  return found.told;
}

async function accountOf(
  context: FlowContext,
  serviceName: string,
  instance: { readonly ip: string; readonly port: string },
): Promise<Account> {
  const query = { serviceName, ...instance };
  return JSON.parse(await context.api.mustCall({ method: 'GET', path: '/rollcall/v1/why', query })) as Account;
}

async function requireLedger(context: FlowContext, serviceName: string): Promise<void> {
  const { status } = await context.api.call({
    method: 'GET',
    path: '/rollcall/v1/history',
    query: { serviceName },
  });
  if (status !== 200) throw new FlowSkip(`the server keeps no history: status ${status}`);
}
