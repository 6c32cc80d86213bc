// The naming requests of SDKs, read from their JSON bodies. Names are checked, values are brought into range.
// Source: contract 10 (2.5.1 request classes), 9.3 (parameter checks); choices in the golden README.

import { DEFAULT_BEAT_INTERVAL_MS, type InstanceAddress, type InstanceContent, leaseTimesOf } from '../instance.js';
import type { Limits } from '../limits.js';
import { checkMetadata, type MetadataLimits } from '../metadata-text.js';
import { checkPort, type NameRules } from '../names.js';
import { RegistryError } from '../registry-error.js';
import { DEFAULT_CLUSTER, DEFAULT_GROUP, DEFAULT_NAMESPACE, type ServiceKey, serviceKey } from '../service-key.js';
import type { JsonMembers } from './json-members.js';

/** Characters of an id that a client gives its instance: room for the longest address and service name. */
const INSTANCE_ID_LENGTH_MAX = 1024;

/** Characters (UTF-16 units) of the clusters of a query over gRPC: four times what the longest names of the most clusters take. Names are split from it. */
export const CLUSTERS_LENGTH_MAX = 65_536;

/** What readers of requests need to know. */
export interface NamingRequestRules {
  readonly names: NameRules;
  readonly limits: MetadataLimits & Pick<Limits, 'batchInstances'>;
}

/** An instance as an SDK sends it. */
export interface SentInstance {
  readonly address: InstanceAddress;
  readonly content: InstanceContent;
}

/** `InstanceRequest` and `PersistentInstanceRequest`. A deregistration names an instance that may be anything. */
export type InstanceRequest =
  | { readonly type: 'registerInstance'; readonly service: ServiceKey; readonly instance: SentInstance }
  | { readonly type: 'deregisterInstance'; readonly service: ServiceKey; readonly instance: SentInstance };

/** `BatchInstanceRequest`: all that the connection publishes in the service from now on. */
export interface BatchInstanceRequest {
  readonly service: ServiceKey;
  readonly instances: readonly SentInstance[];
}

/** `ServiceQueryRequest`. Names are as they were sent, since reading a service that cannot exist is no error. */
export interface ServiceQueryRequest {
  readonly service: ServiceKey | undefined;
  readonly clusters: string;
  readonly healthyOnly: boolean;
}

/** `SubscribeServiceRequest`; `clusters` undefined is echoed as no member. */
export interface SubscribeServiceRequest {
  readonly service: ServiceKey;
  readonly subscribe: boolean;
  readonly clusters: string | undefined;
}

/** `ServiceListRequest`. */
export interface ServiceListRequest {
  readonly namespace: string;
  readonly group: string;
  /** From 1. */
  readonly pageNo: number;
  /** 0 gives no names. */
  readonly pageSize: number;
}

/** @throws RegistryError `invalid-parameter` for another type, `missing-parameter` without service, group or instance */
export function readInstanceRequest(body: JsonMembers, rules: NamingRequestRules): InstanceRequest {
  const type = body.text('type');
  const service = requiredService(body, rules);
  if (type !== 'registerInstance' && type !== 'deregisterInstance')
    throw new RegistryError('invalid-parameter', `Unsupported request type ${type ?? ''}`);
  const sent = body.object('instance');
  if (sent === undefined) throw new RegistryError('missing-parameter', 'Instance can not be null.');
  return { type, service, instance: readInstance(sent, rules, type === 'registerInstance' ? 'new' : 'named') };
}

/** @throws RegistryError when one instance is refused: then all are */
export function readBatchInstanceRequest(body: JsonMembers, rules: NamingRequestRules): BatchInstanceRequest {
  const type = body.text('type');
  const service = requiredService(body, rules);
  if (type !== 'batchRegisterInstance')
    throw new RegistryError('invalid-parameter', `Unsupported request type ${type ?? ''}`);
  const sent = body.objects('instances');
  if (sent === undefined) throw new RegistryError('missing-parameter', 'Instances can not be null.');
  const { batchInstances } = rules.limits;
  if (sent.length > batchInstances)
    throw new RegistryError(
      'limit-exceeded',
      `Batch of "${service.grouped}" names ${sent.length} instances, allowed are ${batchInstances}`,
    );
  return { service, instances: sent.map((instance) => readInstance(instance, rules, 'new')) };
}

/** Reads a query; without service or group name there is no service. */
export function readServiceQueryRequest(body: JsonMembers, rules: NamingRequestRules): ServiceQueryRequest {
  const clusters = body.text('cluster') ?? '';
  checkClusters(clusters, rules.names);
  const service = namedService(body);
  if (service !== undefined) rules.names.checkService(service);
  return { service, clusters, healthyOnly: body.boolean('healthyOnly', 'false') };
}

