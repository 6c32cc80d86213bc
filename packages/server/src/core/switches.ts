// Settings that operators change at run time. Source: Nacos 1.4.8 SwitchDomain; names are the wire names because
// the whole object is an answer of /operator/switches.

/** Status that an operator forces, or null. */
export type ServerStatus = 'STARTING' | 'UP' | 'DOWN' | 'PAUSED' | 'WRITE_ONLY' | 'READ_ONLY';

/** Bounds of an adaptive probe interval, ms; factor is the weight of the old value, 0 to 1. */
export interface ProbeIntervals {
  readonly max: number;
  readonly min: number;
  readonly factor: number;
}

/** All run-time switches with their wire names. Durations in ms. */
export interface Switches {
  readonly clientBeatInterval: number;
  readonly defaultCacheMillis: number;
  readonly defaultPushCacheMillis: number;
  readonly distroThreshold: number;
  /** Off: no lease expires and nothing is probed. */
  readonly healthCheckEnabled: boolean;
  readonly autoChangeHealthCheckEnabled: boolean;
  readonly distroEnabled: boolean;
  readonly enableStandalone: boolean;
  /** Off: nobody subscribes and nobody is pushed. */
  readonly pushEnabled: boolean;
  /** Probes in a row that flip an instance. */
  readonly checkTimes: number;
  readonly httpHealthParams: ProbeIntervals;
  readonly tcpHealthParams: ProbeIntervals;
  readonly mysqlHealthParams: ProbeIntervals;
  readonly serverStatusSynchronizationPeriodMillis: number;
  readonly serviceStatusSynchronizationPeriodMillis: number;
  readonly disableAddIP: boolean;
  readonly sendBeatOnly: boolean;
  readonly lightBeatEnabled: boolean;
  /** URL prefix to the status that requests below it are answered with. */
  readonly limitedUrlMap: Readonly<Record<string, number>>;
  readonly distroServerExpiredMillis: number;
  readonly pushGoVersion: string;
  readonly pushJavaVersion: string;
  readonly pushPythonVersion: string;
  readonly pushCVersion: string;
  readonly pushCSharpVersion: string;
  readonly enableAuthentication: boolean;
  readonly overriddenServerStatus: ServerStatus | null;
  readonly defaultInstanceEphemeral: boolean;
  readonly masters: readonly string[] | null;
}

/** The switches of a fresh server (1.4.8 defaults). */
export const DEFAULT_SWITCHES: Switches = {
  clientBeatInterval: 5000,
  defaultCacheMillis: 3000,
  defaultPushCacheMillis: 10000,
  distroThreshold: 0.7,
  healthCheckEnabled: true,
  autoChangeHealthCheckEnabled: true,
  distroEnabled: true,
  enableStandalone: true,
  pushEnabled: true,
  checkTimes: 3,
  httpHealthParams: { max: 5000, min: 500, factor: 0.85 },
  tcpHealthParams: { max: 5000, min: 1000, factor: 0.75 },
  mysqlHealthParams: { max: 3000, min: 2000, factor: 0.65 },
  serverStatusSynchronizationPeriodMillis: 2000,
  serviceStatusSynchronizationPeriodMillis: 5000,
  disableAddIP: false,
  sendBeatOnly: false,
  lightBeatEnabled: true,
  limitedUrlMap: {},
  distroServerExpiredMillis: 10000,
  pushGoVersion: '0.1.0',
  pushJavaVersion: '0.1.0',
  pushPythonVersion: '0.4.3',
  pushCVersion: '1.0.12',
  pushCSharpVersion: '0.9.0',
  enableAuthentication: false,
  overriddenServerStatus: null,
  defaultInstanceEphemeral: true,
  masters: null,
};
