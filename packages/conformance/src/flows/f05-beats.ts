// F05: an instance that beats stays healthy; every beat is answered as known, with the interval to keep.
import { setTimeout as sleep } from 'node:timers/promises';
import { NpmClient } from '../client/npm-client.js';
import type { Flow } from '../flow.js';
import type { FlowContext } from '../flow-context.js';
import { holdList } from '../list-watch.js';
import type { BeatAnswer } from '../naming-api.js';
import { ObservingProxy } from '../observing-proxy.js';

const DURATION_MS = 35_000;
const INTERVAL_MS = 5000;

/** Full beats, as the npm client sends them, seen at a proxy. */
export const f05Npm: Flow = {
  id: 'F05',
  client: 'npm',
  title: '35 s healthy by full beats, each answered 10200 with an interval of 5000 ms',
  seconds: 36,
  runs: 'together',
  run: async (context) => {
    const proxy = await ObservingProxy.start(context.server.endpoint);
    context.defer(() => proxy.close());
    const client = await NpmClient.start(context, { endpoint: proxy.endpoint });
    const serviceName = context.uniqueName('service');
    await client.register(serviceName, { ip: '10.5.0.1', port: 8080 });
    await holdHealthy(context, serviceName);

    // The client's loop first looks for instances up to 10 s after its start, then keeps the interval it is told.
    context.require(proxy.beats.length >= 5, `Beats in 35 s: found ${proxy.beats.length}, expected at least 5`);
    context.measure('beats', proxy.beats.length, '');
    for (const { status, body } of proxy.beats) {
      context.require(status === 200, `Answer to a beat: found status ${status} "${body}"`);
      requireKnown(context, JSON.parse(body) as BeatAnswer);
    }
  },
};

/** Light beats, as Java clients send them after the first. */
export const f05Raw: Flow = {
  id: 'F05',
  client: 'raw',
  title: '35 s healthy by light beats, each answered 10200 with lightBeatEnabled',
  seconds: 36,
  runs: 'together',
  run: async (context) => {
    const serviceName = context.uniqueName('service');
    const address = { serviceName, ip: '10.5.0.2', port: '8080' };
    await context.api.register(address);
    await Promise.all([holdHealthy(context, serviceName), sendLightBeats(context, address)]);
  },
};

async function holdHealthy(context: FlowContext, serviceName: string): Promise<void> {
  await holdList(context, {
    query: { serviceName },
    wanted: 'one healthy host',
    while: ({ hosts }) => hosts.length === 1 && hosts[0]?.healthy === true,
    forMs: DURATION_MS,
    everyMs: 50,
  });
}

async function sendLightBeats(context: FlowContext, address: Readonly<Record<string, string>>): Promise<void> {
  for (let sentMs = INTERVAL_MS; sentMs <= DURATION_MS; sentMs += INTERVAL_MS) {
    await sleep(INTERVAL_MS);
    const answer = await context.api.beat({ ...address, clusterName: 'DEFAULT' });
    requireKnown(context, answer);
    context.require(
      answer.lightBeatEnabled === true,
      `lightBeatEnabled in the answer to a beat: found ${answer.lightBeatEnabled}, expected true`,
    );
  }
}

function requireKnown(context: FlowContext, { code, clientBeatInterval }: BeatAnswer): void {
  context.require(code === 10_200, `Code of a beat's answer: found ${code}, expected 10200`);
  context.require(
    clientBeatInterval === INTERVAL_MS,
    `Interval in a beat's answer: found ${clientBeatInterval}, expected ${INTERVAL_MS}`,
  );
}
