// Providers and consumers of one kind of HTTP client, each behind a proxy, consumers with a relay of datagrams: what passes is
// seen outside of client and server.
import type { FlowContext } from '../flow-context.js';
import { type Exchange, ObservingProxy } from '../observing-proxy.js';
import type { ObservedClient, ObservedKind } from './observed-client.js';
import { type ObservedSpan, seenAt } from './observed-span.js';
import { type UdpLoss, UdpRelay } from './udp-relay.js';

const NUMBER = /"lastRefTime"\s*:\s*"?(\d+)/;

/** A provider behind a proxy. */
export interface HttpProvider {
  readonly client: ObservedClient;
  readonly proxy: ObservingProxy;
}

/** A consumer behind a proxy and a relay. */
export interface HttpConsumer {
  readonly loss: UdpLoss;
  readonly client: ObservedClient;
  readonly proxy: ObservingProxy;
  readonly relay: UdpRelay;
}

/** Starts a provider; it ends with the flow. */
export async function startHttpProvider(context: FlowContext, kind: ObservedKind): Promise<HttpProvider> {
  const proxy = await ObservingProxy.start(context.server.endpoint);
  context.defer(() => proxy.close());
  return { proxy, client: await kind.start(context, proxy.endpoint) };
}

/** Starts a consumer; it ends with the flow. */
export async function startHttpConsumer(
  context: FlowContext,
  kind: ObservedKind,
  loss: UdpLoss,
): Promise<HttpConsumer> {
  const relay = await UdpRelay.open(loss);
  context.defer(() => relay.close());
  const options = { udpPort: relay.port, onUdpPort: (port: number) => relay.leadTo(port) };
  const proxy = await ObservingProxy.start(context.server.endpoint, options);
  context.defer(() => proxy.close());
  return { loss, relay, proxy, client: await kind.start(context, proxy.endpoint) };
}

/** When the server heard of the provider's instance last: its registration or a beat that was answered. */
export function lastSignOfLife({ proxy }: HttpProvider): ObservedSpan {
  const signs = proxy.exchanges.filter(({ method, path }) => path.endsWith('/beat') || method === 'POST');
  return spanOf(signs.at(-1));
}

/** When the provider deregistered. */
export function deregistration({ proxy }: HttpProvider): ObservedSpan {
  return spanOf(proxy.exchanges.findLast(({ method }) => method === 'DELETE'));
}

/** What ended stages of a consumer's chains in one service, by their names. */
export function consumerEnds({ relay, proxy }: HttpConsumer, serviceName: string) {
  const pushes = relay.datagrams.filter(({ from, text }) => from === 'server' && text.includes(serviceName));
  const numbers = new Set(pushes.map(({ text }) => lastNumber(text)));
  const acknowledgements = relay.datagrams.filter(
    ({ from, text }) => from === 'subscriber' && numbers.has(NUMBER.exec(text)?.[1]),
  );
  const polls = proxy.exchanges.filter(
    ({ path, query }) => path.endsWith('/instance/list') && query.get('serviceName')?.endsWith(serviceName),
  );
  const copies = pushes.map(({ atMs }) => seenAt(atMs));
  return {
    'push-wait': copies,
    'push-lost': copies,
    acknowledge: acknowledgements.map(({ atMs }) => seenAt(atMs)),
    'until-poll': polls.map(spanOf),
  };
}

/** The number of the envelope; lists inside of it have one of their own. */
function lastNumber(text: string): string | undefined {
  return /"lastRefTime"\s*:\s*(\d+)\s*\}\s*$/.exec(text)?.[1];
}

function spanOf(exchange: Exchange | undefined): ObservedSpan {
  return { fromMs: exchange?.sentAtMs ?? 0, untilMs: exchange?.answeredAtMs ?? 0 };
}
