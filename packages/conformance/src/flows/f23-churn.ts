// F23: many changes in a short time. They are merged; what counts is that soon after the last one everybody has the newest
// list.
import { setTimeout as sleep } from 'node:timers/promises';
import { type ClientEvent, NpmClient } from '../client/npm-client.js';
import type { Flow } from '../flow.js';
import type { FlowContext } from '../flow-context.js';
import { FlowFailure } from '../flow-failure.js';
import { PushScene } from '../push-scene.js';
import type { UdpReceiver } from '../udp-receiver.js';

const CHANGES = 1000;
const CHANGE_EVERY_MS = 10;
const RECEIVERS = 100;
const NPM_CLIENTS = 20;
const LIMITS = { strict: [0, 1000], real: [0, 12_000] } as const;

/** 100 receivers by hand. */
export const f23Raw: Flow = {
  id: 'F23',
  client: 'raw',
  title: '1000 changes in 10 s, 100 subscribers: all have the last one within 1 s of its answer',
  seconds: 13,
  runs: 'alone',
  run: async (context) => {
    const scene = await PushScene.open(context);
    const receivers: UdpReceiver[] = [];
    for (let index = 0; index < RECEIVERS; index += 1) {
      const receiver = await scene.subscriber();
      receiver.acknowledgeAll();
      receivers.push(receiver);
    }
    const version = await churn(context, scene);
    await waitUntilAll(context, receivers, ({ pushes }) => pushes.at(-1)?.list.hosts[0]?.metadata.version === version);
    const datagrams = receivers.reduce((sum, { pushes }) => sum + pushes.length, 0);
    context.measure('datagrams per subscriber', datagrams / RECEIVERS, '');
  },
};

/** 20 clients in one process. */
export const f23Npm: Flow = {
  id: 'F23',
  client: 'npm',
  title: '1000 changes in 10 s, 20 npm clients: all listeners have the last one within 1 s of its answer',
  seconds: 15,
  runs: 'alone',
  run: async (context) => {
    const scene = await PushScene.open(context);
    const { serviceName } = scene;
    const consumer = await NpmClient.start(context, { endpoint: context.server.endpoint, clients: NPM_CLIENTS });
    await consumer.subscribe({ serviceName });
    const lastOf = (): (ClientEvent | undefined)[] => {
      const last: (ClientEvent | undefined)[] = Array.from({ length: NPM_CLIENTS }, () => undefined);
      for (const event of consumer.events) last[event.client] = event;
      return last;
    };
    await consumer.waitForEvent('First lists', () => lastOf().every((e) => e !== undefined), { timeoutMs: 10_000 });
    const version = await churn(context, scene);
    await waitUntilAll(context, [lastOf], (last) => last().every((e) => e?.hosts[0]?.metadata.version === version));
  },
};

/** Changes at an even pace. @returns the last version, which the neutral list shows */
async function churn(context: FlowContext, scene: PushScene): Promise<string> {
  const startedAtMs = performance.now();
  let version = '';
  for (let change = 0; change < CHANGES; change += 1) {
    const aheadMs = startedAtMs + change * CHANGE_EVERY_MS - performance.now();
    if (aheadMs > 0) await sleep(aheadMs);
    version = (await scene.change()).version;
  }
  context.measure('seconds for 1000 changes', (performance.now() - startedAtMs) / 1000, 's');
  const { hosts } = await context.api.list({ serviceName: scene.serviceName });
  context.require(hosts[0]?.metadata.version === version, `Neutral list: not "${version}" after the last answer`);
  return version;
}

async function waitUntilAll<T>(
  context: FlowContext,
  all: readonly T[],
  isReached: (each: T) => boolean,
): Promise<void> {
  const startedAtMs = performance.now();
  const highestMs = LIMITS[context.strength][1] + 2000;
  for (;;) {
    const left = all.filter((each) => !isReached(each)).length;
    if (left === 0) break;
    if (performance.now() - startedAtMs > highestMs) throw new FlowFailure(`${left} have no newest list`);
    await sleep(5);
  }
  context.requireWithin('last answer to newest list everywhere', performance.now() - startedAtMs, 'ms', LIMITS);
}
