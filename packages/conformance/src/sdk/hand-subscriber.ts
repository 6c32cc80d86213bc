// A gRPC subscriber by hand, for flows that want more of them than a process of an SDK can keep up with.

import { setTimeout as sleep } from 'node:timers/promises';
import type { FlowContext } from '../flow-context.js';
import { GrpcPeer } from '../golden-grpc/grpc-peer.js';
import type { ListedHost } from '../naming-api.js';

const SETUP = { clientVersion: 'conformance', labels: { source: 'sdk', module: 'naming' }, module: 'internal' };
/** What clients of 2.x wait after their setup, since nothing answers it. */
const SETUP_MS = 100;

/** Opens a connection that subscribes to a service and acknowledges what it is pushed; closed when the flow ends. */
export async function handSubscriber(context: FlowContext, service: string): Promise<GrpcPeer> {
  const { host, port } = context.server.endpoint;
  const peer = await GrpcPeer.open({ host, port }, {});
  context.defer(() => peer.close('tcp'));
  await peer.request({ type: 'ServerCheckRequest', body: bytesOf({}) });
  peer.write({ type: 'ConnectionSetupRequest', body: bytesOf(SETUP) });
  await sleep(SETUP_MS);
  const subscription = { namespace: 'public', serviceName: service, groupName: 'DEFAULT_GROUP', subscribe: true };
  const reply = await peer.request({
    type: 'SubscribeServiceRequest',
    body: bytesOf({ ...subscription, clusters: '' }),
  });
  const answered = 'payload' in reply ? reply.payload.type : JSON.stringify(reply);
  context.require(answered === 'SubscribeServiceResponse', `Subscription by hand: answered "${answered}"`);
  return peer;
}

/** Hosts of the newest push that a subscriber got, with the time of its arrival; undefined before the first one. */
export function newestList(
  peer: GrpcPeer,
): { readonly atMs: number; readonly hosts: readonly ListedHost[] } | undefined {
  const push = peer.inbox.findLast(({ type }) => type === 'NotifySubscriberRequest');
  return push && { atMs: push.atMs, hosts: (JSON.parse(push.body) as Push).serviceInfo.hosts };
}

interface Push {
  readonly serviceInfo: { readonly hosts: readonly ListedHost[] };
}

function bytesOf(value: object): Buffer {
  return Buffer.from(JSON.stringify(value));
}
