// What a checker is: it watches a history without touching it, and throws when a promise is broken. It sees what readers,
// clients and the network see; what is inside the nodes only where nothing else can show it.

import type { PeerMessage, RegistryEvent } from '@rollcall/server/internal';
import type { SimEdit } from '../edit-log.js';
import type { Operation } from '../operation.js';
import type { DroppedRecord } from '../set-mirror.js';
import type { SimKey } from '../sim-key.js';
import type { NodeStore } from '../store/node-store.js';
import type { StoreOperation } from '../store/store-operation.js';

/** A promise was broken. The history ends there. */
export class Violation extends Error {
  /** Which promise: `I1` to `I14`, `L1` to `L4`, or the name of a scenario's own. */
  readonly rule: string;

  /**
   * @param rule - which promise
   * @param found - what was seen and what was promised
   */
  constructor(rule: string, found: string) {
    super(`${rule}: ${found}`);
    this.rule = rule;
  }
}

/** What a reader of one node sees of a key. */
export interface Shown {
  /** Name of the write that its content comes from; undefined when the content names none. */
  readonly operation: string | undefined;
  readonly healthy: boolean;
  readonly weight: number;
  readonly enabled: boolean;
  /** Metadata as text, in order of keys. */
  readonly metadata: string;
}

/** What a node's readers see of a key changed. */
export interface ViewChange {
  /** Virtual time, ms. */
  readonly at: number;
  readonly node: number;
  readonly run: number;
  readonly key: SimKey;
  /** Undefined when the key was not there. */
  readonly before: Shown | undefined;
  /** Undefined when the key is gone. */
  readonly after: Shown | undefined;
}

/** A sign of life of a key as a node took it; a beat for a key that it does not know is none. */
export interface SignOfLife {
  readonly node: number;
  readonly run: number;
  readonly key: SimKey;
  /** Monotonic clock of that node. */
  readonly mono: number;
}

/** A message between nodes, as it leaves. */
export interface MessageSent {
  readonly at: number;
  /** Node and run of the sender. */
  readonly from: number;
  readonly run: number;
  /** Node to which it goes. */
  readonly to: number;
  readonly bytes: number;
  readonly message: PeerMessage;
}

/** A push that left a node. */
export interface PushSent {
  readonly at: number;
  readonly node: number;
  readonly run: number;
  readonly mono: number;
  readonly service: string;
  readonly subscriber: string;
  readonly number: number;
}

/** Watches one promise. Every method is called right after the fact; `atEnd` after the quiet time at the end. */
export interface Checker {
  /** Which promise. */
  readonly rule: string;
  onView?(change: ViewChange): void;
  onArrival?(operation: Operation, node: number, run: number): void;
  /** A node has taken an operator's edit. */
  onEdit?(edit: SimEdit): void;
  /** After the step that took it: whatever that step ended first, it ended without this sign. */
  onSignOfLife?(sign: SignOfLife): void;
  /** A process goes on after it stood still. */
  onPause?(node: number, run: number, ms: number): void;
  onEvent?(node: number, run: number, event: RegistryEvent): void;
  /** A message leaves a node. */
  onMessage?(sent: MessageSent): void;
  /** A message of node `from` has reached a node that runs. `mono`: its monotonic clock. */
  onDelivery?(node: number, from: number, message: PeerMessage, mono: number): void;
  /** An author says that a record is gone from its set. */
  onDrop?(dropped: DroppedRecord): void;
  /** A node thinks otherwise of another. */
  onMember?(node: number, member: string, state: string): void;
  onAlarm?(node: number, kind: string, text: string): void;
  onPush?(push: PushSent): void;
  /** A node's copy of the shared store has changed, and its core with it. */
  onCopy?(store: NodeStore): void;
  /** An operator was told how a change of durable records ended. */
  onOperationEnd?(operation: StoreOperation): void;
  /** After each `n`-th step, for what is dear. */
  onSample?(): void;
  atEnd?(): void;
}
