// What HTTP v2 says of instances inside its envelope; v3 shows them as gRPC does.
// Source: Nacos 2.5.1 InstanceDetailInfoVo, ServiceInfo; http-v2-v3 contract 5.3.

import type { ShownInstance } from '../http/shown-instance.js';
import { jsonDouble } from '../java-number.js';
import { jsonText } from '../json-text.js';
import { metadataJson } from '../metadata-text.js';
import type { ServiceKey } from '../service-key.js';

/** What a list says besides its hosts. */
export interface HostListFrame {
  readonly service: ServiceKey;
  /** Echo of what was asked. */
  readonly clusters: string;
  readonly cacheMillis: number;
  /** Version of the list, epoch ms. */
  readonly lastRefTime: number;
  readonly protecting: boolean;
}

/** Answer of GET `/v2/ns/instance`: real health. @param instanceId - null when the instance was given none */
export function instanceDetailJson(service: ServiceKey, instance: ShownInstance, instanceId: string | null): string {
  const id = instanceId === null ? 'null' : jsonText(instanceId);
  return `{"serviceName":${jsonText(service.grouped)},"ip":${jsonText(instance.ip)},"port":${instance.port},"clusterName":${jsonText(instance.cluster)},"weight":${jsonDouble(instance.weight)},"healthy":${instance.healthy},"instanceId":${id},"metadata":${metadataJson(instance.metadata)}}`;
}

/** Answer of GET `/v2/ns/instance/list`: the name is grouped, and the group is there once more. @param hostsJson - the hosts, JSON array */
export function hostListJson(frame: HostListFrame, hostsJson: string): string {
  const { service } = frame;
  return `{"name":${jsonText(service.grouped)},"groupName":${jsonText(service.group)},"clusters":${jsonText(frame.clusters)},"cacheMillis":${frame.cacheMillis},"hosts":${hostsJson},"lastRefTime":${frame.lastRefTime},"checksum":"","allIPs":false,"allIps":false,"reachProtectionThreshold":${frame.protecting},"valid":true}`;
}
