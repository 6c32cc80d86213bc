// Answers of the catalog, which consoles read: one service with its clusters, its instances, an overview of services.
// Source: Nacos 1.4.8 CatalogController, ServiceManager; contract 8.1 to 8.3.

import { healthCheckerJson } from '../health-checker.js';
import type { Metadata } from '../instance.js';
import { jsonDouble, jsonFloat } from '../java-number.js';
import { jsonText } from '../json-text.js';
import { metadataJson } from '../metadata-text.js';
import { selectorJson } from '../selector.js';
import type { ServiceKey } from '../service-key.js';
import { shownServiceName } from '../service-name.js';
import { detailedInstanceJson } from './instance-answer.js';
import type { ShownCluster, ShownService } from './service-answer.js';
import type { DetailedInstance, ShownInstance } from './shown-instance.js';

/** One line of the overview. */
export interface ServiceSummary {
  readonly key: ServiceKey;
  readonly clusterCount: number;
  readonly instanceCount: number;
  readonly healthyInstanceCount: number;
  /** Whether protection holds right now. */
  readonly protected: boolean;
}

/** A service of the overview with instances. */
export interface ServiceWithInstances {
  readonly key: ServiceKey;
  readonly metadata: Metadata;
  /** Cluster name to its instances. */
  readonly clusters: ReadonlyMap<string, readonly ShownInstance[]>;
}

/** Answer of GET `/catalog/service`. */
export function catalogServiceJson(service: ShownService, clusters: readonly ShownCluster[]): string {
  const { key } = service;
  const shown = clusters.map((cluster) => catalogClusterJson(key, cluster)).join(',');
  return `{"service":{"name":${jsonText(shownServiceName(key.name))},"protectThreshold":${jsonFloat(service.protectThreshold)},"groupName":${jsonText(key.group)},"selector":${selectorJson(service.selector)},"metadata":${metadataJson(service.metadata)}},"clusters":[${shown}]}`;
}

/** Answer of GET `/catalog/instances`. @param instances - of the page @param count - of all pages */
export function catalogInstancesJson(
  service: ServiceKey,
  instances: readonly DetailedInstance[],
  count: number,
): string {
  return `{"list":[${instances.map((instance) => detailedInstanceJson(service, instance)).join(',')}],"count":${count}}`;
}

/** Answer of GET `/catalog/services` without instances. @param services - of the page @param count - of all pages */
export function catalogServicesJson(services: readonly ServiceSummary[], count: number): string {
  return `{"serviceList":[${services.map(serviceSummaryJson).join(',')}],"count":${count}}`;
}

/** One line of the overview, also that of v3. */
export function serviceSummaryJson({ key, ...line }: ServiceSummary): string {
  return `{"name":${jsonText(shownServiceName(key.name))},"groupName":${jsonText(key.group)},"clusterCount":${line.clusterCount},"ipCount":${line.instanceCount},"healthyInstanceCount":${line.healthyInstanceCount},"triggerFlag":"${line.protected}"}`;
}

/** Answer of GET `/catalog/services` with instances: a bare array. */
export function catalogServicesWithInstancesJson(services: readonly ServiceWithInstances[]): string {
  return `[${services.map(serviceWithInstancesJson).join(',')}]`;
}

function catalogClusterJson(key: ServiceKey, cluster: ShownCluster): string {
  return `{"serviceName":${jsonText(key.grouped)},"name":${jsonText(cluster.name)},"healthChecker":${healthCheckerJson(cluster.healthChecker)},"defaultPort":80,"defaultCheckPort":80,"useIPPort4Check":${cluster.useInstancePort},"metadata":${metadataJson(cluster.metadata)},"sitegroup":"","defCkport":${cluster.checkPort},"empty":false,"defIPPort":${cluster.checkPort}}`;
}

function serviceWithInstancesJson(service: ServiceWithInstances): string {
  const clusters: string[] = [];
  for (const [name, instances] of service.clusters) {
    clusters.push(`${jsonText(name)}:{"hosts":[${instances.map(catalogHostJson).join(',')}]}`);
  }
  return `{"serviceName":${jsonText(shownServiceName(service.key.name))},"groupName":${jsonText(service.key.group)},"clusterMap":{${clusters.join(',')}},"metadata":${metadataJson(service.metadata)}}`;
}

function catalogHostJson(host: ShownInstance): string {
  return `{"valid":${host.healthy},"metadata":${metadataJson(host.metadata)},"port":${host.port},"ip":${jsonText(host.ip)},"weight":${jsonDouble(host.weight)},"enabled":${host.enabled}}`;
}
