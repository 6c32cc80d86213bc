// What the core of the client wants done, in order. The app performs it; answers come back as inputs.

import type { ServiceKey } from '@rollcall/protocol';
import type { ClientError } from './client-error.js';
import type { Instance } from './instance.js';
import type { InstanceChange } from './instance-change.js';
import type { RegistryCall, SubscribersTold } from './registry-call.js';

/** Send a call; its answer comes back as an input with the same ticket. */
export interface CallEffect {
  readonly type: 'call';
  readonly ticket: number;
  readonly call: RegistryCall;
}

/** How an operation ended. */
export type Outcome =
  | { readonly type: 'done'; readonly subscribers?: SubscribersTold | undefined }
  | { readonly type: 'failed'; readonly error: ClientError };

/** An operation that the app began has ended. */
export interface SettledEffect {
  readonly type: 'settled';
  readonly operation: number;
  readonly outcome: Outcome;
}

/** A followed service has its first list, or another one. */
export interface ListedEffect {
  readonly type: 'listed';
  readonly service: ServiceKey;
  readonly instances: readonly Instance[];
  /** Undefined for a first list that is empty. */
  readonly change: InstanceChange | undefined;
  /** Where the list comes from. */
  readonly origin: 'server' | 'cache' | 'failover';
}

/** A list to keep on disk. */
export interface KeepEffect {
  readonly type: 'keep';
  readonly service: ServiceKey;
  /** JSON as the server sent it. */
  readonly text: string;
}

/** Something worth a line in the log: a change of state, never one line per call. */
export interface NoteEffect {
  readonly type: 'note';
  readonly level: 'debug' | 'info' | 'warn';
  readonly event: string;
  readonly fields: Readonly<Record<string, string | number | boolean | undefined>>;
}

/** Any effect. */
export type ClientEffect = CallEffect | SettledEffect | ListedEffect | KeepEffect | NoteEffect;

/** Takes effects, in order, during a step. */
export type ClientEffectSink = (effect: ClientEffect) => void;
