// The process of our own client. The only file of this package that may import it: what judges must not know what it judges.
// Arguments: protocol, servers, namespace, number of clients.

import { connect, type Instance, type RegistryClient, type ServiceName } from '@rollcall/client';
import type { ListedHost } from '../naming-api.js';
import { report, serveCalls } from './driver-lines.js';
import type { SdkCall } from './sdk-message.js';

const [protocol, servers = '', namespace = '', count = '1'] = process.argv.slice(2);
const clients = Array.from({ length: Number(count) }, () =>
  connect({ servers, namespace, app: 'conformance', protocol: protocol === 'http' ? 'http' : 'grpc' }),
);
const [first] = clients as [RegistryClient];
/** What the last batch of a service left registered. */
const batches = new Map<string, readonly ListedHost[]>();

serveCalls(perform);

async function perform({ call, service, group, instances }: SdkCall): Promise<ListedHost[] | undefined> {
  const name = { name: service, group };
  const [instance] = instances as [ListedHost];
  switch (call) {
    case 'register':
      await first.register(name, optionsOf(instance));
      return undefined;
    case 'deregister':
      await first.deregister(name, optionsOf(instance));
      return undefined;
    case 'batch':
      await replaceBatch(name, instances);
      return undefined;
    case 'query':
      return (await first.instances(name)).map(shown);
    case 'subscribe':
      await Promise.all(clients.map((client, index) => follow(client, index, name, service)));
      return undefined;
  }
}

/** Our client takes each instance by itself and sends those of one service together. */
async function replaceBatch(name: ServiceName, instances: readonly ListedHost[]): Promise<void> {
  const key = JSON.stringify(name);
  const isKept = (host: ListedHost): boolean => instances.some(({ ip, port }) => ip === host.ip && port === host.port);
  const leaving = (batches.get(key) ?? []).filter((host) => !isKept(host));
  batches.set(key, instances);
  await Promise.all([
    ...instances.map((host) => first.register(name, optionsOf(host))),
    ...leaving.map((host) => first.deregister(name, optionsOf(host))),
  ]);
}

async function follow(client: RegistryClient, index: number, name: ServiceName, service: string): Promise<void> {
  const view = client.subscribe(name);
  view.onChange(({ instances }) =>
    report({ kind: 'event', client: index, service, atMs: Date.now(), hosts: instances.map(shown) }),
  );
  await view.ready;
}

function optionsOf({ clusterName, ...host }: ListedHost): Omit<Instance, 'id'> {
  return { ...host, cluster: clusterName };
}

function shown({ cluster, ip, port, weight, healthy, enabled, ephemeral, metadata }: Instance): ListedHost {
  return { ip, port, weight, healthy, enabled, ephemeral, clusterName: cluster, metadata };
}
