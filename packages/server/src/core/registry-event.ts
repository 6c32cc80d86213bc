// Facts for the log, the metrics and the ledger: one event per state change, each with its cause and who was behind it.

import type { InstanceKind, ServiceKey } from '@rollcall/protocol';
import type { Now } from '@rollcall/runtime/time';
import type { Actor } from './actor.js';
import type { Address } from './instance-address.js';

/** Why an instance changed. */
export type InstanceCause =
  | 'registered'
  | 'full-beat'
  | 'beat'
  | 'beat-timeout'
  | 'delete-timeout'
  | 'deregistered'
  | 'connection-closed'
  | 'connection-silent'
  | 'grace-ended'
  | 'edited'
  | 'edit-reset'
  | 'probe'
  | 'set-by-hand'
  | 'store';

/** What happened. `at` is both clocks at the step that caused it. */
export type RegistryEvent = {
  readonly at: Now;
  readonly service: ServiceKey;
  readonly actor: Actor;
} & (
  | { readonly type: 'service-appeared' | 'service-defined' | 'service-vanished' }
  | {
      readonly type:
        | 'instance-registered'
        | 'instance-updated'
        | 'instance-edited'
        | 'instance-healthy'
        | 'instance-unhealthy'
        | 'instance-removed';
      readonly kind: InstanceKind;
      readonly address: Address;
      readonly publisher: string;
      readonly cause: InstanceCause;
    }
  | {
      readonly type:
        | 'subscribed'
        | 'unsubscribed'
        | 'subscriber-expired'
        | 'subscriber-refused'
        | 'push-sent'
        | 'push-resent'
        | 'push-acknowledged'
        | 'push-given-up'
        | 'push-failed';
      /** Printable name of the subscriber: `ip:port`, or the connection id. */
      readonly subscriber: string;
      readonly transport: 'udp' | 'stream';
      /** List version pushed, epoch ms; 0 when none. */
      readonly refTime: number;
      readonly reason?: string;
      /** Of an acknowledgement: ms since the last send of what it acknowledges. */
      readonly tookMs?: number;
    }
);
