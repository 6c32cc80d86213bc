// An instance as clients of 2.x and 3.x know it, over gRPC and over HTTP v2 and v3.
// Source: Nacos 2.5.1 Instance as Jackson writes it; gRPC contract 10.1, http-v2-v3 contract 2.1.

import type { ShownInstance } from './http/shown-instance.js';
import { DEFAULT_BEAT_INTERVAL_MS, ID_GENERATOR_KEY, leaseTimesOf } from './instance.js';
import { jsonDouble } from './java-number.js';
import { jsonText } from './json-text.js';
import { metadataJson } from './metadata-text.js';

/** What an answer decides about an instance that it shows. */
export interface ClientInstanceForm {
  /** Health as shown, protection included. */
  readonly healthy: boolean;
  /** Grouped name as JSON text: it is the same for all hosts of a list. */
  readonly serviceNameJson: string;
  /** Undefined leaves the member out. */
  readonly instanceId: string | undefined;
}

/** The instance as JSON; `instanceIdGenerator` only while metadata is empty or names one. */
export function clientInstanceJson(host: ShownInstance, form: ClientInstanceForm): string {
  const { beatIntervalMs, beatTimeoutMs, deleteTimeoutMs } = leaseTimesOf(host.metadata);
  const generator = host.metadata.size === 0 ? 'simple' : host.metadata.get(ID_GENERATOR_KEY);
  const instanceId = form.instanceId === undefined ? '' : `"instanceId":${jsonText(form.instanceId)},`;
  return `{${instanceId}"ip":${jsonText(host.ip)},"port":${host.port},"weight":${jsonDouble(host.weight)},"healthy":${form.healthy},"enabled":${host.enabled},"ephemeral":${host.kind === 'ephemeral'},"clusterName":${jsonText(host.cluster)},"serviceName":${form.serviceNameJson},"metadata":${metadataJson(host.metadata)},"instanceHeartBeatInterval":${beatIntervalMs ?? DEFAULT_BEAT_INTERVAL_MS},"instanceHeartBeatTimeOut":${beatTimeoutMs},"ipDeleteTimeout":${deleteTimeoutMs}${generator === undefined ? '' : `,"instanceIdGenerator":${jsonText(generator)}`}}`;
}
