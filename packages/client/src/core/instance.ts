// Instances as callers see them: plain frozen-in-spirit objects with text metadata, and what is taken from a caller who registers one.
// Source: Nacos Instance (1.4.8 API); the heartbeat check is NamingUtils.checkInstanceIsLegal.

import {
  BEAT_INTERVAL_KEY,
  BEAT_TIMEOUT_KEY,
  checkPort,
  checkWeight,
  DEFAULT_BEAT_INTERVAL_MS,
  DEFAULT_CLUSTER,
  DELETE_TIMEOUT_KEY,
  leaseTimesOf,
  RegistryError,
} from '@rollcall/protocol';

/** Metadata of an instance: free keys and values. */
export type InstanceMetadata = Readonly<Record<string, string>>;

/** One instance of a service. Never changed; a change gives a new object. */
export interface Instance {
  /** Id that the server gave, for logs; empty when it gave none. */
  readonly id: string;
  /** IP literal or host name. */
  readonly ip: string;
  /** 0 to 65535. */
  readonly port: number;
  /** Cluster inside the service, `DEFAULT` unless said otherwise. */
  readonly cluster: string;
  /** Share of the calls, 0 to 10000; 1 is usual, 0 wants none. */
  readonly weight: number;
  /** Whether the server holds it for alive. */
  readonly healthy: boolean;
  /** Whether it wants calls. */
  readonly enabled: boolean;
  /** Whether it lives by beats or a connection (true), or until it is removed (false). */
  readonly ephemeral: boolean;
  /** Free keys and values. */
  readonly metadata: InstanceMetadata;
}

/** What a caller says of an instance; everything but the address has a default. */
export interface InstanceOptions {
  /** IP literal or host name under which callers reach the instance. */
  readonly ip: string;
  /** 0 to 65535. */
  readonly port: number;
  /** Default `DEFAULT`. Letters, digits and `-`. */
  readonly cluster?: string | undefined;
  /** 0 to 10000, default 1. */
  readonly weight?: number | undefined;
  /** Default true. */
  readonly healthy?: boolean | undefined;
  /** Default true; false keeps it registered but out of every list. */
  readonly enabled?: boolean | undefined;
  /** Default true; false keeps it until it is deregistered, health found by probes. */
  readonly ephemeral?: boolean | undefined;
  /** Default none. Keys `preserved.heart.beat.interval`, `preserved.heart.beat.timeout` and `preserved.ip.delete.timeout` (ms) set its lease. */
  readonly metadata?: InstanceMetadata | undefined;
}

/** An instance as it is registered: every field filled in and checked. */
export type RegisteredInstance = Omit<Instance, 'id'>;

/** The metadata of instances that have none; shared. */
export const NO_INSTANCE_METADATA: InstanceMetadata = Object.freeze({});

/**
 * Fills in the defaults.
 *
 * @throws RegistryError `invalid-parameter`, `invalid-weight` or `invalid-instance` for what no server would take
 */
export function registeredInstance(options: InstanceOptions): RegisteredInstance {
  const ip = options.ip.trim();
  if (ip === '') throw invalid(`Instance has no address, found ip "${options.ip}"`);
  const instance: RegisteredInstance = {
    ip,
    port: checkPort(options.port),
    cluster: options.cluster ?? DEFAULT_CLUSTER,
    weight: checkWeight(options.weight ?? 1),
    healthy: options.healthy ?? true,
    enabled: options.enabled ?? true,
    ephemeral: options.ephemeral ?? true,
    metadata: options.metadata === undefined ? NO_INSTANCE_METADATA : { ...options.metadata },
  };
  checkLease(instance);
  return instance;
}

/** Time between two beats that the instance asks for in its metadata, ms; default 5000. */
export function beatIntervalMsOf(instance: RegisteredInstance): number {
  if (!Object.hasOwn(instance.metadata, BEAT_INTERVAL_KEY)) return DEFAULT_BEAT_INTERVAL_MS;
  const intervalMs = leaseTimesOf(new Map(Object.entries(instance.metadata))).beatIntervalMs;
  return intervalMs === undefined || intervalMs === 0 ? DEFAULT_BEAT_INTERVAL_MS : intervalMs;
}

/** Identity of an instance inside its service. */
export function instanceKey(instance: Pick<Instance, 'ip' | 'port' | 'cluster' | 'ephemeral'>): string {
  return `${instance.ip}#${instance.port}#${instance.cluster}#${instance.ephemeral ? 'e' : 'p'}`;
}

/** Whether two instances have the same identity, see {@link instanceKey}. */
export function isSameAddress(one: Instance, other: Instance): boolean {
  return (
    one.port === other.port && one.ip === other.ip && one.cluster === other.cluster && one.ephemeral === other.ephemeral
  );
}

/** Whether calls may go to the instance: healthy, enabled and with a weight above 0. */
export function isUsable(instance: Instance): boolean {
  return instance.healthy && instance.enabled && instance.weight > 0;
}

/** Whether two descriptions say the same of one address; the order of metadata keys does not matter. */
export function isSameContent(one: Instance, other: Instance): boolean {
  return (
    one.weight === other.weight &&
    one.healthy === other.healthy &&
    one.enabled === other.enabled &&
    one.id === other.id &&
    isSameMetadata(one.metadata, other.metadata)
  );
}

function isSameMetadata(one: InstanceMetadata, other: InstanceMetadata): boolean {
  if (one === other) return true;
  const keys = Object.keys(one);
  if (keys.length !== Object.keys(other).length) return false;
  // What is inherited is never a text, so that only a key that is there can be equal.
  return keys.every((key) => one[key] === other[key]);
}

function checkLease(instance: RegisteredInstance): void {
  const { beatIntervalMs, beatTimeoutMs, deleteTimeoutMs } = leaseTimesOf(new Map(Object.entries(instance.metadata)));
  const intervalMs = beatIntervalMs ?? DEFAULT_BEAT_INTERVAL_MS;
  if (beatTimeoutMs >= intervalMs && deleteTimeoutMs >= intervalMs) return;
  throw new RegistryError(
    'invalid-instance',
    `Lease of ${instance.ip}:${instance.port} cannot be kept: "${BEAT_INTERVAL_KEY}" is ${intervalMs} ms, it must not be above ` +
      `"${BEAT_TIMEOUT_KEY}" (${beatTimeoutMs} ms) or "${DELETE_TIMEOUT_KEY}" (${deleteTimeoutMs} ms)`,
  );
}

function invalid(message: string): RegistryError {
  return new RegistryError('invalid-parameter', message);
}
