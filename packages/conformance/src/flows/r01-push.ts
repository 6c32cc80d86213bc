// R01: what a datagram holds and how soon it comes.
import { setTimeout as sleep } from 'node:timers/promises';
import type { Flow } from '../flow.js';
import { PushScene } from '../push-scene.js';
import { UdpReceiver } from '../udp-receiver.js';

const NO_RESEND_MS = 12_000;
const MANY = 30;
const CLUSTERS = 'DEFAULT,other';

/** One small list, and one of 30 hosts, which is compressed. */
export const r01Raw: Flow = {
  id: 'R01',
  client: 'raw',
  title:
    'datagram within 1 s of the change: envelope, name, echoed clusters, 30 hosts; acknowledged: no resend in 12 s',
  seconds: 16,
  runs: 'together',
  run: async (context) => {
    const scene = await PushScene.open(context);
    const { serviceName } = scene;
    const receiver = await UdpReceiver.open(context);
    await receiver.query({ serviceName, clusters: CLUSTERS });
    const push = await scene.changeAndExpect(receiver, 'change to datagram');
    context.measure('datagram of one host', push.bytes, 'B');
    context.require(push.type === 'dom', `Type of the envelope: found "${push.type}", expected "dom"`);
    context.require(/^\d+$/.test(push.digits), `lastRefTime of the envelope: found "${push.digits}", expected digits`);
    const { name, clusters } = push.list;
    const grouped = `DEFAULT_GROUP@@${serviceName}`;
    context.require(name === grouped, `Name in the datagram: found "${name}", expected "${grouped}"`);
    context.require(clusters === CLUSTERS, `Clusters in the datagram: found "${clusters}", expected "${CLUSTERS}"`);
    await receiver.acknowledge(push);

    receiver.acknowledgeAll();
    const startedAtMs = Date.now();
    for (let index = 1; index < MANY; index += 1) {
      await context.api.register({ serviceName, ip: `10.70.1.${index}`, port: '8080' });
    }
    const large = await receiver.waitForPush('30 hosts', ({ list }) => list.hosts.length === MANY, { timeoutMs: 5000 });
    context.requireWithin('30 registrations to datagram', large.atMs - startedAtMs, 'ms', {
      strict: [0, 3000],
      real: [0, 6000],
    });
    context.require(large.isGzip, 'The datagram of 30 hosts is not compressed');
    context.measure('datagram of 30 hosts, compressed', large.bytes, 'B');
    await sleep(500);
    const count = receiver.pushes.length;
    // Instances that never beat become unhealthy after 15 s; nothing else may come until then.
    await sleep(NO_RESEND_MS - 500);
    const more = receiver.pushes.length - count;
    context.require(more === 0, `Datagrams after the acknowledgement: found ${more}, expected none in 12 s`);
  },
};
