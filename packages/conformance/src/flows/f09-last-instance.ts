// F09: the last instance of a service goes. The list is empty; a client that protects itself against empty lists, as the
// npm client always does, keeps what it had.
import { NpmClient } from '../client/npm-client.js';
import type { Flow } from '../flow.js';
import { watchList } from '../list-watch.js';
import { consumerLimits } from '../push-promise.js';

/** By the npm client. */
export const f09Npm: Flow = {
  id: 'F09',
  client: 'npm',
  title: 'last deregistration: neutral list empty within 1 s, the consumer keeps its list and sees no error',
  seconds: 7,
  runs: 'together',
  run: async (context) => {
    const { endpoint } = context.server;
    const provider = await NpmClient.start(context, { endpoint });
    const consumer = await NpmClient.start(context, { endpoint });
    const serviceName = context.uniqueName('service');
    const instance = { ip: '10.9.0.1', port: 8080 };
    await provider.register(serviceName, instance);
    await consumer.subscribe({ serviceName });
    await consumer.waitForEvent('First event', ({ hosts }) => hosts.length === 1, { timeoutMs: 5000 });

    const startedAtMs = Date.now();
    await provider.deregister(serviceName, instance);
    const emptyAtMs = await watchList(context, {
      query: { serviceName },
      wanted: 'an empty list',
      until: ({ hosts }) => hosts.length === 0,
      timeoutMs: 5000,
    });
    context.requireWithin('start of call to empty list', emptyAtMs - startedAtMs, 'ms', {
      strict: [0, 1000],
      real: [0, 1500],
    });

    const [, toldWithinMs] = (await consumerLimits(context))[context.strength];
    await new Promise((resolve) => setTimeout(resolve, toldWithinMs));
    const isEmptySeen = consumer.events.some(({ hosts }) => hosts.length === 0);
    context.require(!isEmptySeen, 'The consumer, which ignores empty lists, was told 0 hosts');
    const kept = await consumer.instances({ serviceName, clusters: 'DEFAULT', subscribe: true });
    context.require(kept.length === 1, `Hosts that the consumer keeps: found ${kept.length}, expected 1`);
  },
};
