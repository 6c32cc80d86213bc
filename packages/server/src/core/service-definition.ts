// What somebody set for a service as a whole, apart from its instances.
// Source: Nacos 1.4.8 Service, Cluster, HealthCheckerFactory.

import type { HealthChecker, InstanceKind, Metadata, Selector } from '@rollcall/protocol';

/** Settings of one cluster of a service. */
export interface ClusterDefinition {
  readonly name: string;
  /** How persistent instances are probed. Default TCP. */
  readonly healthChecker: HealthChecker;
  /** Port probed when `useInstancePort` is false. Default 80. */
  readonly checkPort: number;
  /** Whether each instance's own port is probed. Default true. */
  readonly useInstancePort: boolean;
  readonly metadata: Metadata;
}

/** Settings of a service. */
export interface ServiceDefinition {
  /** Share of healthy instances at or below which all are shown as healthy; 0 (default) is off, negative is off. */
  readonly protectThreshold: number;
  readonly metadata: Metadata;
  readonly selector: Selector;
  /** Kind that its maker announced (v2, v3): shown while it has no instance, and never a reason to refuse one. */
  readonly kind?: InstanceKind;
  /** Clusters that somebody defined; clusters without definition have the defaults. */
  readonly clusters: ReadonlyMap<string, ClusterDefinition>;
}
