// One metric: its name, what it means, and how it is read when somebody asks. Nothing is kept up to date meanwhile.

import type { MetricReading } from './metric-reading.js';
import type { MetricSample } from './metric-sample.js';

/** A metric. */
export interface Metric {
  /** As Prometheus allows it, with the unit at its end. */
  readonly name: string;
  readonly type: 'gauge' | 'counter' | 'histogram' | 'summary';
  /** Unit of the value: `seconds`, `bytes`, `1` for counts and shares, or `as named` where the unit differs by label. */
  readonly unit: 'seconds' | 'bytes' | '1' | 'as named';
  /** Meaning in one sentence. */
  readonly help: string;
  /** Names of all labels. */
  readonly labels: readonly string[];
  /** The values at this moment; each set of labels once. */
  readonly read: (reading: MetricReading) => Iterable<MetricSample>;
}

/** Metrics under one heading of docs/metrics.md. */
export interface MetricGroup {
  readonly title: string;
  readonly metrics: readonly Metric[];
}

type Fields = Pick<Metric, 'name' | 'help'> & { readonly unit?: Metric['unit'] };

/** A metric with one value and no labels. */
export function single(type: 'gauge' | 'counter', fields: Fields, read: (reading: MetricReading) => number): Metric {
  return { unit: '1', ...fields, type, labels: [], read: (reading) => [{ value: read(reading) }] };
}

/** A metric with one value per value of one label. */
export function byLabel(
  type: 'gauge' | 'counter',
  fields: Fields & { readonly label: string },
  read: (reading: MetricReading) => Iterable<readonly [value: string, count: number]>,
): Metric {
  const { label, ...rest } = fields;
  return {
    unit: '1',
    ...rest,
    type,
    labels: [label],
    read: (reading) => Array.from(read(reading), ([name, value]) => ({ value, labels: { [label]: name } })),
  };
}

/** A metric with any labels. */
export function labelled(
  type: Metric['type'],
  fields: Fields & { readonly labels: readonly string[] },
  read: Metric['read'],
): Metric {
  return { unit: '1', ...fields, type, read };
}
