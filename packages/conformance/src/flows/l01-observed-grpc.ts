// L01 over gRPC: real clients crash, freeze and leave, each behind a relay of bytes; the account of each is compared with what
// passed there. A push over a connection cannot be lost, so there is one consumer.
import { setTimeout as sleep } from 'node:timers/promises';
import type { Flow } from '../flow.js';
import type { FlowContext } from '../flow-context.js';
import { FlowFailure } from '../flow-failure.js';
import type { ListedHost } from '../naming-api.js';
import { readAccount, requireLedger } from '../observer/account-answer.js';
import { checkChain } from '../observer/chain-check.js';
import { MachineNoise } from '../observer/machine-noise.js';
import type { ObservedClient, ObservedKind } from '../observer/observed-client.js';
import { type ObservedSpan, seenAt } from '../observer/observed-span.js';
import { watchSpan } from '../observer/span-watch.js';
import { TcpRelay } from '../observer/tcp-relay.js';

const ENDS = ['crash', 'freeze', 'exit'] as const;
const IP = '10.83.0.1';
const TOLD_TIMEOUT_MS = 10_000;
/** A silent connection is asked after 20 s and given up 5 s later. */
const SILENT_TIMEOUT_MS = 40_000;
const MESSAGE = /[A-Z]\w+(Request|Response)/;

interface Party {
  readonly client: ObservedClient;
  readonly relay: TcpRelay;
}

interface Case extends Party {
  readonly end: (typeof ENDS)[number];
  readonly serviceName: string;
}

/** The flow for one kind of client. */
export function observedGrpcFlow(kind: ObservedKind): Flow {
  return {
    id: 'L01',
    client: kind.client,
    title: 'crash, freeze and exit of gRPC clients: each stage within 50 ms, the sum within 10 ms of what was seen',
    seconds: 40,
    runs: 'alone',
    run: (context) => observe(context, kind),
  };
}

async function observe(context: FlowContext, kind: ObservedKind): Promise<void> {
  await requireLedger(context);
  const noise = new MachineNoise(context);
  const cases: Case[] = [];
  for (const end of ENDS) {
    const serviceName = context.uniqueName(end);
    const party = await open(context, kind);
    await party.client.register(serviceName, { ip: IP, metadata: {} });
    cases.push({ ...party, end, serviceName });
  }
  const consumer = await open(context, kind);
  for (const { serviceName } of cases) {
    await consumer.client.subscribe(serviceName);
    await consumer.client.told(serviceName, isListed, TOLD_TIMEOUT_MS);
  }
  await sleep(1000);
  noise.begin();
  await Promise.all(
    cases.map(async (each) => {
      const { from, down } = await goDown(context, each);
      await consumer.client.told(each.serviceName, (hosts) => !isListed(hosts), TOLD_TIMEOUT_MS);
      await sleep(200);
      await compare({ context, noise }, { ...each, from, down }, consumer);
    }),
  );
  noise.report();
}

async function open(context: FlowContext, kind: ObservedKind): Promise<Party> {
  const relay = await TcpRelay.start(context.server.endpoint);
  context.defer(() => relay.close());
  return { relay, client: await kind.start(context, relay.endpoint) };
}

/** @returns its last sign of life, and when it was gone */
async function goDown(
  context: FlowContext,
  { end, serviceName, client, relay }: Case,
): Promise<{ readonly from: ObservedSpan; readonly down: ObservedSpan }> {
  const gone = watchSpan(context, serviceName, {
    wanted: ({ hosts }) => !isListed(hosts),
    timeoutMs: SILENT_TIMEOUT_MS,
  });
  const startedAtMs = Date.now();
  if (end === 'freeze') {
    client.freeze();
    const down = await gone;
    const sign = relay.passed.findLast(({ from, text }) => from === 'client' && MESSAGE.test(text));
    return { from: seenAt(sign?.atMs ?? 0), down };
  }
  if (end === 'exit') await client.deregister(serviceName, { ip: IP, metadata: {} });
  else await client.kill();
  const down = await gone;
  const asked = relay.passed.findLast(({ from, text }) => from === 'client' && text.includes('deregisterInstance'));
  const left = end === 'exit' ? asked : relay.ends.find(({ from }) => from === 'client');
  const seen = seenAt(left?.atMs ?? startedAtMs);
  return { from: seen, down: { fromMs: seen.fromMs, untilMs: down.untilMs } };
}

async function compare(
  check: { readonly context: FlowContext; readonly noise: MachineNoise },
  { end, serviceName, from, down }: Case & { readonly from: ObservedSpan; readonly down: ObservedSpan },
  { relay }: Party,
): Promise<void> {
  const account = await readAccount(check.context, { serviceName, ip: IP, port: '8080' });
  const own = account.subscribers.find(({ transport }) => transport === 'stream');
  if (own === undefined) throw new FlowFailure(`${end}: the subscriber is not in the account`);
  const passed = (side: 'server' | 'client', text: string) =>
    relay.passed.filter((bytes) => bytes.from === side && bytes.text.includes(text)).map(({ atMs }) => seenAt(atMs));
  const pushes = relay.passed.filter(
    ({ from: side, text }) =>
      side === 'server' && text.includes('NotifySubscriberRequest') && text.includes(serviceName),
  );
  checkChain(check, own.told, {
    name: end,
    lastSignOfLife: from,
    down,
    ends: {
      silence: [down],
      'push-wait': pushes.map(({ atMs }) => seenAt(atMs)),
      acknowledge: passed('client', 'NotifySubscriberResponse'),
    },
  });
}

function isListed(hosts: readonly ListedHost[]): boolean {
  return hosts.some(({ ip }) => ip === IP);
}
