// What the ledger knows: one fact per thing that adds to the time for which consumers keep calling an instance. Plain data,
// the same in memory, on disk and in answers. Causes and reasons are one fixed list of words (ops-auth-console.md 6.6).

import type { InstanceKind } from '@rollcall/protocol';
import type { Via } from '../actor.js';
import type { ContentEdit } from '../content-edit.js';
import type { ListDialect } from '../host-selection.js';
import type { LeaseMoveReason } from '../lease-move.js';
import type { InstanceCause, RegistryEvent } from '../registry-event.js';

/** What every fact has. */
interface FactBase {
  /**
   * Epoch ms on a time line that follows the monotonic clock, so that differences are true whatever is done to the wall
   * clock, and that never goes back, also across restarts.
   */
  readonly at: number;
  /** Epoch ms that the wall clock showed. */
  readonly wall: number;
  /** Who was behind it; an address where one is known. */
  readonly via: Via;
  readonly peer: string | undefined;
}

/** About an instance. */
export interface InstanceFact extends FactBase {
  readonly type:
    | Extract<RegistryEvent, { cause: InstanceCause }>['type']
    | 'beat-missed'
    | 'beats-resumed'
    | 'beats-from-elsewhere'
    | 'lease-moved'
    | 'probe-failed'
    | 'probe-passed'
    | 'beat-connection-ended'
    | 'beat-connection-reset'
    | 'beat-connection-open';
  readonly kind: InstanceKind;
  readonly ip: string;
  readonly port: number;
  readonly cluster: string;
  readonly publisher: string;
  /** Why, of a change; undefined of what is no change of the list. */
  readonly cause: InstanceCause | undefined;
  /** List version after it, epoch ms. */
  readonly version: number;
  /** Last sign of life, as `at`. */
  readonly lastBeatAt: number;
  readonly beatIntervalMs: number | undefined;
  readonly beatTimeoutMs: number;
  readonly deleteTimeoutMs: number;
  /** In force after it. */
  readonly healthy: boolean;
  readonly enabled: boolean;
  readonly weight: number;
  /** What an edit changed, with old and new values; only of one. */
  readonly edits?: readonly ContentEdit[] | undefined;
  /** Node of the cluster from which the change came, or that holds the lease now; absent for this one. */
  readonly node?: string | undefined;
  /** Ms for which the change had been made at that node before it was known here; absent when it came without delay. */
  readonly ageMs?: number | undefined;
  /** Of a lease that moved; `lastBeatAt` is the last sign of life before that, of its client or of the node that held it. */
  readonly move?: LeaseStep;
}

/** A lease that went from one node to another. */
export interface LeaseStep {
  readonly from: string;
  readonly to: string;
  readonly why: LeaseMoveReason;
}

/** About a subscriber, or a client that only polls. */
export interface SubscriberFact extends FactBase {
  readonly type: Extract<RegistryEvent, { subscriber: string }>['type'];
  /** `ip:port`, the id of a connection, or the address of a client that only polls. */
  readonly subscriber: string;
  readonly transport: 'udp' | 'stream' | 'poll';
  readonly ip: string;
  /** Clusters asked for, comma separated; empty for all. */
  readonly clusters: string;
  /** List version that it is about, epoch ms. */
  readonly version: number;
  readonly reason: string | undefined;
}

/** About a service as a whole. */
export type ServiceFact = FactBase &
  (
    | { readonly type: 'service-appeared' | 'service-defined' | 'service-vanished' }
    | {
        readonly type: 'protection-on' | 'protection-off';
        readonly dialect: ListDialect;
        readonly healthy: number;
        readonly all: number;
        readonly threshold: number;
      }
    | { readonly type: 'pushes-merged'; readonly version: number; readonly waitMs: number }
    | {
        readonly type: 'subscribers-awaited';
        readonly version: number;
        readonly waitedMs: number;
        readonly acknowledged: number;
        readonly pending: readonly string[];
      }
  );

/** About the whole server. */
export type ServerFact = FactBase &
  (
    | { readonly type: 'server-started' }
    /** More instances were late at once than have a fact of their own. */
    | { readonly type: 'many-beats-late' }
    | { readonly type: 'paused'; readonly ms: number }
    /** The wall clock was set: forward when positive. */
    | { readonly type: 'clock-set'; readonly byMs: number }
    | { readonly type: 'switches-changed'; readonly changed: Readonly<Record<string, string>> }
  );

/** A fact of a service's history. */
export type Fact = InstanceFact | SubscriberFact | ServiceFact;

/** Whether a fact is about an instance. */
export function isInstanceFact(fact: Fact | ServerFact): fact is InstanceFact {
  return 'publisher' in fact;
}

/** Whether a fact is about a subscriber. */
export function isSubscriberFact(fact: Fact | ServerFact): fact is SubscriberFact {
  return 'subscriber' in fact;
}
