// The interface of the npm package `nacos` on top of our client, so that a team can change one import: same methods, same
// arguments, same shape of hosts. What that package gets wrong on the way is right here; docs/client-migration.md lists it.
// Source: nacos-naming 2.6.0 (interface observed by using it); contract client-1x 10.

import { EventEmitter } from 'node:events';
import { leaseTimesOf } from '@rollcall/protocol';
import {
  type AccessKey,
  type ConnectOptions,
  type Credentials,
  type Instance,
  type InstanceOptions,
  type LiveView,
  RegistryClient,
  type ViewEvent,
} from './index.js';

/** An instance as that package lists it. */
export interface Host {
  readonly instanceId: string;
  readonly ip: string;
  readonly port: number;
  readonly weight: number;
  readonly healthy: boolean;
  readonly enabled: boolean;
  readonly ephemeral: boolean;
  readonly clusterName: string;
  /** `group@@name`. */
  readonly serviceName: string;
  readonly metadata: Readonly<Record<string, string>>;
  readonly instanceHeartBeatInterval: number;
  readonly instanceHeartBeatTimeOut: number;
  readonly ipDeleteTimeout: number;
}

/** An instance as that package registers it. */
export interface NacosInstance {
  readonly ip: string;
  readonly port: number;
  readonly weight?: number;
  /** Older name of `healthy`. */
  readonly valid?: boolean;
  readonly healthy?: boolean;
  readonly enabled?: boolean;
  readonly ephemeral?: boolean;
  readonly clusterName?: string;
  readonly metadata?: Readonly<Record<string, unknown>>;
  readonly instanceId?: string;
  readonly serviceName?: string;
}

/** Which service a listener is for. */
export interface SubscribeInfo {
  readonly serviceName: string;
  readonly groupName?: string;
  /** Separated by commas, any order; empty for all. */
  readonly clusters?: string;
}

/** Options of that package that have a meaning here. Others are ignored. */
export interface NacosNamingClientConfig {
  /** Gets `info` and `warn` lines. */
  readonly logger?: Pick<Console, 'info' | 'warn'>;
  readonly serverList?: string | readonly string[];
  readonly namespace?: string;
  readonly username?: string;
  readonly password?: string;
  readonly ak?: string;
  readonly sk?: string;
  readonly appName?: string;
  readonly endpoint?: string;
  readonly ssl?: boolean;
}

/** Called with the current hosts and with each change. */
export type HostsListener = (hosts: readonly Host[]) => void;

/** Drop-in for `NacosNamingClient` of the npm package `nacos`. Emits `error` never; a failed call rejects. */
export class NacosNamingClient extends EventEmitter {
  readonly #client: RegistryClient;
  readonly #lookups = new Map<string, LiveView>();
  readonly #listeners = new Map<string, Map<HostsListener, LiveView>>();

  /** @param config - see there @throws ClientError `invalid-parameter` for an address that cannot be read */
  constructor(config: NacosNamingClientConfig = {}) {
    super();
    this.#client = new RegistryClient(connectOptionsOf(config));
  }

  /** Resolves at once: nothing needs to be waited for. */
  async ready(): Promise<void> {}

  /** Registers and keeps an instance. */
  async registerInstance(serviceName: string, instance: NacosInstance, groupName?: string): Promise<void> {
    await this.#client.register(serviceOf(serviceName, groupName), instanceOptionsOf(instance));
  }

  /** Takes an instance out, in the group that is named. */
  async deregisterInstance(serviceName: string, instance: NacosInstance, groupName?: string): Promise<void> {
    await this.#client.deregister(serviceOf(serviceName, groupName), instanceOptionsOf(instance));
  }

  /** All hosts of a service. @param subscribe - false asks the server and leaves no trace; default true answers from memory */
  async getAllInstances(serviceName: string, groupName?: string, clusters = '', subscribe = true): Promise<Host[]> {
    const service = serviceOf(serviceName, groupName);
    const grouped = `${service.group}@@${service.name}`;
    if (!subscribe) {
      const wanted = clusterNames(clusters);
      const instances = await this.#client.instances(service);
      return hostsOf(
        wanted.length === 0 ? instances : instances.filter(({ cluster }) => wanted.includes(cluster)),
        grouped,
      );
    }
    const key = keyOf(grouped, clusters);
    const view = this.#lookups.get(key) ?? this.#client.subscribe(service, { clusters: clusterNames(clusters) });
    this.#lookups.set(key, view);
    await this.#client.untilListed(view);
    return hostsOf(view.instances, grouped);
  }

  /** Hosts that are enabled, have a weight, and are healthy (or, with false, unhealthy). */
  async selectInstances(
    serviceName: string,
    groupName?: string,
    clusters = '',
    healthy = true,
    subscribe = true,
  ): Promise<Host[]> {
    const hosts = await this.getAllInstances(serviceName, groupName, clusters, subscribe);
    return hosts.filter((host) => host.healthy === healthy && host.enabled && host.weight > 0);
  }

  /** One usable host by weight, as the Java client has it. @returns undefined when there is none */
  async selectOneHealthyInstance(serviceName: string, groupName?: string, clusters = ''): Promise<Host | undefined> {
    const hosts = await this.getAllInstances(serviceName, groupName, clusters);
    const service = serviceOf(serviceName, groupName);
    const grouped = `${service.group}@@${service.name}`;
    const chosen = hosts.length === 0 ? undefined : this.#lookups.get(keyOf(grouped, clusters))?.select();
    return chosen && hostOf(chosen, grouped);
  }

