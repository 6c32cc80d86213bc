// Everything that can happen to the registry, and what the caller is told at once. Changes that must be durable first
// (persistent instances, definitions, namespaces, edits, switches) come in as store changes after the store took them.

import type { InstanceContent, InstanceKind, ServiceKey } from '@rollcall/protocol';
import type { Instant } from '@rollcall/runtime/time';
import type { Actor } from './actor.js';
import type { BeatConnection } from './beat-connection.js';
import type { Address } from './instance-address.js';
import type { Registration } from './instance-record.js';
import type { JournalEntry } from './journal-entry.js';
import type { NodeId, PeerMessage } from './replication/peer-message.js';
import type { Rejection } from './replication/rejection.js';
import type { StoreChange } from './store-change.js';
import type { UdpSubscriberQuery } from './subscriber.js';

/** `mixed`: a service may hold both kinds (v1). `single`: refused while it holds only the other kind (gRPC, v2, v3). */
export type KindRule = 'mixed' | 'single';

/** An ephemeral instance kept alive by beats. Renews its lease; the newest registration decides content and health. */
export interface RegisterInput {
  readonly type: 'register';
  readonly service: ServiceKey;
  readonly address: Address;
  readonly content: InstanceContent;
  readonly kindRule: KindRule;
  readonly actor: Actor;
}

/** Ends the HTTP registration of an ephemeral instance. Nothing happens when there is none. */
export interface DeregisterInput {
  readonly type: 'deregister';
  readonly service: ServiceKey;
  readonly address: Address;
  readonly actor: Actor;
}

/** A sign of life. With `content` (a full beat) an unknown instance is registered. */
export interface BeatInput {
  readonly type: 'beat';
  readonly service: ServiceKey;
  readonly address: Address;
  readonly content: InstanceContent | undefined;
  readonly actor: Actor;
  /** For inputs that are kept and come again. */
  readonly place?: BeatPlace;
}

/** Where the core found the claim that a beat renews. Made empty beside an input that is kept; only the core looks inside. */
export class BeatPlace {
  registration: Registration | undefined;
  /** Connection over which the present beat came; written before each step. */
  connection: BeatConnection | undefined;
}

/**
 * `known`: the lease is renewed; the interval is the instance's own, when it sets one. `claimed`: the beat has just
 * registered the instance, which may be acknowledged only once it is journalled.
 */
export type BeatResult =
  | { readonly known: true; readonly beatIntervalMs: number | undefined; readonly claimed?: true }
  | { readonly known: false };

/** Replaces all that a connection publishes in one service; an empty list ends it. */
export interface PublishInput {
  readonly type: 'publish';
  readonly service: ServiceKey;
  readonly connection: string;
  readonly instances: readonly { readonly address: Address; readonly content: InstanceContent }[];
  /** A list, even an empty one, makes its service exist for readers (2.x); the end of a publication does not. */
  readonly means: 'list' | 'end';
  readonly actor: Actor;
}

/**
 * A connection is gone: everything that it published and subscribed ends. What one published that was asked to move to
 * another server (`connection-moved`) stays for the grace instead: its client lives, and is about to register there.
 */
export interface ConnectionClosedInput {
  readonly type: 'connection-closed';
  readonly connection: string;
  readonly cause: 'connection-closed' | 'connection-silent' | 'connection-moved';
  /** When the last message of a silent connection came: the last sign of life of what it published. */
  readonly lastSign?: Instant;
}

/**
 * An operator's removal on an ephemeral instance (PUT without a field, a deleted metadata key): changes the content
 * under the overlay until the next registration. Never renews a lease.
 */
export interface RebaseInput {
  readonly type: 'rebase';
  readonly service: ServiceKey;
  readonly address: Address;
  readonly content: InstanceContent;
  readonly actor: Actor;
}

/** Health found by a probe or set by hand. */
export interface HealthInput {
  readonly type: 'health';
  readonly service: ServiceKey;
  readonly kind: InstanceKind;
  readonly address: Address;
  readonly healthy: boolean;
  readonly cause: 'probe' | 'set-by-hand' | 'confirmed-dead';
  readonly actor: Actor;
}

/** Probes of a healthy persistent instance begin to fail, or are good again. Only reported; its health is another input. */
export interface ProbeInput {
  readonly type: 'probe';
  readonly service: ServiceKey;
  readonly address: Address;
  readonly result: 'failed' | 'passed';
  /** The last good probe; undefined before the first. */
  readonly lastGood: Instant | undefined;
}

/** Durable data changed. */
export interface StoreInput {
  readonly type: 'store';
  readonly changes: readonly StoreChange[];
  readonly actor: Actor;
}

/** State from before a restart: the first input of all. Every lease gets its full time again; nothing is reported. */
export interface RestoreInput {
  readonly type: 'restore';
  /** What the store holds. */
  readonly changes: Iterable<StoreChange>;
  /** Snapshot and journal, in order. */
  readonly entries: Iterable<JournalEntry>;
  /** Ms since the last change of it, by the own wall clock; undefined when unknown. Counts in a cluster only. */
  readonly ageMs?: number;
}

/** The process stood still for `ms` beyond its rhythm: all deadlines of leases move by it. */
export interface PausedInput {
  readonly type: 'paused';
  readonly ms: number;
}

/** A 1.x list query that asks for pushes. */
export interface SubscribeUdpInput {
  readonly type: 'subscribe-udp';
  readonly service: ServiceKey;
  readonly query: UdpSubscriberQuery;
  /** Whether the answer that goes with it has no hosts: such clients poll more rarely and are kept longer. */
  readonly answerEmpty: boolean;
  readonly actor: Actor;
}

