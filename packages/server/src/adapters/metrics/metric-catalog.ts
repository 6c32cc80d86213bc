// All metrics of the server, in the order of docs/metrics.md.

import { CLUSTER_METRICS } from './cluster-metrics.js';
import { GRPC_METRICS, HTTP_METRICS } from './http-metrics.js';
import { LEDGER_METRICS } from './ledger-metrics.js';
import type { MetricGroup } from './metric.js';
import { NACOS_METRICS } from './nacos-metrics.js';
import { PROCESS_METRICS } from './process-metrics.js';
import { PUSH_METRICS } from './push-metrics.js';
import { REGISTRY_METRICS } from './registry-metrics.js';
import { PROBE_METRICS, STORAGE_METRICS } from './storage-metrics.js';

/** The groups. */
export const METRIC_GROUPS: readonly MetricGroup[] = [
  REGISTRY_METRICS,
  PUSH_METRICS,
  LEDGER_METRICS,
  HTTP_METRICS,
  GRPC_METRICS,
  STORAGE_METRICS,
  PROBE_METRICS,
  CLUSTER_METRICS,
  PROCESS_METRICS,
  NACOS_METRICS,
];
