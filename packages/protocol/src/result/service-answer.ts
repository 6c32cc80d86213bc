// What HTTP v2 and v3 say of services inside their envelope. v3 names the namespace by its id and tells how a cluster is probed.
// Source: Nacos 2.5.1 ServiceDetailInfo, 3.0.3 the same and SubscriberInfo, Page; http-v2-v3 contract 5.4, 7.3.

import { healthCheckerJson } from '../health-checker.js';
import type { ShownCluster, ShownService, ShownSubscriber } from '../http/service-answer.js';
import type { Page } from '../http/service-form.js';
import type { InstanceKind, Metadata } from '../instance.js';
import { jsonFloat } from '../java-number.js';
import { jsonText } from '../json-text.js';
import { metadataJson } from '../metadata-text.js';
import type { Selector } from '../selector.js';
import type { ServiceKey } from '../service-key.js';

/** Settings of a service with the kind of its instances. */
export interface DetailedService extends ShownService {
  readonly kind: InstanceKind;
}

/** A service of the v3 listing with instances: cluster name to its hosts as a JSON array. */
export interface ServiceWithHosts {
  readonly key: ServiceKey;
  readonly metadata: Metadata;
  readonly hostsJsonByCluster: ReadonlyMap<string, string>;
}

/** Answer of GET `/v2/ns/service`. */
export function serviceDetailJson(service: DetailedService, clusters: readonly ShownCluster[]): string {
  const shown = clusters.map(
    (cluster) => `${jsonText(cluster.name)}:{${checkedMembers(cluster)},${lastMembers(cluster)}}`,
  );
  return `{"namespace":${jsonText(service.key.namespace)},${detailMembers(service, shown)}}`;
}

/** Answer of GET `/v3/admin/ns/service`. */
export function adminServiceJson(service: DetailedService, clusters: readonly ShownCluster[]): string {
  const shown = clusters.map(
    (cluster) =>
      `${jsonText(cluster.name)}:{${checkedMembers(cluster)},"healthyCheckPort":${cluster.checkPort},"useInstancePortForCheck":${cluster.useInstancePort},${lastMembers(cluster)}}`,
  );
  return `{"namespaceId":${jsonText(service.key.namespace)},${detailMembers(service, shown)}}`;
}

/** Item of the v3 listing with instances: what is no name, no metadata and no host is null or its default, as on 3.0.3. */
export function serviceWithHostsJson({ key, metadata, hostsJsonByCluster }: ServiceWithHosts): string {
  const clusters: string[] = [];
  for (const [name, hosts] of hostsJsonByCluster) {
    clusters.push(
      `${jsonText(name)}:{"clusterName":null,"healthChecker":null,"healthyCheckPort":80,"useInstancePortForCheck":true,"metadata":null,"hosts":${hosts}}`,
    );
  }
  return `{"namespaceId":null,"serviceName":${jsonText(key.name)},"groupName":${jsonText(key.group)},"clusterMap":{${clusters.join(',')}},"metadata":${metadataJson(metadata)},"protectThreshold":0.0,"selector":null,"ephemeral":null}`;
}

/** Answer of GET `/v2/ns/service/list`. @param names - of the page @param count - of all pages */
export function groupListJson(names: readonly string[], count: number): string {
  return `{"count":${count},"services":[${names.map(jsonText).join(',')}]}`;
}

/** Item of `/v3/admin/ns/service/subscribers`. */
export function subscriberInfoJson({ service, ip, port, agent, app }: ShownSubscriber): string {
  return `{"namespaceId":${jsonText(service.namespace)},"groupName":${jsonText(service.group)},"serviceName":${jsonText(service.name)},"ip":${jsonText(ip)},"port":${port},"agent":${jsonText(agent)},"appName":${jsonText(app)},"address":${jsonText(`${ip}:${port}`)}}`;
}

/**
 * What stands around the items of a page of v3.
 *
 * @returns the texts before and after the array of items. The number of pages is one too many when it divides evenly, as on 3.0.3
 */
export function pageFrame({ pageNo, pageSize }: Page, totalCount: number): readonly [before: string, after: string] {
  const pagesAvailable = totalCount === 0 ? 0 : Math.floor(totalCount / pageSize) + 1;
  const head = `"totalCount":${totalCount},"pageNumber":${pageNo},"pagesAvailable":${pagesAvailable}`;
  return [`{${head},"pageItems":`, '}'];
}

function detailMembers(service: DetailedService, clusters: readonly string[]): string {
  const { key } = service;
  return `"serviceName":${jsonText(key.name)},"groupName":${jsonText(key.group)},"clusterMap":{${clusters.join(',')}},"metadata":${metadataJson(service.metadata)},"protectThreshold":${jsonFloat(service.protectThreshold)},"selector":${selectorDetailJson(service.selector)},"ephemeral":${service.kind === 'ephemeral'}`;
}

function checkedMembers({ name, healthChecker }: ShownCluster): string {
  return `"clusterName":${jsonText(name)},"healthChecker":${healthCheckerJson(healthChecker)}`;
}

function lastMembers({ metadata }: ShownCluster): string {
  return `"metadata":${metadataJson(metadata)},"hosts":null`;
}

/** The type once, not twice as the real servers write it. */
function selectorDetailJson(selector: Selector): string {
  if (selector.type === 'none') return '{"type":"none","contextType":"NONE"}';
  const labels = selector.labels.map(jsonText).join(',');
  return `{"type":"label","expression":${jsonText(selector.expression)},"labels":[${labels}],"contextType":"CMDB"}`;
}
