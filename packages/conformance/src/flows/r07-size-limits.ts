// R07: lists just under and just over the two size limits: where compression begins, and what a datagram can hold.
import { randomBytes } from 'node:crypto';
import { setTimeout as sleep } from 'node:timers/promises';
import type { Flow } from '../flow.js';
import type { FlowContext } from '../flow-context.js';
import { LONG_LEASE_METADATA } from '../lease-watch.js';
import { PUSH_LIMITS, PushScene } from '../push-scene.js';
import type { UdpReceiver } from '../udp-receiver.js';

const GZIP_FROM_BYTES = 1024;
const DATAGRAM_BYTES_MAX = 65_507;
/** How far from the limit: the size of noise, compressed, is not known to the byte. */
const MARGIN_BYTES = 200;

/** The size of the first push tells how much metadata reaches a limit. */
export const r07Raw: Flow = {
  id: 'R07',
  client: 'raw',
  title:
    'plain up to 1023 bytes, gzip from 1024; pushed up to 65507 bytes, above them told by polling and pushed again after',
  seconds: 10,
  runs: 'together',
  run: async (context) => {
    await requireGzipLimit(context);
    await requireDatagramLimit(context);
  },
};

async function requireGzipLimit(context: FlowContext): Promise<void> {
  const scene = await PushScene.open(context);
  const receiver = await scene.subscriber();
  receiver.acknowledgeAll();
  const bare = await pushOf(context, scene, receiver, { fill: '' });
  context.require(!bare.isGzip, `Datagram of ${bare.bytes} bytes: compressed, expected plain`);
  for (const size of [GZIP_FROM_BYTES - 1, GZIP_FROM_BYTES]) {
    const push = await pushOf(context, scene, receiver, { fill: 'x'.repeat(size - bare.bytes) });
    const isGzip = size >= GZIP_FROM_BYTES;
    context.require(
      push.isGzip === isGzip,
      `Datagram of ${size} bytes: compressed is ${push.isGzip}, expected ${isGzip}`,
    );
    context.require(isGzip || push.bytes === size, `Plain datagram: found ${push.bytes} bytes, expected ${size}`);
  }
}

async function requireDatagramLimit(context: FlowContext): Promise<void> {
  const scene = await PushScene.open(context);
  const receiver = await scene.subscriber();
  receiver.acknowledgeAll();
  // One instance may have 64 KiB of metadata, so a second one carries a part of what does not compress.
  const other = { serviceName: scene.serviceName, ip: '10.70.2.1', port: '8080' };
  await context.api.mustCall({
    method: 'POST',
    path: '/v1/ns/instance',
    form: { ...other, metadata: JSON.stringify({ ...LONG_LEASE_METADATA, noise: noise(40_000) }) },
  });
  const bytesWith = async (length: number) => (await pushOf(context, scene, receiver, { noise: noise(length) })).bytes;
  const [short, long] = [await bytesWith(20_000), await bytesWith(40_000)];
  const lengthFor = (bytes: number): number => Math.round(40_000 + ((bytes - long) * 20_000) / (long - short));

  const under = await bytesWith(lengthFor(DATAGRAM_BYTES_MAX - MARGIN_BYTES));
  context.measure('largest datagram pushed', under, 'B');
  const isNear = under > DATAGRAM_BYTES_MAX - 3 * MARGIN_BYTES;
  context.require(isNear, `Datagram just under the limit: found ${under} bytes, expected nearly ${DATAGRAM_BYTES_MAX}`);

  const before = receiver.pushes.length;
  const { version } = await scene.change({ noise: noise(lengthFor(DATAGRAM_BYTES_MAX + MARGIN_BYTES)) });
  const list = await receiver.query({ serviceName: scene.serviceName });
  const isListed = list.hosts.some(({ metadata }) => metadata.version === version);
  context.require(isListed, 'A list too large for a datagram is not answered to a query');
  await sleep(PUSH_LIMITS.strict[1]);
  const sent = receiver.pushes.length - before;
  context.require(sent === 0, `Datagrams of a list too large for one: found ${sent}, expected 0`);
  await pushOf(context, scene, receiver, { fill: 'small again' });
}

/** The push of a change with this metadata. */
async function pushOf(
  context: FlowContext,
  scene: PushScene,
  receiver: UdpReceiver,
  metadata: Readonly<Record<string, string>>,
) {
  const { pushes } = receiver;
  const fromIndex = pushes.length;
  const { version } = await scene.change(metadata);
  const isWanted = (push: UdpReceiver['pushes'][number]): boolean =>
    push.list.hosts.some((host) => host.metadata.version === version);
  const timeoutMs = PUSH_LIMITS[context.strength][1];
  return receiver.waitForPush(`Push of version "${version}"`, isWanted, { timeoutMs, fromIndex });
}

/** Text that compresses by a quarter only. */
function noise(length: number): string {
  return randomBytes(Math.ceil((length * 3) / 4))
    .toString('base64')
    .slice(0, length);
}
