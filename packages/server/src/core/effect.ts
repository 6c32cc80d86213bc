// What the core wants done outside. The app performs effects in the order in which they come.

import type { Now } from '@rollcall/runtime/time';
import type { JournalEntry } from './journal-entry.js';
import type { RegistryEvent, ServerEvent } from './registry-event.js';
import type { AlarmKind } from './replication/alarm-kind.js';
import type { MemberState, NodeId, PeerMessage } from './replication/peer-message.js';
import type { ServiceView } from './service-view.js';
import type { StoreChange } from './store-change.js';
import type { Subscriber } from './subscriber.js';

/** One thing to do. */
export type Effect =
  /** Append to the journal before anything that this step caused is acknowledged. */
  | { readonly type: 'journal'; readonly entry: JournalEntry }
  /** An edit has outlived its use; its store should forget it, without anybody waiting. */
  | { readonly type: 'forget'; readonly change: Extract<StoreChange, { type: 'edit' }> }
  /** A fact for log, metrics and ledger. */
  | { readonly type: 'event'; readonly event: RegistryEvent }
  /** The same for what concerns the whole server. */
  | { readonly type: 'server-event'; readonly event: ServerEvent }
  /** Send the view to the subscriber; `number` comes back in its acknowledgement. */
  | { readonly type: 'push'; readonly subscriber: Subscriber; readonly view: ServiceView; readonly number: number }
  /** Send a message to another node; it may be lost. */
  | { readonly type: 'send'; readonly peer: NodeId; readonly message: PeerMessage }
  /** The number of this run of this node: write it where the next run finds it. */
  | { readonly type: 'persist-epoch'; readonly epoch: number }
  /** An operator's edit came from another node, or has its version now: store it without anybody waiting. */
  | { readonly type: 'keep'; readonly change: Extract<StoreChange, { type: 'edit' }> }
  /** A member, or this node itself, is in another state. */
  | {
      readonly type: 'member-changed';
      readonly node: NodeId;
      readonly state: MemberState;
      readonly before: MemberState;
      readonly at: Now;
    }
  /** Somebody should look; `stop`: this process must end. */
  | { readonly type: 'alarm'; readonly kind: AlarmKind; readonly text: string; readonly stop: boolean }
  /** The waiting for subscribers that `id` began is over. */
  | {
      readonly type: 'subscribers-awaited';
      readonly id: number;
      readonly acknowledged: number;
      readonly pending: number;
      readonly waitedMs: number;
    };

/** Takes effects in order. Must not call back into the core. */
export type EffectSink = (effect: Effect) => void;
