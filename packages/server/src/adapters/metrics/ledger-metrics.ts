// Metrics of where the time goes, and of the history that single incidents are looked up in.

import { labelled, type MetricGroup, single } from './metric.js';

/** The metrics. */
export const LEDGER_METRICS: MetricGroup = {
  title: 'Where the time goes',
  metrics: [
    labelled(
      'histogram',
      {
        name: 'rollcall_beat_silence_seconds',
        help: 'Time without a beat: of beats that came late by half an interval or more, and of those that never came.',
        unit: 'seconds',
        labels: [],
      },
      ({ stages }) => stages.silences.samples({}),
    ),
    labelled(
      'histogram',
      {
        name: 'rollcall_unhealthy_to_push_seconds',
        help: 'Time from an instance turning unhealthy for want of beats to the first push to each subscriber that tells of it.',
        unit: 'seconds',
        labels: [],
      },
      ({ stages }) => stages.unhealthyToPushed.samples({}),
    ),
    labelled(
      'histogram',
      {
        name: 'rollcall_silence_to_known_seconds',
        help: 'Time from the last sign of life of an instance to each subscriber knowing, by acknowledgement or poll, also of a newer list.',
        unit: 'seconds',
        labels: [],
      },
      ({ stages }) => stages.signToKnown.samples({}),
    ),
    single(
      'gauge',
      { name: 'rollcall_ledger_bytes', help: 'Estimate of the history in memory.', unit: 'bytes' },
      ({ ledger }) => ledger().bytes,
    ),
    single(
      'counter',
      { name: 'rollcall_ledger_facts_total', help: 'Facts that were recorded.' },
      ({ ledger }) => ledger().facts,
    ),
    single(
      'counter',
      { name: 'rollcall_ledger_dropped_total', help: 'Facts that the bounds of the history pushed out.' },
      ({ ledger }) => ledger().dropped,
    ),
  ],
};
