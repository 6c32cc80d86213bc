// Everything that the client asks of a server, as one union that each transport translates into its protocol. The port of
// the client's core: it emits these, and takes the answers as inputs.

import type { ServiceKey } from '@rollcall/protocol';
import type { RegisteredInstance } from './instance.js';
import type { ServiceList } from './service-list.js';

/** Registers an instance, or replaces what is registered under its address. */
export interface RegisterCall {
  readonly type: 'register';
  readonly service: ServiceKey;
  readonly instance: RegisteredInstance;
}

/** Takes an instance out. */
export interface DeregisterCall {
  readonly type: 'deregister';
  readonly service: ServiceKey;
  readonly instance: RegisteredInstance;
  /** The server answers when all subscribers know, at most after this many ms; 0 does not wait. Only Rollcall waits. */
  readonly awaitSubscribersMs: number;
}

/** Sign of life of an ephemeral instance. */
export interface BeatCall {
  readonly type: 'beat';
  readonly service: ServiceKey;
  readonly instance: RegisteredInstance;
  /** `full` carries the instance, so that the server can make it again; `light` only names it. */
  readonly form: 'light' | 'full';
}

/** Asks for the instances of a service, all clusters. */
export interface ListCall {
  readonly type: 'list';
  readonly service: ServiceKey;
  /** `follow` also asks to be told of changes; `once` leaves no trace on the server. */
  readonly purpose: 'once' | 'follow';
}

/** One page of service names of a group. */
export interface ServicesCall {
  readonly type: 'services';
  readonly namespace: string;
  readonly group: string;
  /** From 1. */
  readonly page: number;
  readonly pageSize: number;
}

/** Asks whether the server is up. */
export interface StatusCall {
  readonly type: 'status';
}

/** Says what the connection publishes in a service from now on; what it published before and is not named goes. */
export interface PublishCall {
  readonly type: 'publish';
  readonly service: ServiceKey;
  readonly instances: readonly RegisteredInstance[];
  /** One of those that go, undefined when none goes. */
  readonly removed: RegisteredInstance | undefined;
  /** As of {@link DeregisterCall}. */
  readonly awaitSubscribersMs: number;
}

/** The connection wants no more pushes of a service. */
export interface UnfollowCall {
  readonly type: 'unfollow';
  readonly service: ServiceKey;
}

/** Any call. Those that only a protocol without connection, or only one with, can do are rejected by the other. */
export type RegistryCall =
  | RegisterCall
  | DeregisterCall
  | BeatCall
  | ListCall
  | ServicesCall
  | StatusCall
  | PublishCall
  | UnfollowCall;

/** How many subscribers knew of a deregistration when it was answered. */
export interface SubscribersTold {
  readonly acknowledged: number;
  /** Subscribers that had not acknowledged yet. */
  readonly pending: number;
  /** How long the server waited, ms. */
  readonly waitedMs: number;
}

/** Answer to a beat. */
export interface BeatAnswer {
  /** When the server wants the next one, ms; 0 when it does not say. */
  readonly intervalMs: number;
  /** `unknown`: the instance is not there (any more) and must be registered again. */
  readonly instance: 'known' | 'unknown';
  /** Whether the next beat may leave out the instance. */
  readonly lightBeats: boolean;
}

/** A list together with who gave it: versions of lists can be compared within one server only. */
export interface ListAnswer {
  readonly list: ServiceList;
  /** Names the server. */
  readonly source: string;
  /** The text as it came, for the cache on disk. */
  readonly text: string;
}

/** One page of service names. */
export interface ServicePage {
  /** Services of the group, all pages together. */
  readonly count: number;
  /** Names without group. */
  readonly names: readonly string[];
}

/** What each call is answered with. */
export interface CallAnswers {
  readonly register: undefined;
  /** Undefined when the server does not tell. */
  readonly deregister: SubscribersTold | undefined;
  readonly beat: BeatAnswer;
  readonly list: ListAnswer;
  readonly services: ServicePage;
  readonly status: 'UP' | 'DOWN';
  /** As of `deregister`. */
  readonly publish: SubscribersTold | undefined;
  readonly unfollow: undefined;
}

/** The answer to one call. */
export type AnswerOf<C extends RegistryCall> = CallAnswers[C['type']];