  /** Names of the services of a group. */
  async getServicesOfServer(
    pageNo: number,
    pageSize: number,
    groupName?: string,
  ): Promise<{ count: number; data: string[] }> {
    const group = groupName === undefined ? {} : { group: groupName };
    const { count, names } = await this.#client.services({ page: pageNo, pageSize, ...group });
    return { count, data: [...names] };
  }

  /** `UP` or `DOWN`. */
  getServerStatus(): Promise<'UP' | 'DOWN'> {
    return this.#client.status();
  }

  /** Calls the listener with the current hosts, as soon as they are known, and with each change. The same function counts once. */
  subscribe(info: SubscribeInfo | string, listener: HostsListener): void {
    const { service, grouped, clusters, key } = subscriptionOf(info);
    const listeners = this.#listeners.get(key) ?? new Map<HostsListener, LiveView>();
    if (listeners.has(listener)) return;
    const view = this.#client.subscribe(service, { clusters });
    listeners.set(listener, view);
    this.#listeners.set(key, listeners);
    view.onChange(({ instances }: ViewEvent) => listener(hostsOf(instances, grouped)));
  }

  /** Removes the listener, or without one all of them; the last one ends the polling. */
  unSubscribe(info: SubscribeInfo | string, listener?: HostsListener): void {
    const { key } = subscriptionOf(info);
    const listeners = this.#listeners.get(key);
    if (listeners === undefined) return;
    for (const [known, view] of [...listeners]) {
      if (listener !== undefined && known !== listener) continue;
      listeners.delete(known);
      view.close();
    }
    if (listeners.size === 0) this.#listeners.delete(key);
  }

  /** Deregisters what was registered, and frees everything. */
  close(): Promise<void> {
    return this.#client.close();
  }
}

function connectOptionsOf(config: NacosNamingClientConfig): ConnectOptions {
  return {
    ...(config.endpoint === undefined ? serversOf(config) : { endpoint: endpointOf(config.endpoint) }),
    // As the client that it replaces: over gRPC a service takes instances of one kind only.
    protocol: 'http',
    namespace: config.namespace,
    credentials: credentialsOf(config),
    accessKey: accessKeyOf(config),
    tls: config.ssl === true ? {} : undefined,
    app: config.appName,
    logger: config.logger && {
      isEnabled: (level) => level !== 'debug',
      log: (level, event, fields) => (level === 'info' ? config.logger?.info : config.logger?.warn)?.(event, fields),
    },
  };
}

function serversOf({ serverList }: NacosNamingClientConfig): Pick<ConnectOptions, 'servers'> {
  return serverList === undefined ? {} : { servers: serverList };
}

function endpointOf(endpoint: string): { host: string; port?: number } {
  const [host = '', port] = endpoint.split(':');
  return port === undefined ? { host } : { host, port: Number(port) };
}

function credentialsOf({ username, password }: NacosNamingClientConfig): Credentials | undefined {
  return username === undefined || username === '' ? undefined : { username, password: password ?? '' };
}

function accessKeyOf({ ak, sk }: NacosNamingClientConfig): AccessKey | undefined {
  return ak === undefined || sk === undefined || ak === '' || sk === '' ? undefined : { accessKey: ak, secretKey: sk };
}

function serviceOf(serviceName: string, groupName = 'DEFAULT_GROUP'): { name: string; group: string } {
  const at = serviceName.indexOf('@@');
  return at < 0
    ? { name: serviceName, group: groupName }
    : { name: serviceName.slice(at + 2), group: serviceName.slice(0, at) };
}

function subscriptionOf(info: SubscribeInfo | string) {
  const { serviceName, groupName, clusters = '' } = typeof info === 'string' ? { serviceName: info } : info;
  const service = serviceOf(serviceName, groupName);
  const grouped = `${service.group}@@${service.name}`;
  return { service, grouped, clusters: clusterNames(clusters), key: keyOf(grouped, clusters) };
}

function instanceOptionsOf(instance: NacosInstance): InstanceOptions {
  const metadata = Object.entries(instance.metadata ?? {}).map(([key, value]) => [key, String(value)]);
  return {
    ip: instance.ip,
    port: instance.port,
    weight: instance.weight,
    healthy: instance.valid ?? instance.healthy,
    enabled: instance.enabled,
    ephemeral: instance.ephemeral,
    cluster: instance.clusterName,
    metadata: Object.fromEntries(metadata),
  };
}

/** Trimmed, sorted, each once: `A,B` and `B, A` are one subscription. */
function clusterNames(clusters: string): string[] {
  return [...new Set(clusters.split(',').map((name) => name.trim()))].filter((name) => name !== '').sort();
}

function keyOf(grouped: string, clusters: string): string {
  return `${grouped}@@${clusterNames(clusters).join(',')}`;
}

function hostsOf(instances: readonly Instance[], grouped: string): Host[] {
  return instances.map((instance) => hostOf(instance, grouped));
}

function hostOf(instance: Instance, grouped: string): Host {
  const { id, cluster, ...rest } = instance;
  const lease = leaseTimesOf(new Map(Object.entries(instance.metadata)));
  return {
    ...rest,
    instanceId: id,
    clusterName: cluster,
    serviceName: grouped,
    instanceHeartBeatInterval: lease.beatIntervalMs ?? 5000,
    instanceHeartBeatTimeOut: lease.beatTimeoutMs,
    ipDeleteTimeout: lease.deleteTimeoutMs,
  };
}
