// One value of a metric.

/** Labels of one value. */
export type MetricLabels = Readonly<Record<string, string>>;

/** One value. */
export interface MetricSample {
  readonly value: number;
  readonly labels?: MetricLabels;
  /** What follows the name of the metric: `_bucket`, `_sum` and `_count` of histograms and summaries. */
  readonly suffix?: '_bucket' | '_sum' | '_count';
}
