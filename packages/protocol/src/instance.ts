// What is registered: an address inside a service, and the content that its publisher gives it.
// Source: Nacos 1.4.8 Instance (core and API), PreservedMetadataKeys.

/**
 * `ephemeral`: kept alive by beats or by a connection, removed when its lease ends.
 * `persistent`: kept until it is removed, health found by probes.
 */
export type InstanceKind = 'ephemeral' | 'persistent';

/** Identity of an instance inside one service and kind. */
export interface InstanceAddress {
  /** IP literal or host name, exactly as the publisher sent it. */
  readonly ip: string;
  /** 0 to 65535. */
  readonly port: number;
  /** Cluster name, `DEFAULT` by default. */
  readonly cluster: string;
}

/** Metadata in the order in which it was sent. A map, so that no key (`__proto__`) is special. */
export type Metadata = ReadonlyMap<string, string>;

/** The metadata of everything that has none; shared, never written to. */
export const NO_METADATA: Metadata = new Map<string, string>();

/** What a publisher says of its instance. */
export interface InstanceContent {
  /** Share of calls, 0 to 10000, default 1. */
  readonly weight: number;
  /** Whether the instance wants calls; disabled ones are left out of lists. Default true. */
  readonly enabled: boolean;
  /** Whether the publisher calls itself healthy at registration. Default true. */
  readonly healthy: boolean;
  /** Free keys and values; some keys starting with `preserved.` set the lease, see {@link leaseTimesOf}. */
  readonly metadata: Metadata;
  /** Name of the publishing application; undefined when the publisher gave none. */
  readonly app: string | undefined;
  /** Id that a gRPC client gave its instance; absent for one made of the address. */
  readonly instanceId?: string;
}

/** Metadata key: beat interval in ms that the server tells this instance's client. */
export const BEAT_INTERVAL_KEY = 'preserved.heart.beat.interval';
/** Metadata key: ms without a beat until the instance is unhealthy. */
export const BEAT_TIMEOUT_KEY = 'preserved.heart.beat.timeout';
/** Metadata key: ms without a beat until the instance is removed. */
export const DELETE_TIMEOUT_KEY = 'preserved.ip.delete.timeout';
/** Metadata key: `snowflake` (any case) asks for numeric instance ids. */
export const ID_GENERATOR_KEY = 'preserved.instance.id.generator';

/** Durations of a lease, all in ms. */
export interface LeaseTimes {
  /** Interval told to the client; undefined when the instance sets none, then the switch decides. */
  readonly beatIntervalMs: number | undefined;
  /** Unhealthy at last beat plus this. Default 15000. */
  readonly beatTimeoutMs: number;
  /** Removed at last beat plus this. Default 30000. */
  readonly deleteTimeoutMs: number;
}

/** Nacos defaults: interval 5 s, unhealthy after 15 s, removed after 30 s. */
export const DEFAULT_BEAT_INTERVAL_MS = 5000;
export const DEFAULT_BEAT_TIMEOUT_MS = 15000;
export const DEFAULT_DELETE_TIMEOUT_MS = 30000;

/** The lease of an instance that sets none of the preserved keys; shared. */
export const DEFAULT_LEASE_TIMES: LeaseTimes = {
  beatIntervalMs: undefined,
  beatTimeoutMs: DEFAULT_BEAT_TIMEOUT_MS,
  deleteTimeoutMs: DEFAULT_DELETE_TIMEOUT_MS,
};

/**
 * Reads the lease durations from the preserved metadata keys. A value that is not all digits counts as the default
 * (1.4.8 `Instance.getMetaDataByKeyWithDefault`, pattern `^\d+$`); a present interval key always gives an interval.
 *
 * @param metadata - metadata in force
 */
export function leaseTimesOf(metadata: Metadata): LeaseTimes {
  if (metadata.size === 0) return DEFAULT_LEASE_TIMES;
  const interval = metadata.get(BEAT_INTERVAL_KEY);
  const timeout = metadata.get(BEAT_TIMEOUT_KEY);
  const deletion = metadata.get(DELETE_TIMEOUT_KEY);
  if (interval === undefined && timeout === undefined && deletion === undefined) return DEFAULT_LEASE_TIMES;
  return {
    beatIntervalMs: interval === undefined ? undefined : durationOf(interval, DEFAULT_BEAT_INTERVAL_MS),
    beatTimeoutMs: durationOf(timeout, DEFAULT_BEAT_TIMEOUT_MS),
    deleteTimeoutMs: durationOf(deletion, DEFAULT_DELETE_TIMEOUT_MS),
  };
}

/** Longest duration that is taken as said (about 285 years); longer digits are cut to it so that sums stay exact. */
const LONGEST_MS = Math.floor(Number.MAX_SAFE_INTEGER / 1000);

function durationOf(text: string | undefined, defaultMs: number): number {
  if (text === undefined || !/^\d+$/.test(text)) return defaultMs;
  return Math.min(Number(text), LONGEST_MS);
}
