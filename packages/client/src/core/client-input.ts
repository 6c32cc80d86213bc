// What can happen to the core of the client: the caller's wishes, answers, pushes, and changes of the session.

import type { ServiceKey } from '@rollcall/protocol';
import type { ClientError } from './client-error.js';
import type { RegisteredInstance } from './instance.js';
import type { AnswerOf, RegistryCall } from './registry-call.js';
import type { ServiceList } from './service-list.js';

/** Keep an instance registered. A second one for the same address replaces the content of the first. */
export interface RegisterInput {
  readonly type: 'register';
  readonly operation: number;
  readonly service: ServiceKey;
  readonly instance: RegisteredInstance;
}

/** Stop keeping an instance, and take it out of the server. */
export interface DeregisterInput {
  readonly type: 'deregister';
  readonly operation: number;
  readonly service: ServiceKey;
  readonly instance: RegisteredInstance;
  readonly awaitSubscribersMs: number;
  /** Ends the registration only while its content is still that of this operation; a newer one for the same address stays. */
  readonly onlyOf?: number | undefined;
}

/** Keep a list of a service up to date. */
export interface FollowInput {
  readonly type: 'follow';
  readonly service: ServiceKey;
}

/** Nobody wants the list any more. */
export interface UnfollowInput {
  readonly type: 'unfollow';
  readonly service: ServiceKey;
}

/** The result of a call. */
export type CallResult<C extends RegistryCall = RegistryCall> =
  | { readonly type: 'answered'; readonly answer: AnswerOf<C> }
  | { readonly type: 'failed'; readonly error: ClientError };

/** A call that was sent has ended. */
export interface CalledInput {
  readonly type: 'called';
  readonly ticket: number;
  readonly result: CallResult;
}

/** A list came in that nobody asked for. */
export interface PushedInput {
  readonly type: 'pushed';
  readonly list: ServiceList;
  readonly source: string;
  readonly text: string;
}

/** A server can be asked from now on. Over a connection: a new one, which holds nothing yet. */
export interface OpenedInput {
  readonly type: 'opened';
  /** What keeps instances and subscriptions at the server. The same each time. */
  readonly keeping: 'beats' | 'connection';
}

/** The connection is gone, and with it all that it held. Calls on their way end as failed, before or after this. */
export interface LostInput {
  readonly type: 'lost';
}

/** Fail-over lists that go before everything else; undefined switches fail-over off. */
export interface FailoverInput {
  readonly type: 'failover';
  /** By `group@@name`. */
  readonly lists: ReadonlyMap<string, ServiceList> | undefined;
}

/** Lists from the cache on disk, used until a server answers. */
export interface CachedInput {
  readonly type: 'cached';
  readonly lists: readonly ServiceList[];
}

/** Time passed. */
export interface WokenInput {
  readonly type: 'woken';
}

/** Any input. */
export type ClientInput =
  | RegisterInput
  | DeregisterInput
  | FollowInput
  | UnfollowInput
  | CalledInput
  | PushedInput
  | OpenedInput
  | LostInput
  | FailoverInput
  | CachedInput
  | WokenInput;
