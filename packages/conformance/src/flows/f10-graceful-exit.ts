// F10: an orderly exit. Each deregistration reaches a consumer.
import { NpmClient } from '../client/npm-client.js';
import type { Flow } from '../flow.js';
import { consumerLimits } from '../push-promise.js';

const DEREGISTRATIONS = 8;

/** Eight deregistrations, one after another; a ninth instance stays, because this client ignores empty lists. */
export const f10Npm: Flow = {
  id: 'F10',
  client: 'npm',
  title: '8 deregistrations, each told to the consumer within the push limit',
  seconds: 25,
  runs: 'together',
  run: async (context) => {
    const { endpoint } = context.server;
    const limits = await consumerLimits(context);
    const provider = await NpmClient.start(context, { endpoint });
    const consumer = await NpmClient.start(context, { endpoint });
    const serviceName = context.uniqueName('service');
    const instances = Array.from({ length: DEREGISTRATIONS + 1 }, (_, index) => ({
      ip: `10.10.0.${index}`,
      port: 8080,
    }));
    for (const instance of instances) await provider.register(serviceName, instance);
    await consumer.subscribe({ serviceName });
    const timeoutMs = limits[context.strength][1] + 5000;
    await consumer.waitForEvent('All hosts', ({ hosts }) => hosts.length === instances.length, { timeoutMs });

    const timesMs: number[] = [];
    for (const instance of instances.slice(1)) {
      const fromIndex = consumer.events.length;
      const startedAtMs = Date.now();
      await provider.deregister(serviceName, instance);
      const isGone = ({ hosts }: { readonly hosts: readonly { readonly ip: string }[] }): boolean =>
        !hosts.some(({ ip }) => ip === instance.ip);
      const event = await consumer.waitForEvent(`"${instance.ip}" gone`, isGone, { timeoutMs, fromIndex });
      timesMs.push(event.atMs - startedAtMs);
    }
    const sorted = timesMs.toSorted((a, b) => a - b);
    context.measure('deregister to event, median', sorted[Math.floor(sorted.length / 2)] ?? 0, 'ms');
    context.requireWithin('deregister to event, slowest', sorted.at(-1) ?? 0, 'ms', limits);
  },
};
