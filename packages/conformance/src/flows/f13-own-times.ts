// F13: an instance with lease times of its own, in the preserved metadata keys: 1 s interval, 3 s, 6 s.
import { setTimeout as sleep } from 'node:timers/promises';
import { NpmClient } from '../client/npm-client.js';
import type { Flow } from '../flow.js';
import type { FlowContext } from '../flow-context.js';
import { SHORT_LEASE, watchLeaseEnd } from '../lease-watch.js';
import type { BeatAnswer } from '../naming-api.js';
import { ObservingProxy } from '../observing-proxy.js';

const PROVIDER_IP = '10.13.0.1';
const INTERVAL_MS = 1000;
const METADATA = {
  'preserved.heart.beat.interval': String(INTERVAL_MS),
  'preserved.heart.beat.timeout': '3000',
  'preserved.ip.delete.timeout': '6000',
} as const;

/** The npm client takes its interval from the answers alone. */
export const f13Npm: Flow = {
  id: 'F13',
  client: 'npm',
  title: 'own times 1/3/6 s: beats answered with 1000 ms, then unhealthy at 3 s and removed at 6 s',
  seconds: 22,
  runs: 'together',
  run: async (context) => {
    const serviceName = context.uniqueName('service');
    const proxy = await ObservingProxy.start(context.server.endpoint);
    context.defer(() => proxy.close());
    const provider = await NpmClient.start(context, { endpoint: proxy.endpoint });
    await provider.register(serviceName, { ip: PROVIDER_IP, port: 8080, metadata: METADATA });
    await waitForBeats(context, proxy, 4);
    for (const { body } of proxy.beats) {
      const { clientBeatInterval } = JSON.parse(body) as BeatAnswer;
      context.require(
        clientBeatInterval === INTERVAL_MS,
        `Interval in a beat's answer: found ${clientBeatInterval}, expected ${INTERVAL_MS}`,
      );
    }
    await provider.kill();
    const lastBeatAtMs = proxy.beats.at(-1)?.sentAtMs ?? 0;
    await watchLeaseEnd(context, { query: { serviceName }, ip: PROVIDER_IP, lastBeatAtMs, ...SHORT_LEASE });
  },
};

/** By hand: registered, never beaten. */
export const f13Raw: Flow = {
  id: 'F13',
  client: 'raw',
  title: 'own times without any beat: unhealthy 3 s and removed 6 s after the registration',
  seconds: 8,
  runs: 'together',
  run: async (context) => {
    const serviceName = context.uniqueName('service');
    const lastBeatAtMs = Date.now();
    await context.api.register({ serviceName, ip: PROVIDER_IP, port: '8080', metadata: JSON.stringify(METADATA) });
    await watchLeaseEnd(context, { query: { serviceName }, ip: PROVIDER_IP, lastBeatAtMs, ...SHORT_LEASE });
  },
};

async function waitForBeats(context: FlowContext, proxy: ObservingProxy, count: number): Promise<void> {
  const endsAtMs = Date.now() + 30_000;
  while (proxy.beats.length < count) {
    context.require(
      Date.now() < endsAtMs,
      `Beats of the npm client: found ${proxy.beats.length} in 30 s, expected ${count}`,
    );
    await sleep(10);
  }
}
