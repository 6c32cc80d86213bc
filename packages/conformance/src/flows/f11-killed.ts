// F11: the process of a provider is killed. From its last beat, seen outside of it, the instance is unhealthy after 15 s
// and removed after 30 s, and the consumer is told of both.
import { setTimeout as sleep } from 'node:timers/promises';
import { NpmClient } from '../client/npm-client.js';
import type { Flow } from '../flow.js';
import type { FlowContext } from '../flow-context.js';
import { DEFAULT_LEASE, type LeaseEnd, LONG_LEASE_METADATA, watchLeaseEnd } from '../lease-watch.js';
import { ObservingProxy } from '../observing-proxy.js';
import { consumerLimits } from '../push-promise.js';

const ANCHOR_IP = '10.11.0.9';
const PROVIDER_IP = '10.11.0.1';

/** kill -9 of the npm client's process. */
export const f11Npm: Flow = {
  id: 'F11',
  client: 'npm',
  title: 'kill -9: unhealthy 15 s and removed 30 s after the last beat, each within 0.5 s, the consumer told of both',
  seconds: 50,
  runs: 'together',
  run: async (context) => {
    const serviceName = context.uniqueName('service');
    const proxy = await ObservingProxy.start(context.server.endpoint);
    context.defer(() => proxy.close());
    const provider = await NpmClient.start(context, { endpoint: proxy.endpoint });
    const consumer = await NpmClient.start(context, { endpoint: context.server.endpoint });
    // A second instance keeps the list from being empty, which this consumer would ignore.
    await registerAnchor(context, serviceName);
    await provider.register(serviceName, { ip: PROVIDER_IP, port: 8080 });
    await consumer.subscribe({ serviceName });
    await consumer.waitForEvent('Both hosts', ({ hosts }) => hosts.length === 2, { timeoutMs: 10_000 });

    await waitForBeat(context, proxy);
    await provider.kill();
    const lastBeatAtMs = proxy.beats.at(-1)?.sentAtMs ?? 0;
    const end = await watchLeaseEnd(context, {
      query: { serviceName },
      ip: PROVIDER_IP,
      lastBeatAtMs,
      ...DEFAULT_LEASE,
    });
    await requireConsumerTold(context, consumer, end, lastBeatAtMs);
  },
};

/** By hand: one light beat, then silence. The last beat's time is known to the millisecond. */
export const f11Raw: Flow = {
  id: 'F11',
  client: 'raw',
  title: 'silence after a light beat: unhealthy 15 s and removed 30 s after it, each within 0.5 s',
  seconds: 33,
  runs: 'together',
  run: async (context) => {
    const serviceName = context.uniqueName('service');
    const address = { serviceName, ip: PROVIDER_IP, port: '8080' };
    await context.api.register(address);
    await sleep(2000);
    const lastBeatAtMs = Date.now();
    await context.api.beat(address);
    await watchLeaseEnd(context, { query: { serviceName }, ip: PROVIDER_IP, lastBeatAtMs, ...DEFAULT_LEASE });
  },
};

function registerAnchor(context: FlowContext, serviceName: string): Promise<void> {
  const metadata = JSON.stringify(LONG_LEASE_METADATA);
  return context.api.register({ serviceName, ip: ANCHOR_IP, port: '8080', metadata });
}

async function waitForBeat(context: FlowContext, proxy: ObservingProxy): Promise<void> {
  const endsAtMs = Date.now() + 20_000;
  while (proxy.beats.length === 0) {
    context.require(Date.now() < endsAtMs, 'First beat of the npm client: none within 20 s');
    await sleep(20);
  }
}

async function requireConsumerTold(
  context: FlowContext,
  consumer: NpmClient,
  end: LeaseEnd,
  lastBeatAtMs: number,
): Promise<void> {
  const push = await consumerLimits(context);
  const allowed = { strict: [-1000, push.strict[1] + 500], real: [-1000, push.real[1] + 500] } as const;
  const timeoutMs = allowed[context.strength][1];
  const unhealthy = await consumer.waitForEvent(
    'Consumer told of unhealthy',
    ({ hosts }) => hosts.some(({ ip, healthy }) => ip === PROVIDER_IP && !healthy),
    { timeoutMs },
  );
  const removed = await consumer.waitForEvent(
    'Consumer told of the removal',
    ({ hosts, atMs }) => atMs > unhealthy.atMs && !hosts.some(({ ip }) => ip === PROVIDER_IP),
    { timeoutMs },
  );
  context.measure('last beat to consumer told unhealthy', (unhealthy.atMs - lastBeatAtMs) / 1000, 's');
  context.measure('last beat to consumer told removed', (removed.atMs - lastBeatAtMs) / 1000, 's');
  context.requireWithin('unhealthy to event', unhealthy.atMs - end.unhealthyAtMs, 'ms', allowed);
  context.requireWithin('removed to event', removed.atMs - end.removedAtMs, 'ms', allowed);
}
