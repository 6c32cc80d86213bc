// Metrics of the process, those that every Prometheus client has under their usual names.

import { byLabel, labelled, type MetricGroup, single } from './metric.js';

/** The metrics. */
export const PROCESS_METRICS: MetricGroup = {
  title: 'Process',
  metrics: [
    labelled(
      'gauge',
      {
        name: 'rollcall_event_loop_delay_seconds',
        help: 'How late the event loop was in the last 10 s or more: `0.5`, `0.99`, and `1` for the longest.',
        unit: 'seconds',
        labels: ['quantile'],
      },
      ({ process, at }) => {
        const { p50, p99, max } = process.delays(at);
        return [
          { value: p50 / 1000, labels: { quantile: '0.5' } },
          { value: p99 / 1000, labels: { quantile: '0.99' } },
          { value: max / 1000, labels: { quantile: '1' } },
        ];
      },
    ),
    single(
      'gauge',
      {
        name: 'rollcall_event_loop_busy_ratio',
        help: 'Share of its time that the event loop was busy since the reading before, 0 to 1.',
      },
      ({ process }) => process.loopUtilization(),
    ),
    byLabel(
      'counter',
      { name: 'rollcall_gc_total', help: 'Collections of garbage by kind.', label: 'kind' },
      ({ process }) => Array.from(process.collections, ([kind, { count }]) => [kind, count]),
    ),
    byLabel(
      'counter',
      {
        name: 'rollcall_gc_seconds_total',
        help: 'Time that collections of garbage took, by kind.',
        unit: 'seconds',
        label: 'kind',
      },
      ({ process }) => Array.from(process.collections, ([kind, { tookMs }]) => [kind, tookMs / 1000]),
    ),
    single(
      'counter',
      {
        name: 'process_cpu_seconds_total',
        help: 'Processor time since the process began, all threads.',
        unit: 'seconds',
      },
      ({ process }) => {
        const { user, system } = process.cpuSeconds();
        return user + system;
      },
    ),
    single(
      'gauge',
      { name: 'process_resident_memory_bytes', help: 'Memory of the process.', unit: 'bytes' },
      ({ process }) => process.memory().resident,
    ),
    single(
      'gauge',
      { name: 'nodejs_heap_size_used_bytes', help: 'Memory in use for objects.', unit: 'bytes' },
      ({ process }) => process.memory().heapUsed,
    ),
    single(
      'gauge',
      { name: 'nodejs_external_memory_bytes', help: 'Memory in use for buffers.', unit: 'bytes' },
      ({ process }) => process.memory().external,
    ),
    single(
      'gauge',
      { name: 'process_start_time_seconds', help: 'When the server began, seconds since 1970.', unit: 'seconds' },
      ({ startedAt }) => startedAt / 1000,
    ),
  ],
};