/** @throws RegistryError `missing-parameter` without service or group name */
export function readSubscribeServiceRequest(body: JsonMembers, rules: NamingRequestRules): SubscribeServiceRequest {
  const service = requiredService(body, rules);
  const clusters = body.text('clusters');
  checkClusters(clusters ?? '', rules.names);
  return { service, subscribe: body.boolean('subscribe', 'false'), clusters };
}

/** @throws RegistryError `invalid-parameter` for a negative page size */
export function readServiceListRequest(body: JsonMembers, rules: NamingRequestRules): ServiceListRequest {
  const pageSize = body.int('pageSize', 0);
  if (pageSize < 0)
    throw new RegistryError('invalid-parameter', `Param 'pageSize' is ${pageSize}, allowed is 0 or more`);
  const group = body.text('groupName') || DEFAULT_GROUP;
  const namespace = namespaceOf(body);
  rules.names.checkService(serviceKey(namespace, group, body.text('serviceName') || 'any'));
  return { namespace, group, pageNo: Math.max(1, body.int('pageNo', 1)), pageSize };
}

/** The namespace of a request: `public` when it is missing, null or empty. */
export function namespaceOf(body: JsonMembers): string {
  return body.text('namespace')?.trim() || DEFAULT_NAMESPACE;
}

function namedService(body: JsonMembers): ServiceKey | undefined {
  const name = body.text('serviceName') ?? '';
  const group = body.text('groupName') ?? '';
  return name.trim() === '' || group.trim() === '' ? undefined : serviceKey(namespaceOf(body), group, name);
}

function requiredService(body: JsonMembers, rules: NamingRequestRules): ServiceKey {
  for (const parameter of ['serviceName', 'groupName'])
    if ((body.text(parameter) ?? '').trim() === '')
      throw new RegistryError('missing-parameter', `Param '${parameter}' is illegal, ${parameter} is blank`);
  const service = namedService(body) as ServiceKey;
  rules.names.checkService(service);
  return service;
}

function checkClusters(clusters: string, names: NameRules): void {
  if (clusters.length > CLUSTERS_LENGTH_MAX)
    throw new RegistryError(
      'limit-exceeded',
      `Param 'clusters' has ${clusters.length} characters, allowed are ${CLUSTERS_LENGTH_MAX}`,
    );
  for (const cluster of clusters.split(',')) if (cluster !== '') names.checkQueriedCluster(cluster);
}

function readInstance(sent: JsonMembers, rules: NamingRequestRules, how: 'new' | 'named'): SentInstance {
  const ip = sent.text('ip')?.trim() ?? '';
  const cluster = sent.text('clusterName')?.trim() || DEFAULT_CLUSTER;
  const port = checkPort(sent.int('port', 0));
  rules.names.checkIp(ip);
  const metadata = sent.textMap('metadata');
  checkMetadata(metadata, rules.limits);
  if (how === 'new') {
    if (ip === '') throw new RegistryError('missing-parameter', "Param 'ip' is required.");
    rules.names.checkNewCluster(cluster);
    checkLeaseTimes(metadata);
  }
  return {
    address: { ip, port, cluster },
    content: {
      weight: finiteWeight(sent.double('weight', 1)),
      enabled: sent.boolean('enabled', 'true'),
      healthy: sent.boolean('healthy', 'true'),
      metadata,
      app: undefined,
      ...givenId(sent),
    },
  };
}

/** A given id is kept, as by 2.5.1; an empty one counts as none. */
function givenId(sent: JsonMembers): { readonly instanceId?: string } {
  const instanceId = sent.text('instanceId') ?? '';
  if (instanceId.length > INSTANCE_ID_LENGTH_MAX)
    throw new RegistryError(
      'limit-exceeded',
      `Param 'instanceId' has ${instanceId.length} characters, allowed are ${INSTANCE_ID_LENGTH_MAX}`,
    );
  return instanceId === '' ? {} : { instanceId };
}

/** gRPC knows no range of weights (2.5.1 keeps -1 and 1000000), but what is no number cannot be shown. */
function finiteWeight(weight: number): number {
  if (Number.isFinite(weight)) return weight;
  throw new RegistryError('invalid-weight', `Weight of an instance is ${weight}, allowed are numbers`);
}

/** A client of 2.x is refused when its timeouts are below its interval: it could never be healthy for long. */
function checkLeaseTimes(metadata: ReadonlyMap<string, string>): void {
  const { beatIntervalMs = DEFAULT_BEAT_INTERVAL_MS, beatTimeoutMs, deleteTimeoutMs } = leaseTimesOf(metadata);
  if (beatTimeoutMs >= beatIntervalMs && deleteTimeoutMs >= beatIntervalMs) return;
  throw new RegistryError(
    'invalid-instance',
    `Instance has beat interval ${beatIntervalMs} ms, timeout ${beatTimeoutMs} ms and delete timeout ${deleteTimeoutMs} ms; both timeouts must be at least the interval`,
  );
}
