// The process of the Rust SDK, by its binding for Node. Arguments: servers, namespace, number of clients.

import { NacosNamingClient, type NacosServiceInstance } from 'nacos-sdk-rust-binding-node';
import type { ListedHost } from '../naming-api.js';
import { report, serveCalls } from './driver-lines.js';
import type { SdkCall } from './sdk-message.js';

const [serverAddr = '', namespace = '', count = '1'] = process.argv.slice(2);
const clients = Array.from(
  { length: Number(count) },
  () => new NacosNamingClient({ serverAddr, namespace, appName: 'conformance', namingPushEmptyProtection: false }),
);
const [first] = clients as [NacosNamingClient];

serveCalls(perform);

async function perform({ call, service, group, instances }: SdkCall): Promise<ListedHost[] | undefined> {
  const [instance] = instances as [ListedHost];
  switch (call) {
    case 'register':
      await first.registerInstance(service, group, instance);
      return undefined;
    case 'deregister':
      await first.deregisterInstance(service, group, instance);
      return undefined;
    case 'batch':
      await first.batchRegisterInstance(service, group, [...instances]);
      return undefined;
    case 'query':
      return (await first.getAllInstances(service, group, [], false)).map(shown);
    case 'subscribe':
      await Promise.all(clients.map((client, index) => subscribe(client, index, service, group)));
      return undefined;
  }
}

function subscribe(client: NacosNamingClient, index: number, service: string, group: string): Promise<void> {
  return client.subscribe(service, group, [], (error, hosts) => {
    if (error === null) report({ kind: 'event', client: index, service, atMs: Date.now(), hosts: hosts.map(shown) });
  });
}

function shown(host: NacosServiceInstance): ListedHost {
  const { ip, port, weight = 1, healthy = true, enabled = true, ephemeral = true, clusterName = '' } = host;
  return { ip, port, weight, healthy, enabled, ephemeral, clusterName, metadata: host.metadata ?? {} };
}
