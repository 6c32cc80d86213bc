// Durations that the core keeps; the app takes them from the configuration.

/** Durations in ms. */
export interface CoreSettings {
  /** How long a service that nobody defined stays after its last instance and subscriber. Default 60000. */
  readonly emptyServiceMs: number;
  /** How long an operator's edit outlives its instance. Default 60000. */
  readonly editMemoryMs: number;
  /** Changes of a service within this time after a push become one push at its end. Default 100. */
  readonly pushMergeMs: number;
  /** A 1.x subscriber is forgotten this long after its last query. Default 30000. */
  readonly subscriberMs: number;
  /** The same when its last answer was empty, or when it comes from before a restart: such clients poll up to 60 s apart. Default 70000. */
  readonly quietSubscriberMs: number;
  /** What connections published before a restart stays this long for them to come back. Default 30000. */
  readonly connectionGraceMs: number;
  /** Whether a beat that does not come is an event, one and a half intervals after the last. Default `reported`. */
  readonly lateBeats: 'reported' | 'ignored';
}

/** Settings of a server that is not configured otherwise. */
export const DEFAULT_CORE_SETTINGS: CoreSettings = {
  emptyServiceMs: 60_000,
  editMemoryMs: 60_000,
  pushMergeMs: 100,
  subscriberMs: 30_000,
  quietSubscriberMs: 70_000,
  connectionGraceMs: 30_000,
  lateBeats: 'reported',
};
