// F07: datagrams go astray, as they do behind a firewall: polling brings the change.
import { setTimeout as sleep } from 'node:timers/promises';
import { NpmClient } from '../client/npm-client.js';
import type { Flow } from '../flow.js';
import { ObservingProxy } from '../observing-proxy.js';
import { PushScene } from '../push-scene.js';
import { UdpReceiver } from '../udp-receiver.js';

/** `cacheMillis` of a subscriber, and a margin. */
const LIMITS = { strict: [0, 12_000], real: [0, 12_000] } as const;

/** The client polls once more soon after the first list, and then every `cacheMillis`. */
const EARLY_POLL_MS = 2500;

/** A proxy names another UDP port to the server than the client's: that of a receiver that never acknowledges. */
export const f07Npm: Flow = {
  id: 'F07',
  client: 'npm',
  title: 'datagrams go astray: the change is seen by polling within cacheMillis + 2 s',
  seconds: 14,
  runs: 'together',
  run: async (context) => {
    const scene = await PushScene.open(context);
    const elsewhere = await UdpReceiver.open(context);
    const proxy = await ObservingProxy.start(context.server.endpoint, { udpPort: elsewhere.port });
    context.defer(() => proxy.close());
    const consumer = await NpmClient.start(context, { endpoint: proxy.endpoint });
    await consumer.subscribe({ serviceName: scene.serviceName });
    await consumer.waitForEvent('First list', () => true, { timeoutMs: 5000 });
    await sleep(EARLY_POLL_MS);
    const { version, startedAtMs } = await scene.change();
    const event = await consumer.waitForEvent('Change', ({ hosts }) => hosts[0]?.metadata.version === version, {
      timeoutMs: LIMITS.strict[1] + 1000,
    });
    context.requireWithin('change to event by polling', event.atMs - startedAtMs, 'ms', LIMITS);
    context.require(elsewhere.pushes.length > 0, 'No datagram went astray: the server sent none');
  },
};
