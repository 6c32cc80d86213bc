// How soon a consumer must be told of a change: at once where the server says that it pushes, else with the next poll.
// A server promises a push by answering a subscribing query with the longer cache time (10 s instead of 3 s).
import type { FlowContext, Limits } from './flow-context.js';

/** `pushCacheMillis` of every Nacos server. */
const PUSH_CACHE_MS = 10_000;
/** What a poll may take beyond its cache time. */
const POLL_MARGIN_MS = 2000;

/** Limits in milliseconds from a change to the consumer's listener, as this server's answers promise them. */
export async function consumerLimits(context: FlowContext): Promise<Limits> {
  const { cacheMillis } = await context.api
    .call({
      method: 'GET',
      path: '/v1/ns/instance/list',
      // Port 9 (discard) of this machine: a datagram to it disturbs nobody.
      query: { serviceName: context.uniqueName('push-promise'), udpPort: '9', clientIP: '127.0.0.1' },
      headers: { 'User-Agent': 'Nacos-Java-Client:v1.4.8' },
    })
    .then(({ body }) => JSON.parse(body) as { readonly cacheMillis: number });
  if (cacheMillis >= PUSH_CACHE_MS) return { strict: [0, 1000], real: [0, 2500] };
  const highest = cacheMillis + POLL_MARGIN_MS;
  return { strict: [0, highest], real: [0, highest] };
}
