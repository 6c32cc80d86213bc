// A service as 2.x and 3.x clients see it: the answer of queries and subscriptions, and the content of pushes.
// Source: contract 10.1 and 10.2 (2.5.1 ServiceInfo and Instance as Jackson writes them).

import type { ShownInstance } from '../http/shown-instance.js';
import { DEFAULT_BEAT_INTERVAL_MS, ID_GENERATOR_KEY, leaseTimesOf } from '../instance.js';
import { jsonDouble } from '../java-number.js';
import { jsonText } from '../json-text.js';
import { metadataJson } from '../metadata-text.js';

/** What a service info says besides its hosts. */
export interface ServiceInfoFrame {
  /** Plain names; undefined ones are left out, as for a query that named none. */
  readonly name: string | undefined;
  readonly groupName: string | undefined;
  /** Echo of what was asked: clients build their cache key from it. Undefined is left out. */
  readonly clusters: string | undefined;
  readonly cacheMillis: number;
  /** Version of the list, epoch ms: clients drop what is not newer. */
  readonly lastRefTime: number;
  /** `all-healthy` while protection holds: every host is shown as healthy. */
  readonly health: 'real' | 'all-healthy';
}

/** The JSON of a service info. `allIPs` is the name in 2.x, `allIps` in 3.x: both are sent. */
export function serviceInfoJson(frame: ServiceInfoFrame, hosts: readonly ShownInstance[]): string {
  const names = member('name', frame.name) + member('groupName', frame.groupName) + member('clusters', frame.clusters);
  const grouped = jsonText(`${frame.groupName ?? ''}@@${frame.name ?? ''}`);
  const protecting = frame.health === 'all-healthy';
  let list = '';
  for (const host of hosts) list += `${list === '' ? '' : ','}${hostJson(host, protecting, grouped)}`;
  return `{${names}"cacheMillis":${frame.cacheMillis},"hosts":[${list}],"lastRefTime":${frame.lastRefTime},"checksum":"","allIPs":false,"allIps":false,"reachProtectionThreshold":${protecting},"valid":true}`;
}

function member(name: string, value: string | undefined): string {
  return value === undefined ? '' : `"${name}":${jsonText(value)},`;
}

function hostJson(host: ShownInstance, protecting: boolean, grouped: string): string {
  const { beatIntervalMs, beatTimeoutMs, deleteTimeoutMs } = leaseTimesOf(host.metadata);
  const generator = host.metadata.size === 0 ? 'simple' : host.metadata.get(ID_GENERATOR_KEY);
  return `{"instanceId":${jsonText(host.instanceId)},"ip":${jsonText(host.ip)},"port":${host.port},"weight":${jsonDouble(host.weight)},"healthy":${protecting || host.healthy},"enabled":${host.enabled},"ephemeral":${host.kind === 'ephemeral'},"clusterName":${jsonText(host.cluster)},"serviceName":${grouped},"metadata":${metadataJson(host.metadata)},"instanceHeartBeatInterval":${beatIntervalMs ?? DEFAULT_BEAT_INTERVAL_MS},"instanceHeartBeatTimeOut":${beatTimeoutMs},"ipDeleteTimeout":${deleteTimeoutMs}${generator === undefined ? '' : `,"instanceIdGenerator":${jsonText(generator)}`}}`;
}
