// F12: the process of a provider is frozen, and later goes on.
import { setTimeout as sleep } from 'node:timers/promises';
import { NpmClient } from '../client/npm-client.js';
import type { Flow } from '../flow.js';
import { DEFAULT_LEASE, watchLeaseEnd } from '../lease-watch.js';
import { watchList } from '../list-watch.js';
import { ObservingProxy } from '../observing-proxy.js';

const PROVIDER_IP = '10.12.0.1';

/** SIGSTOP, wait for the removal, SIGCONT. */
export const f12Npm: Flow = {
  id: 'F12',
  client: 'npm',
  title: 'frozen process: unhealthy 15 s and removed 30 s after the last beat; resumed: healthy again within 10 s',
  seconds: 50,
  runs: 'together',
  run: async (context) => {
    const serviceName = context.uniqueName('service');
    const proxy = await ObservingProxy.start(context.server.endpoint);
    context.defer(() => proxy.close());
    const provider = await NpmClient.start(context, { endpoint: proxy.endpoint });
    await provider.register(serviceName, { ip: PROVIDER_IP, port: 8080 });
    while (proxy.beats.length === 0) await sleep(20);

    provider.freeze();
    const lastBeatAtMs = proxy.beats.at(-1)?.sentAtMs ?? 0;
    await watchLeaseEnd(context, { query: { serviceName }, ip: PROVIDER_IP, lastBeatAtMs, ...DEFAULT_LEASE });

    const resumedAtMs = Date.now();
    provider.resume();
    const healthyAtMs = await watchList(context, {
      query: { serviceName },
      wanted: 'healthy again',
      until: ({ hosts }) => hosts[0]?.healthy === true,
      timeoutMs: 15_000,
    });
    context.requireWithin('resumed to healthy', healthyAtMs - resumedAtMs, 'ms', {
      strict: [0, 10_000],
      real: [0, 10_000],
    });
  },
};
