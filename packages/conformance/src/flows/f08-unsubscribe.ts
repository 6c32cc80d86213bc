// F08: a listener that was taken away hears nothing any more.
import { setTimeout as sleep } from 'node:timers/promises';
import { NpmClient } from '../client/npm-client.js';
import type { Flow } from '../flow.js';
import { consumerLimits } from '../push-promise.js';
import { PushScene } from '../push-scene.js';

const SILENCE_MS = 10_000;

/** Two clients listen, one stops to. */
export const f08Npm: Flow = {
  id: 'F08',
  client: 'npm',
  title: 'unsubscribe: no event in 10 s after a change that another listener saw',
  seconds: 16,
  runs: 'together',
  run: async (context) => {
    const { endpoint } = context.server;
    const scene = await PushScene.open(context);
    const { serviceName } = scene;
    const leaving = await NpmClient.start(context, { endpoint });
    const staying = await NpmClient.start(context, { endpoint });
    for (const client of [leaving, staying]) {
      await client.subscribe({ serviceName });
      await client.waitForEvent('First list', () => true, { timeoutMs: 5000 });
    }
    await leaving.unsubscribe({ serviceName });
    const heard = leaving.events.length;
    const { version } = await scene.change();
    const [, withinMs] = (await consumerLimits(context))[context.strength];
    await staying.waitForEvent('Change', ({ hosts }) => hosts[0]?.metadata.version === version, {
      timeoutMs: withinMs + 1000,
    });
    await sleep(SILENCE_MS);
    const events = leaving.events.length - heard;
    context.require(events === 0, `Events after unsubscribing: found ${events}, expected 0`);
  },
};
