// The answer of `/instance/list`, built by hand because every change of a service builds it again for all who ask.
// Source: Nacos 1.4.8 InstanceController.doSrvIpxt (member order, three shapes); contract 6. Also the `data` of a UDP push.

import type { Metadata } from '../instance.js';
import { jsonDouble } from '../java-number.js';
import { jsonText } from '../json-text.js';
import { metadataJson } from '../metadata-text.js';
import type { ServiceKey } from '../service-key.js';
import { shownServiceName } from '../service-name.js';
import type { ShownInstance } from './shown-instance.js';

/** What a list answer says besides its hosts. */
export interface InstanceListFrame {
  readonly service: ServiceKey;
  /** Metadata of the service. */
  readonly metadata: Metadata;
  /** Whether `dom` and host names carry the group, see `groupedNames`. `name` always does. */
  readonly names: 'grouped' | 'bare';
  /** Echo of what was asked; clients build their cache key from it and `name`. */
  readonly clusters: string;
  readonly env: string;
  /** After how many ms the client should ask again. */
  readonly cacheMillis: number;
  /** Time of the content, epoch ms; clients drop older answers. */
  readonly lastRefTime: number;
  /** 32 lower-case hexadecimal digits over the content. */
  readonly checksum: string;
  /** `real`, or `all-healthy` while protection holds: every host is shown as healthy. */
  readonly health: 'real' | 'all-healthy';
}

/** The answer for a service that is known. @param hosts - what was selected, in the order in which it is shown */
export function instanceListJson(frame: InstanceListFrame, hosts: readonly ShownInstance[]): string {
  const { service } = frame;
  const shownName = jsonText(frame.names === 'grouped' ? service.grouped : shownServiceName(service.name));
  const name = jsonText(service.grouped);
  const head = `"dom":${shownName},"name":${name},"cacheMillis":${frame.cacheMillis},"lastRefTime":${frame.lastRefTime},"checksum":"${frame.checksum}","useSpecifiedURL":false,"clusters":${jsonText(frame.clusters)},"env":${jsonText(frame.env)}`;
  const metadata = metadataJson(frame.metadata);
  if (hosts.length === 0) return `{${head},"hosts":[],"metadata":${metadata}}`;
  const tail = `,"serviceName":${shownName},"ephemeral":`;
  let json = '{"hosts":[';
  for (let i = 0; i < hosts.length; i++) {
    if (i > 0) json += ',';
    json += hostJson(hosts[i] as ShownInstance, frame.health, tail);
  }
  return `${json}],${head},"metadata":${metadata}}`;
}

/** The answer for a service that is not known: four members and no time. */
export function unknownServiceListJson(frame: Pick<InstanceListFrame, 'service' | 'clusters' | 'cacheMillis'>): string {
  return `{"name":${jsonText(frame.service.grouped)},"clusters":${jsonText(frame.clusters)},"cacheMillis":${frame.cacheMillis},"hosts":[]}`;
}

/** The answer when only a check was asked for and something was selected. */
export const CHECK_ONLY_ANSWER = '{}';

function hostJson(host: ShownInstance, health: InstanceListFrame['health'], tail: string): string {
  const healthy = health === 'all-healthy' || host.healthy;
  const metadata = host.metadata.size === 0 ? '{}' : metadataJson(host.metadata);
  const weight = host.weight === 1 ? '1.0' : jsonDouble(host.weight);
  return `{"ip":${jsonText(host.ip)},"port":${host.port},"valid":${healthy},"healthy":${healthy},"marked":false,"instanceId":${jsonText(host.instanceId)},"metadata":${metadata},"enabled":${host.enabled},"weight":${weight},"clusterName":${jsonText(host.cluster)}${tail}${host.kind === 'ephemeral'}}`;
}
