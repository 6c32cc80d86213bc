// Metrics of what is written to disk, and of probes.

import { byLabel, type MetricGroup, single } from './metric.js';

/** Metrics of journal, snapshot and store. */
export const STORAGE_METRICS: MetricGroup = {
  title: 'Journal and store',
  metrics: [
    single(
      'counter',
      {
        name: 'rollcall_journal_entries_total',
        help: 'Changes of ephemeral instances, subscriptions and list versions written to the journal.',
      },
      ({ journal }) => journal.counters.entries,
    ),
    single(
      'counter',
      { name: 'rollcall_journal_bytes_total', help: 'Bytes written to the journal.', unit: 'bytes' },
      ({ journal }) => journal.counters.bytes,
    ),
    single(
      'counter',
      {
        name: 'rollcall_journal_writes_total',
        help: 'Writes to the journal; all entries of one turn of the event loop are one write.',
      },
      ({ journal }) => journal.counters.writes,
    ),
    single(
      'counter',
      {
        name: 'rollcall_journal_failures_total',
        help: 'Writes to the journal that failed; registrations are refused until a snapshot is written.',
      },
      ({ journal }) => journal.counters.failures,
    ),
    byLabel(
      'counter',
      {
        name: 'rollcall_snapshots_total',
        help: 'Snapshots of ephemeral membership by outcome: `written`, `failed`.',
        label: 'outcome',
      },
      ({ journal: { snapshots } }) => [
        ['written', snapshots.written],
        ['failed', snapshots.failed],
      ],
    ),
    single(
      'gauge',
      { name: 'rollcall_snapshot_bytes', help: 'Size of the last snapshot; 0 before the first.', unit: 'bytes' },
      ({ journal }) => journal.snapshots.bytes,
    ),
    byLabel(
      'counter',
      {
        name: 'rollcall_store_commits_total',
        help: 'Commits of durable data by outcome: `done`, `failed`, `conflict` (another node was first, planned again).',
        label: 'outcome',
      },
      ({ store: { counts } }) => [
        ['done', counts.commits],
        ['failed', counts.failures],
        ['conflict', counts.conflicts],
      ],
    ),
    single(
      'counter',
      { name: 'rollcall_store_changes_total', help: 'Durable changes in these commits.' },
      ({ store }) => store.counts.changes,
    ),
    single(
      'counter',
      {
        name: 'rollcall_store_commit_seconds_total',
        help: 'Time that commits took until they were safe on disk.',
        unit: 'seconds',
      },
      ({ store }) => store.counts.tookMs / 1000,
    ),
    single(
      'gauge',
      {
        name: 'rollcall_store_persistent_ready',
        help: 'Whether durable data is up to date (`persistentReady`): 0 while a store that nodes share cannot be followed.',
      },
      ({ sharedStore }) => (sharedStore()?.ready === false ? 0 : 1),
    ),
    single(
      'gauge',
      {
        name: 'rollcall_store_revision',
        help: "Revision of the store that nodes share up to which this node's copy goes; 0 without such a store.",
      },
      ({ sharedStore }) => sharedStore()?.revision ?? 0,
    ),
  ],
};

/** Metrics of probes. */
export const PROBE_METRICS: MetricGroup = {
  title: 'Probes',
  metrics: [
    single(
      'gauge',
      { name: 'rollcall_probe_targets', help: 'Persistent instances that are probed.' },
      ({ probes }) => probes.load.targets,
    ),
    single(
      'gauge',
      { name: 'rollcall_probes_running', help: 'Probes under way.' },
      ({ probes }) => probes.load.inFlight,
    ),
    byLabel(
      'counter',
      { name: 'rollcall_probes_total', help: 'Probes made, by checker.', label: 'checker' },
      ({ probes }) => Object.entries(probes.counters.probes),
    ),
    byLabel(
      'counter',
      { name: 'rollcall_probe_outcomes_total', help: 'Probes made, by what they found.', label: 'outcome' },
      ({ probes }) => Object.entries(probes.counters.outcomes),
    ),
    byLabel(
      'counter',
      {
        name: 'rollcall_probe_flips_total',
        help: 'Instances that probes made `healthy` and `unhealthy`.',
        label: 'health',
      },
      ({ probes }) => Object.entries(probes.counters.flips),
    ),
    single(
      'counter',
      { name: 'rollcall_probe_seconds_total', help: 'Time that probes took.', unit: 'seconds' },
      ({ probes }) => probes.counters.tookMs / 1000,
    ),
  ],
};
