// F06: how soon a consumer is told of a change.
import { setTimeout as sleep } from 'node:timers/promises';
import { NpmClient } from '../client/npm-client.js';
import type { Flow } from '../flow.js';
import type { FlowContext } from '../flow-context.js';
import { consumerLimits } from '../push-promise.js';
import { PushScene } from '../push-scene.js';

const SERVICES = 5;
const CHANGES = 50;
/** So that a change does not fall into the merge window of the last one of its service, which is 100 ms here. */
const PAUSE_MS = 30;

/** Runs alone, so that the times are those of the server and not of other flows. */
export const f06Npm: Flow = {
  id: 'F06',
  client: 'npm',
  title: '50 metadata changes on 5 services: each told to the listener, p99 within the push limit',
  seconds: 8,
  runs: 'alone',
  run: async (context) => {
    const limits = await consumerLimits(context);
    const consumer = await NpmClient.start(context, { endpoint: context.server.endpoint });
    const scenes: PushScene[] = [];
    for (let index = 0; index < SERVICES; index += 1) {
      const scene = await PushScene.open(context);
      scenes.push(scene);
      await consumer.subscribe({ serviceName: scene.serviceName });
    }
    const isKnown = (scene: PushScene): boolean => consumer.events.some((e) => e.serviceName === scene.serviceName);
    await consumer.waitForEvent('First lists', () => scenes.every(isKnown), { timeoutMs: 5000 });

    const timesMs: number[] = [];
    for (let change = 0; change < CHANGES; change += 1) {
      await sleep(PAUSE_MS);
      timesMs.push(await changeToEvent(context, consumer, scenes[change % SERVICES] as PushScene));
    }
    const sorted = timesMs.toSorted((a, b) => a - b);
    context.measure('change to event, p50', sorted[Math.floor(CHANGES / 2)] ?? 0, 'ms');
    context.requireWithin('change to event, p99', sorted.at(-1) ?? 0, 'ms', limits);
  },
};

async function changeToEvent(context: FlowContext, consumer: NpmClient, scene: PushScene): Promise<number> {
  const fromIndex = consumer.events.length;
  const { version, startedAtMs } = await scene.change();
  const [, timeoutMs] = (await consumerLimits(context))[context.strength];
  const event = await consumer.waitForEvent(
    `Change "${version}"`,
    ({ serviceName, hosts }) => serviceName === scene.serviceName && hosts[0]?.metadata.version === version,
    { timeoutMs: timeoutMs + 1000, fromIndex },
  );
  return event.atMs - startedAtMs;
}
