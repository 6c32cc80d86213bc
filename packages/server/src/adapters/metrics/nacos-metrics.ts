// The names that dashboards for Nacos ask for. Source: Nacos 1.4.8 and 2.5.1 MetricsMonitor, the published Grafana template;
// ops contract 4.1 to 4.3. What a registry without configurations cannot have is 0, so that panels add up.

import { labelled, type MetricGroup, single } from './metric.js';
import type { MetricReading } from './metric-reading.js';
import type { MetricSample } from './metric-sample.js';
import { routeAnswers } from './route-answers.js';

/** Of the configuration side. `configCount` is how dashboards count servers. */
const CONFIG_NAMES = [
  'configCount',
  'getConfig',
  'publish',
  'longPolling',
  'notifyTask',
  'notifyClientTask',
  'dumpTask',
];

/** The metrics. */
export const NACOS_METRICS: MetricGroup = {
  title: 'Names of Nacos',
  metrics: [
    labelled(
      'gauge',
      {
        name: 'nacos_monitor',
        help: 'The gauges of Nacos by module and name. Push counts start anew when `/operator/push/state` is reset, not at midnight; push costs are ms, -1 when nothing was pushed.',
        unit: 'as named',
        labels: ['module', 'name'],
      },
      monitor,
    ),
    labelled(
      'gauge',
      {
        name: 'nacos_naming_subscriber',
        help: 'Subscriptions: `v1` over UDP, `v2` over gRPC.',
        labels: ['version'],
      },
      ({ registry: { subscribers } }) => byVersion(subscribers.udp, subscribers.stream),
    ),
    labelled(
      'gauge',
      { name: 'nacos_naming_publisher', help: 'Instances: `v1` over HTTP, `v2` over gRPC.', labels: ['version'] },
      ({ registry: { published } }) => byVersion(published.http, published.connection),
    ),
    labelled(
      'counter',
      {
        name: 'nacos_exception_total',
        help: 'Failed writes to journal and store (`disk`); the others cannot happen here.',
        labels: ['module', 'name'],
      },
      ({ journal, store }) => [
        { value: journal.counters.failures + store.counts.failures, labels: { module: 'naming', name: 'disk' } },
        { value: 0, labels: { module: 'naming', name: 'leaderSendBeatFailed' } },
      ],
    ),
    labelled(
      'summary',
      {
        name: 'http_server_requests_seconds',
        help: 'Requests and the time until their answer was ready, by method, route and status; every 64th is timed.',
        unit: 'seconds',
        labels: ['method', 'uri', 'status', 'outcome'],
      },
      httpRequests,
    ),
    single(
      'gauge',
      { name: 'system_cpu_usage', help: 'Share of all processors that this process uses, 0 to 1.' },
      ({ machine }) => machine.cpu,
    ),
    single(
      'gauge',
      { name: 'process_cpu_usage', help: 'Share of all processors that this process uses, 0 to 1.' },
      ({ machine }) => machine.cpu,
    ),
    single(
      'gauge',
      { name: 'system_load_average_1m', help: 'Load average of the machine over one minute.' },
      ({ machine }) => machine.load,
    ),
    labelled(
      'gauge',
      {
        name: 'jvm_memory_used_bytes',
        help: 'Memory in use for objects (`heap`) and for buffers (`nonheap`).',
        unit: 'bytes',
        labels: ['area'],
      },
      ({ process }) => {
        const { heapUsed, external } = process.memory();
        return byArea(heapUsed, external);
      },
    ),
    labelled(
      'gauge',
      {
        name: 'jvm_memory_max_bytes',
        help: 'What the heap may grow to; -1 for what has no bound.',
        unit: 'bytes',
        labels: ['area'],
      },
      ({ process }) => byArea(process.memory().heapLimit, -1),
    ),
    single(
      'gauge',
      {
        name: 'jvm_threads_daemon_threads',
        help: 'Threads beside the one that serves; 0 where the system does not say.',
      },
      ({ process }) => Math.max(0, process.threads() - 1),
    ),
    labelled(
      'summary',
      {
        name: 'jvm_gc_pause_seconds',
        help: 'Collections of garbage and the time that they took.',
        unit: 'seconds',
        labels: ['action'],
      },
      function* ({ process }) {
        for (const [action, { count, tookMs }] of process.collections) {
          yield { suffix: '_count', labels: { action }, value: count };
          yield { suffix: '_sum', labels: { action }, value: tookMs / 1000 };
        }
      },
    ),
  ],
};

function* monitor(reading: MetricReading): Generator<MetricSample> {
  for (const [name, value] of Object.entries(namingGauges(reading))) {
    yield { value, labels: { module: 'naming', name } };
  }
  for (const name of CONFIG_NAMES) yield { value: 0, labels: { module: 'config', name } };
  yield { value: reading.core.counts.connections, labels: { module: 'core', name: 'longConnection' } };
}

function namingGauges({ registry, pushes, core, probes, at }: MetricReading): Readonly<Record<string, number>> {
  const { outstandingPushes } = core.counts;
  const { total, failed } = pushes.state(outstandingPushes);
  const { averageMs, maxMs } = pushes.costs(at.mono);
  const { TCP, HTTP, MYSQL } = probes.counters.probes;
  const { udp, stream } = pushes;
  return {
    serviceCount: registry.services,
    // The name of the first dashboards.
    domCount: registry.services,
    ipCount: registry.instanceCount,
    subscriberCount: registry.subscribers.udp + registry.subscribers.stream,
    totalPush: total,
    failedPush: failed,
    avgPushCost: averageMs,
    maxPushCost: maxMs,
    totalPushCountForAvg: udp.acknowledged + stream.acknowledged,
    totalPushCostForAvg: udp.tookMs + stream.tookMs,
    pushPendingTaskCount: outstandingPushes,
    serviceChangedEventQueueSize: 0,
    serviceSubscribedEventQueueSize: 0,
    leaderStatus: 1,
    tcpHealthCheck: TCP,
    httpHealthCheck: HTTP,
    mysqlHealthCheck: MYSQL,
    // The spelling of 1.4.8.
    mysqlhealthCheck: MYSQL,
  };
}

function* httpRequests({ routes }: MetricReading): Generator<MetricSample> {
  for (const { value, labels, tookMs } of routeAnswers(routes)) {
    const { method, route: uri, status } = labels;
    const of = { method, uri, status, outcome: outcomeOf(status) };
    yield { suffix: '_count', labels: of, value };
    yield { suffix: '_sum', labels: of, value: tookMs / 1000 };
  }
}

function outcomeOf(status: string): string {
  if (status < '300') return 'SUCCESS';
  if (status < '400') return 'REDIRECTION';
  return status < '500' ? 'CLIENT_ERROR' : 'SERVER_ERROR';
}

function byVersion(v1: number, v2: number): readonly MetricSample[] {
  return [
    { value: v1, labels: { version: 'v1' } },
    { value: v2, labels: { version: 'v2' } },
  ];
}

function byArea(heap: number, nonheap: number): readonly MetricSample[] {
  return [
    { value: heap, labels: { area: 'heap' } },
    { value: nonheap, labels: { area: 'nonheap' } },
  ];
}
