// L01 over HTTP: real clients crash, freeze and leave; one consumer gets every datagram, one loses each first copy while its
// polls fail, one gets none. The account of each of the nine is compared with what passed outside of client and server.
import { setTimeout as sleep } from 'node:timers/promises';
import type { Flow } from '../flow.js';
import type { FlowContext } from '../flow-context.js';
import { FlowFailure } from '../flow-failure.js';
import { LONG_LEASE_METADATA } from '../lease-watch.js';
import type { ListedHost } from '../naming-api.js';
import { readAccount, requireLedger } from '../observer/account-answer.js';
import { checkChain } from '../observer/chain-check.js';
import { HistoryWatch } from '../observer/history-watch.js';
import {
  consumerEnds,
  deregistration,
  type HttpConsumer,
  type HttpProvider,
  lastSignOfLife,
  startHttpConsumer,
  startHttpProvider,
} from '../observer/http-scene.js';
import { MachineNoise } from '../observer/machine-noise.js';
import type { ObservedKind } from '../observer/observed-client.js';
import { type ObservedSpan, seenAt } from '../observer/observed-span.js';
import { watchSpan } from '../observer/span-watch.js';
import type { UdpLoss } from '../observer/udp-relay.js';

const ENDS = ['crash', 'freeze', 'exit'] as const;
const LOSSES: readonly UdpLoss[] = ['nothing', 'first-copies', 'everything'];
const ANCHOR_IP = '10.82.0.9';
const IP = '10.82.0.1';
const METADATA = {
  'preserved.heart.beat.interval': '1000',
  'preserved.heart.beat.timeout': '3000',
  'preserved.ip.delete.timeout': '600000',
};
const BEATS_BEFORE = 3;
/** A resend comes after 10 s, and so does a poll. */
const TOLD_TIMEOUT_MS = 30_000;

interface Case {
  readonly end: (typeof ENDS)[number];
  readonly serviceName: string;
  readonly provider: HttpProvider;
  readonly history: HistoryWatch;
}

/** The flow for one kind of client. */
export function observedHttpFlow(kind: ObservedKind): Flow {
  return {
    id: 'L01',
    client: kind.client,
    title:
      'crash, freeze, exit; datagrams lost or blocked: each stage within 50 ms, the sum within 10 ms of what was seen',
    seconds: 35,
    runs: 'alone',
    run: (context) => observe(context, kind),
  };
}

async function observe(context: FlowContext, kind: ObservedKind): Promise<void> {
  await requireLedger(context);
  const noise = new MachineNoise(context);
  const cases: Case[] = [];
  for (const end of ENDS) cases.push(await openCase(context, kind, end));
  const consumers: HttpConsumer[] = [];
  for (const loss of LOSSES) consumers.push(await startHttpConsumer(context, kind, loss));
  for (const { provider } of cases) await waitForBeats(provider, BEATS_BEFORE);
  for (const { client } of consumers) {
    for (const { serviceName } of cases) {
      await client.subscribe(serviceName);
      await client.told(serviceName, (hosts) => isListed(hosts) === 'healthy', TOLD_TIMEOUT_MS);
    }
  }
  await sleep(1000);
  noise.begin();
  for (const { loss, proxy } of consumers) if (loss === 'first-copies') proxy.cutLists();
  const downs = await Promise.all(cases.map((each) => goDown(context, each)));
  await Promise.all(consumers.flatMap((consumer) => cases.map((each) => waitUntilTold(consumer, each))));
  await sleep(200);
  for (const [i, each] of cases.entries())
    for (const consumer of consumers) await compare({ context, noise }, each, consumer, downs[i] as ObservedSpan);
  noise.report();
}

async function openCase(context: FlowContext, kind: ObservedKind, end: Case['end']): Promise<Case> {
  const serviceName = context.uniqueName(end);
  const anchor = { serviceName, ip: ANCHOR_IP, port: '8080', metadata: JSON.stringify(LONG_LEASE_METADATA) };
  await context.api.register(anchor);
  const provider = await startHttpProvider(context, kind);
  await provider.client.register(serviceName, { ip: IP, metadata: METADATA });
  return { end, serviceName, provider, history: await HistoryWatch.open(context, serviceName) };
}

/** @returns when it was unhealthy or gone */
async function goDown(context: FlowContext, { end, serviceName, provider }: Case): Promise<ObservedSpan> {
  await waitForBeats(provider, provider.proxy.beats.length + 1);
  if (end === 'exit') {
    await provider.client.deregister(serviceName, { ip: IP, metadata: METADATA });
    await provider.client.kill();
    return deregistration(provider);
  }
  if (end === 'crash') await provider.client.kill();
  else provider.client.freeze();
  return watchSpan(context, serviceName, {
    wanted: ({ hosts }) => isListed(hosts) === 'unhealthy',
    timeoutMs: 10_000,
  });
}

async function waitUntilTold({ client }: HttpConsumer, { end, serviceName }: Case): Promise<void> {
  const wanted = end === 'exit' ? 'not at all' : 'unhealthy';
  await client.told(serviceName, (hosts) => isListed(hosts) === wanted, TOLD_TIMEOUT_MS);
}

async function compare(
  check: { readonly context: FlowContext; readonly noise: MachineNoise },
  { end, serviceName, provider, history }: Case,
  consumer: HttpConsumer,
  down: ObservedSpan,
): Promise<void> {
  const account = await readAccount(check.context, { serviceName, ip: IP, port: '8080' });
  const own = account.subscribers.find(({ subscriber }) => subscriber.endsWith(`:${consumer.relay.port}`));
  const name = `${end}, loses ${consumer.loss}`;
  if (own === undefined) throw new FlowFailure(`${name}: the subscriber is not in the account`);
  const missed = history.facts.filter(({ type, ip }) => type === 'beat-missed' && ip === IP);
  checkChain(check, own.told, {
    name,
    lastSignOfLife: end === 'exit' ? down : lastSignOfLife(provider),
    down,
    ends: {
      silence: [down, ...missed.map(({ atMs }) => seenAt(atMs))],
      timeout: [down],
      ...consumerEnds(consumer, serviceName),
    },
  });
}

function isListed(hosts: readonly ListedHost[]): 'healthy' | 'unhealthy' | 'not at all' {
  const host = hosts.find(({ ip }) => ip === IP);
  if (host === undefined) return 'not at all';
  return host.healthy ? 'healthy' : 'unhealthy';
}

async function waitForBeats({ proxy }: HttpProvider, count: number): Promise<void> {
  const endsAtMs = Date.now() + TOLD_TIMEOUT_MS;
  while (proxy.beats.length < count) {
    if (Date.now() > endsAtMs) throw new FlowFailure(`${proxy.beats.length} beats came in time, expected ${count}`);
    await sleep(2);
  }
}
