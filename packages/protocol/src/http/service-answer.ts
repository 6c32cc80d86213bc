// Answers about services: one service, names, listings, subscribers.
// Source: Nacos 1.4.8 ServiceController, ServiceNameView, Subscribers; contract 7.4 to 7.8.

import { type HealthChecker, healthCheckerJson } from '../health-checker.js';
import type { Metadata } from '../instance.js';
import { jsonFloat } from '../java-number.js';
import { jsonText } from '../json-text.js';
import { metadataJson } from '../metadata-text.js';
import { type Selector, selectorJson } from '../selector.js';
import type { ServiceKey } from '../service-key.js';
import { shownServiceName } from '../service-name.js';

/** Settings of a service as answers show them. */
export interface ShownService {
  readonly key: ServiceKey;
  /** 32-bit float. */
  readonly protectThreshold: number;
  readonly metadata: Metadata;
  readonly selector: Selector;
}

/** Settings of a cluster as answers show them. */
export interface ShownCluster {
  readonly name: string;
  readonly healthChecker: HealthChecker;
  readonly checkPort: number;
  readonly useInstancePort: boolean;
  readonly metadata: Metadata;
}

/** A subscriber as `/service/subscribers` shows it. */
export interface ShownSubscriber {
  readonly service: ServiceKey;
  readonly ip: string;
  /** 0 for a gRPC connection. */
  readonly port: number;
  readonly agent: string;
  readonly app: string;
  /** Clusters that it asked for, comma separated; empty for all. */
  readonly clusters: string;
}

/** Answer of GET `/service`. */
export function serviceJson(service: ShownService, clusters: readonly ShownCluster[]): string {
  const { key } = service;
  const shown = clusters.map(
    (cluster) =>
      `{"name":${jsonText(cluster.name)},"healthChecker":${healthCheckerJson(cluster.healthChecker)},"metadata":${metadataJson(cluster.metadata)}}`,
  );
  return `{"name":${jsonText(shownServiceName(key.name))},"namespaceId":${jsonText(key.namespace)},"protectThreshold":${jsonFloat(service.protectThreshold)},"metadata":${metadataJson(service.metadata)},"selector":${selectorJson(service.selector)},"groupName":${jsonText(key.group)},"clusters":[${shown.join(',')}]}`;
}

/** Answer of GET `/service/list`. @param names - names of the page @param count - of all pages */
export function serviceListJson(names: readonly string[], count: number): string {
  return `{"doms":[${names.map(jsonText).join(',')}],"count":${count}}`;
}

/** Answer of GET `/service/names`: names by namespace; its count is that of the namespaces. */
export function serviceNamesJson(namesByNamespace: ReadonlyMap<string, readonly string[]>): string {
  const members: string[] = [];
  for (const [namespace, names] of namesByNamespace)
    members.push(`${jsonText(namespace)}:[${names.map(jsonText).join(',')}]`);
  return `{"services":{${members.join(',')}},"count":${namesByNamespace.size}}`;
}

/** Answer of GET `/service/subscribers`, with `port` and `cluster` of 2.x. @param subscribers - of the page @param count - of all pages */
export function subscribersJson(subscribers: readonly ShownSubscriber[], count: number): string {
  return `{"subscribers":[${subscribers.map(subscriberJson).join(',')}],"count":${count}}`;
}

/** Answer of PUT `/service/checksum`. */
export function checksumJson(checksum: string): string {
  return `{"checksum":${jsonText(checksum)}}`;
}

function subscriberJson(subscriber: ShownSubscriber): string {
  const { service } = subscriber;
  return `{"addrStr":${jsonText(`${subscriber.ip}:${subscriber.port}`)},"agent":${jsonText(subscriber.agent)},"app":${jsonText(subscriber.app)},"ip":${jsonText(subscriber.ip)},"port":${subscriber.port},"namespaceId":${jsonText(service.namespace)},"serviceName":${jsonText(service.grouped)},"cluster":${jsonText(subscriber.clusters)}}`;
}
