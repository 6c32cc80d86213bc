// The process of one npm client, or of some equal ones: it holds nothing but the published package `nacos`, does what its parent asks, and
// reports the listener's calls. Being a process of its own it can be killed and frozen as an application would be.
// Arguments: server addresses `host:port` with commas, namespace, number of clients. All of them subscribe, the first does everything else.

import { NacosNamingClient } from 'nacos';
import type { ListedHost } from '../naming-api.js';
import type { ClientCall, ClientQuery, ClientReport, ClientRequest } from './npm-client-message.js';

/** What the package really offers; its own declarations leave out metadata and say wrongly what is asynchronous. */
interface NamingClient {
  ready(): Promise<void>;
  registerInstance(serviceName: string, instance: object, groupName?: string): Promise<void>;
  deregisterInstance(serviceName: string, instance: object, groupName?: string): Promise<void>;
  getAllInstances(service: string, group?: string, clusters?: string, subscribe?: boolean): Promise<ListedHost[]>;
  selectInstances(
    service: string,
    group?: string,
    clusters?: string,
    healthy?: boolean,
    subscribe?: boolean,
  ): Promise<ListedHost[]>;
  getServerStatus(): Promise<string>;
  subscribe(query: ClientQuery, listener: (hosts: ListedHost[]) => void): void;
  unSubscribe(query: ClientQuery, listener?: (hosts: ListedHost[]) => void): void;
}

const [serverList = '', namespace = 'public', count = '1'] = process.argv.slice(2);
const quiet = { log: ignore, info: ignore, warn: ignore, error: ignore, debug: ignore } as unknown as Console;
const openedAtMs = Date.now();
const clients = Array.from({ length: Number(count) }, openClient);
const [client] = clients as [NamingClient];
const listeners = new Map<string, readonly ((hosts: ListedHost[]) => void)[]>();

process.on('message', (request: ClientRequest) => {
  perform(request.call).then(
    (value) => report({ kind: 'answer', id: request.id, value }),
    (error: unknown) => report({ kind: 'refusal', id: request.id, message: String(error) }),
  );
});
process.once('disconnect', () => process.exit());
await Promise.all(clients.map((each) => each.ready()));
report({ kind: 'ready', openedAtMs });

async function perform(call: ClientCall): Promise<unknown> {
  switch (call.call) {
    case 'register':
      return client.registerInstance(call.serviceName, call.instance, call.groupName);
    case 'deregister':
      return client.deregisterInstance(call.serviceName, call.instance, call.groupName);
    case 'instances':
      return queryInstances(call.query);
    case 'subscribe':
      return subscribe(call.query);
    case 'unsubscribe':
      return unsubscribe(call.query);
    case 'status':
      return client.getServerStatus();
  }
}

function queryInstances({
  serviceName,
  groupName,
  clusters,
  subscribe: cached,
  healthy,
}: ClientQuery): Promise<ListedHost[]> {
  if (healthy === undefined) return client.getAllInstances(serviceName, groupName, clusters, cached);
  return client.selectInstances(serviceName, groupName, clusters, healthy, cached);
}

function subscribe(query: ClientQuery): void {
  const added = clients.map((each, index) => {
    const listener = (hosts: ListedHost[]): void =>
      report({ kind: 'event', client: index, serviceName: query.serviceName, atMs: Date.now(), hosts });
    each.subscribe(query, listener);
    return listener;
  });
  listeners.set(keyOf(query), added);
}

function unsubscribe(query: ClientQuery): void {
  for (const [index, listener] of (listeners.get(keyOf(query)) ?? []).entries()) {
    clients[index]?.unSubscribe(query, listener);
  }
}

function openClient(): NamingClient {
  return new NacosNamingClient({ logger: quiet, serverList, namespace }) as unknown as NamingClient;
}

function keyOf({ serviceName, groupName, clusters }: ClientQuery): string {
  return JSON.stringify([serviceName, groupName, clusters]);
}

function report(message: ClientReport): void {
  process.send?.(message);
}

function ignore(): void {
  // The client logs every beat; what matters is seen from outside.
}