/** A 1.x list query asked for pushes and cannot have them; it is answered all the same. Only reported. */
export interface RefuseSubscriberInput {
  readonly type: 'refuse-subscriber';
  readonly service: ServiceKey;
  /** Printable name of what was asked for: `address:port` as sent, cut to a length that can be logged. */
  readonly subscriber: string;
  readonly reason: PushRefusal;
  readonly actor: Actor;
}

/** What became of the connection over which the last beat of an instance came. Only reported. */
export interface BeatConnectionInput {
  readonly type: 'beat-connection';
  readonly service: ServiceKey;
  readonly address: Address;
  /** `ended`: closed in order. `reset`: broken off. `open`: there, while beats are missed. */
  readonly state: 'ended' | 'reset' | 'open';
}

/** A client that has no subscription was answered a list that is new to it. Only reported. */
export interface ListPolledInput {
  readonly type: 'list-polled';
  readonly service: ServiceKey;
  /** Clusters asked for, comma separated; empty for all. */
  readonly clusters: string;
  readonly actor: Actor;
}

/** An acknowledgement of push `number` that came from `port`. Counts only when number, port and address match. */
export interface PushAckInput {
  readonly type: 'push-ack';
  /** Addresses that the sender speaks for: its own first, then, when that is one of this host, all others of this host. */
  readonly ips: readonly string[];
  readonly port: number;
  readonly number: number;
}

/** A push to `ip:port` could not be sent. `too-large`: it never will be; the subscriber has to poll. */
export interface PushFailedInput {
  readonly type: 'push-failed';
  readonly ip: string;
  readonly port: number;
  readonly number: number;
  readonly reason: 'too-large' | 'socket-error';
}

/** A connection subscribes to a service, or changes its clusters. */
export interface SubscribeStreamInput {
  readonly type: 'subscribe-stream';
  readonly service: ServiceKey;
  readonly connection: string;
  readonly clusters: string;
  readonly agent: string;
  readonly app: string;
  readonly ip: string;
}

/** A connection no longer wants a service. */
export interface UnsubscribeStreamInput {
  readonly type: 'unsubscribe-stream';
  readonly service: ServiceKey;
  readonly connection: string;
}

/** The answer of a connection to push `number`. */
export interface StreamAckInput {
  readonly type: 'stream-ack';
  readonly connection: string;
  readonly number: number;
  readonly success: boolean;
}

/** Waits until every subscriber of the service has acknowledged its present content, at most `waitMs`. */
export interface AwaitSubscribersInput {
  readonly type: 'await-subscribers';
  readonly service: ServiceKey;
  /** Comes back in the effect `subscribers-awaited`. */
  readonly id: number;
  readonly waitMs: number;
}

/** The nodes of the cluster, this one among them or not; replaces the list. The first one starts this node. */
export interface MembersInput {
  readonly type: 'members';
  readonly members: readonly NodeId[];
}

/** A node sent a message. It is kept: nobody may change it afterwards. */
export interface PeerMessageInput {
  readonly type: 'peer-message';
  readonly peer: NodeId;
  readonly message: PeerMessage;
}

/** Nobody listens at a node's address. */
export interface PeerRefusedInput {
  readonly type: 'peer-refused';
  readonly peer: NodeId;
}

/** A node answered, but it and this one refuse each other. To be repeated every few seconds while they do. */
export interface PeerRejectedInput {
  readonly type: 'peer-rejected';
  readonly peer: NodeId;
  readonly reason: Rejection;
}

/** A node can be reached again: what was on its way to it before is lost. */
export interface PeerConnectedInput {
  readonly type: 'peer-connected';
  readonly peer: NodeId;
}

/** This node stops in order: the others are told. */
export interface LeavingInput {
  readonly type: 'leaving';
}

/** Time has passed: whatever is due happens. Every other input does this first, too. */
export interface TickInput {
  readonly type: 'tick';
}

/** Any input. */
export type RegistryInput =
  | RegisterInput
  | DeregisterInput
  | BeatInput
  | PublishInput
  | ConnectionClosedInput
  | RebaseInput
  | HealthInput
  | ProbeInput
  | StoreInput
  | RestoreInput
  | PausedInput
  | SubscribeUdpInput
  | RefuseSubscriberInput
  | ListPolledInput
  | BeatConnectionInput
  | PushAckInput
  | PushFailedInput
  | SubscribeStreamInput
  | UnsubscribeStreamInput
  | StreamAckInput
  | AwaitSubscribersInput
  | MembersInput
  | PeerMessageInput
  | PeerRefusedInput
  | PeerRejectedInput
  | PeerConnectedInput
  | LeavingInput
  | TickInput;

/**
 * Why a list query did not become a subscription although it asked: its client cannot take pushes, its address is no
 * literal or not one that may be sent to, its port does not exist, its texts are too long to be kept, or there are too
 * many subscribers.
 */
export type PushRefusal =
  | 'agent-not-supported'
  | 'address-not-literal'
  | 'address-not-allowed'
  | 'port-out-of-range'
  | 'text-too-long'
  | 'service-full'
  | 'registry-full';

/** Whether a list query became (or stayed) a subscription, and why not. */
export type SubscribeResult =
  | { readonly subscribed: true }
  | { readonly subscribed: false; readonly reason: 'push-disabled' | 'service-full' | 'registry-full' };

/** What {@link RegistryCore.step} returns for an input. */
export type ResultOf<I extends RegistryInput> = I extends BeatInput
  ? BeatResult
  : I extends SubscribeUdpInput | SubscribeStreamInput
    ? SubscribeResult
    : undefined;
