// How fast the probes of a cluster are answered. Source: Nacos 1.4.8 HealthCheckTask, which has one check per cluster.

/** Times of the probes of one cluster, ms. */
export interface ProbeTimes {
  /** Shortest; undefined when there was none yet. */
  readonly bestMs: number | undefined;
  /** Longest; 0 when there was none yet. */
  readonly worstMs: number;
  /** Weighted average, from which the time of the next probe follows. */
  readonly averageMs: number;
}

/** Says how the probes of a cluster fare. @returns undefined when nothing in it is probed @param serviceId - `ServiceKey.id` */
export type ProbeTimesOf = (serviceId: string, cluster: string) => ProbeTimes | undefined;
