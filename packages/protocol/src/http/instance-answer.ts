// One instance as JSON: the short form of GET `/instance`, the full form of the catalog, and the texts that name one in refusals.
// Source: Nacos 1.4.8 InstanceController.detail, Instance (Jackson members, toString); contract 2.8, 4.3, 4.5, 4.7.

import { DEFAULT_BEAT_INTERVAL_MS, ID_GENERATOR_KEY, type InstanceAddress } from '../instance.js';
import { javaDoubleText, jsonDouble } from '../java-number.js';
import { jsonText } from '../json-text.js';
import { metadataJson } from '../metadata-text.js';
import type { ServiceKey } from '../service-key.js';
import type { DetailedInstance, ShownInstance } from './shown-instance.js';

/** Answer of GET `/instance`: real health, disabled ones too. */
export function instanceJson(service: ServiceKey, instance: ShownInstance): string {
  return `{"service":${jsonText(service.grouped)},"ip":${jsonText(instance.ip)},"port":${instance.port},"clusterName":${jsonText(instance.cluster)},"weight":${jsonDouble(instance.weight)},"healthy":${instance.healthy},"instanceId":${jsonText(instance.instanceId)},"metadata":${metadataJson(instance.metadata)}}`;
}

/**
 * An instance with all members, as the catalog shows it. `app` is left out when there is none, and `instanceIdGenerator` when
 * metadata is not empty and does not name one.
 */
export function detailedInstanceJson(service: ServiceKey, instance: DetailedInstance): string {
  const { leaseTimes, metadata } = instance;
  const generator = metadata.size === 0 ? 'simple' : metadata.get(ID_GENERATOR_KEY);
  const app = instance.app === undefined ? '' : `"app":${jsonText(instance.app)},`;
  const idGenerator = generator === undefined ? '' : `"instanceIdGenerator":${jsonText(generator)},`;
  return `{"instanceId":${jsonText(instance.instanceId)},"ip":${jsonText(instance.ip)},"port":${instance.port},"weight":${jsonDouble(instance.weight)},"healthy":${instance.healthy},"enabled":${instance.enabled},"ephemeral":${instance.kind === 'ephemeral'},"clusterName":${jsonText(instance.cluster)},"serviceName":${jsonText(service.grouped)},"metadata":${metadataJson(metadata)},"lastBeat":${instance.lastBeat},"marked":false,${app}${idGenerator}"instanceHeartBeatInterval":${leaseTimes.beatIntervalMs ?? DEFAULT_BEAT_INTERVAL_MS},"instanceHeartBeatTimeOut":${leaseTimes.beatTimeoutMs},"ipDeleteTimeout":${leaseTimes.deleteTimeoutMs}}`;
}

/** Answer of GET `/instance/statuses`: real health of all hosts. */
export function instanceStatusesJson(instances: readonly ShownInstance[]): string {
  const ips = instances.map((instance) => jsonText(`${instance.ip}:${instance.port}_${instance.healthy}`));
  return `{"ips":[${ips.join(',')}]}`;
}

/** How 1.4.8 names an instance that an update did not find: `10.0.0.1:8080:unknown:DEFAULT_3.0_true_false_DEFAULT`. */
export function missingInstanceText(
  address: InstanceAddress,
  content: { readonly weight: number; readonly healthy: boolean },
): string {
  const weight = javaDoubleText(content.weight);
  return `${address.ip}:${address.port}:unknown:${address.cluster}_${weight}_${content.healthy}_false_${address.cluster}`;
}
