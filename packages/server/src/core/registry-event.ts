// Facts for the log, the metrics and the ledger: one event per state change, each with its cause and who was behind it.

import type { InstanceKind, LeaseTimes, ServiceKey } from '@rollcall/protocol';
import type { Instant, Now } from '@rollcall/runtime/time';
import type { Actor } from './actor.js';
import type { ContentEdit } from './content-edit.js';
import type { ListDialect } from './host-selection.js';
import type { Address } from './instance-address.js';
import type { LeaseMoveReason } from './lease-move.js';

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
  | 'confirmed-dead'
  | 'store'
  /** A record of another node says so. */
  | 'replicated'
  /** The node that held the lease is gone, and nobody took it over in time. */
  | 'holder-lost';

/** The claim on an instance that an event is about, as it is when the event happens. */
export interface ClaimFacts {
  readonly kind: InstanceKind;
  readonly address: Address;
  readonly publisher: string;
  /** Last sign of life: registration or beat. */
  readonly lastBeat: Instant;
  readonly leaseTimes: LeaseTimes;
  /** List version, epoch ms. */
  readonly refTime: number;
  /** Health and content in force. */
  readonly healthy: boolean;
  readonly enabled: boolean;
  readonly weight: number;
  /** Node from which the change came; undefined for one that was made on this node. */
  readonly node: string | undefined;
  /** Ms for which the change had been made there before it was known here; undefined when it came without delay. */
  readonly ageMs: number | undefined;
  /** Why, of a change; undefined of what is no change of the list. */
  readonly cause: InstanceCause | undefined;
  /** What an edit changed; empty for everything else. */
  readonly edits: readonly ContentEdit[];
}

/** What happened. `at` is both clocks at the step that caused it. */
export type RegistryEvent = {
  readonly at: Now;
  readonly service: ServiceKey;
  readonly actor: Actor;
} & (
  | { readonly type: 'service-appeared' | 'service-defined' | 'service-vanished' }
  | (ClaimFacts & {
      readonly type:
        | 'instance-registered'
        | 'instance-updated'
        | 'instance-edited'
        | 'instance-healthy'
        | 'instance-unhealthy'
        | 'instance-removed';
      readonly cause: InstanceCause;
    })
  /**
   * No beat for one and a half intervals; beats again after that; beats for one instance from one more address. An ordinary
   * beat is no event.
   */
  | (ClaimFacts & { readonly type: 'beat-missed' | 'beats-resumed' | 'beats-from-elsewhere' })
  /**
   * The lease is held by another node now. `lastBeat` is the last sign of life before that, see `LeaseMove`: from then on
   * nobody watched the lease until it moved.
   */
  | (ClaimFacts & {
      readonly type: 'lease-moved';
      readonly from: string;
      readonly to: string;
      readonly why: LeaseMoveReason;
    })
  /**
   * The first probe that did not find a healthy persistent instance well, and the first that did again before its health
   * was changed; `lastBeat` is the last good probe.
   */
  | (ClaimFacts & { readonly type: 'probe-failed' | 'probe-passed' })
  /** What became of the connection over which the last beat came: closed in order, reset, or open while nothing comes. */
  | (ClaimFacts & { readonly type: 'beat-connection-ended' | 'beat-connection-reset' | 'beat-connection-open' })
  /** So few are healthy that all are shown as healthy, or no longer; per dialect, for a list of all clusters. */
  | {
      readonly type: 'protection-on' | 'protection-off';
      readonly dialect: ListDialect;
      readonly healthy: number;
      readonly all: number;
      readonly threshold: number;
    }
  /** A change came within the merge window: its push waits for the end of the window. */
  | { readonly type: 'pushes-merged'; readonly refTime: number; readonly waitMs: number }
  /** Somebody who left has waited for subscribers. */
  | {
      readonly type: 'subscribers-awaited';
      readonly refTime: number;
      readonly waitedMs: number;
      readonly acknowledged: number;
      /** Printable names of those that do not know yet, some of them when they are many. */
      readonly pending: readonly string[];
    }
  | {
      readonly type:
        | 'subscribed'
        | 'unsubscribed'
        | 'subscriber-expired'
        | 'subscriber-refused'
        | 'list-polled'
        | 'push-queued'
        | 'push-sent'
        | 'push-resent'
        | 'push-acknowledged'
        | 'push-refused'
        | 'push-given-up'
        | 'push-failed';
      /** Printable name of the subscriber: `ip:port`, or the connection id; of a client that only polls, its address. */
      readonly subscriber: string;
      readonly transport: 'udp' | 'stream' | 'poll';
      /** Address of the subscriber. */
      readonly ip: string;
      /** Clusters asked for, comma separated; empty for all. */
      readonly clusters: string;
      /** List version that it is about, epoch ms; 0 when none. */
      readonly refTime: number;
      readonly reason?: string | undefined;
      /** Of an acknowledgement: ms since the last send of what it acknowledges. */
      readonly tookMs?: number | undefined;
    }
);

/** What happened to the whole server. */
export type ServerEvent = { readonly at: Now; readonly actor: Actor } & (
  | { readonly type: 'switches-changed'; readonly changed: Readonly<Record<string, string>> }
  | { readonly type: 'paused'; readonly ms: number }
  /** More instances were late within a second than are reported one by one: the server or its network cannot keep up. */
  | { readonly type: 'many-beats-late' }
);
