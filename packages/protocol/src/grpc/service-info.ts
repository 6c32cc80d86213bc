// A service as 2.x and 3.x clients see it: the answer of queries and subscriptions, and the content of pushes.
// Source: contract 10.1 and 10.2 (2.5.1 ServiceInfo and Instance as Jackson writes them).

import { clientInstanceJson } from '../client-instance.js';
import type { ShownInstance } from '../http/shown-instance.js';
import { jsonText } from '../json-text.js';

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
  for (const host of hosts)
    list += `${list === '' ? '' : ','}${clientInstanceJson(host, { healthy: protecting || host.healthy, serviceNameJson: grouped, instanceId: host.instanceId })}`;
  return `{${names}"cacheMillis":${frame.cacheMillis},"hosts":[${list}],"lastRefTime":${frame.lastRefTime},"checksum":"","allIPs":false,"allIps":false,"reachProtectionThreshold":${protecting},"valid":true}`;
}

function member(name: string, value: string | undefined): string {
  return value === undefined ? '' : `"${name}":${jsonText(value)},`;
}
