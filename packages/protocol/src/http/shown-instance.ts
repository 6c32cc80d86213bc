// What the encoders of answers need to know of an instance; the core's view of an instance has this shape.

import type { InstanceAddress, InstanceKind, LeaseTimes, Metadata } from '../instance.js';

/** An instance as lists show it. */
export interface ShownInstance extends InstanceAddress {
  /** Id kept since its first registration: `ip#port#cluster#group@@name`, or a number. */
  readonly instanceId: string;
  readonly kind: InstanceKind;
  /** Real health, before protection. */
  readonly healthy: boolean;
  readonly enabled: boolean;
  /** 0 to 10000. */
  readonly weight: number;
  readonly metadata: Metadata;
}

/** An instance with what the console and operators see besides. */
export interface DetailedInstance extends ShownInstance {
  /** Undefined for instances that a full beat made. */
  readonly app: string | undefined;
  readonly leaseTimes: LeaseTimes;
  /** Last beat or registration, epoch ms. */
  readonly lastBeat: number;
}

/** The id of an instance that asks for no numeric one. */
export function simpleInstanceId(address: InstanceAddress, groupedService: string): string {
  return `${address.ip}#${address.port}#${address.cluster}#${groupedService}`;
}
