// What passes between a flow and the process that holds the npm client.

import type { ListedHost } from '../naming-api.js';

/** An instance as the npm client takes it. */
export interface ClientInstance {
  readonly ip: string;
  readonly port: number;
  readonly weight?: number;
  readonly clusterName?: string;
  readonly ephemeral?: boolean;
  readonly healthy?: boolean;
  readonly enabled?: boolean;
  readonly metadata?: Readonly<Record<string, string>>;
}

/** Which list a query asks for. */
export interface ClientQuery {
  readonly serviceName: string;
  readonly groupName?: string;
  /** Comma-separated cluster names. */
  readonly clusters?: string;
  /** Take the list from the client's cache and keep it up to date, as applications do; false asks the server once. */
  readonly subscribe?: boolean;
  /** Only hosts of this health that are enabled and have a weight (`selectInstances`); absent: all. */
  readonly healthy?: boolean;
}

/** A call of the client. */
export type ClientCall =
  | {
      readonly call: 'register' | 'deregister';
      readonly serviceName: string;
      readonly groupName?: string;
      readonly instance: ClientInstance;
    }
  | { readonly call: 'instances'; readonly query: ClientQuery }
  | { readonly call: 'subscribe' | 'unsubscribe'; readonly query: ClientQuery }
  | { readonly call: 'status' };

/** To the process: a call with its number. */
export interface ClientRequest {
  readonly id: number;
  readonly call: ClientCall;
}

/** From the process. */
export type ClientReport =
  | {
      readonly kind: 'ready';
      /** Wall-clock time at which the client was constructed, after its package had been loaded. */
      readonly openedAtMs: number;
    }
  | { readonly kind: 'answer'; readonly id: number; readonly value: unknown }
  | { readonly kind: 'refusal'; readonly id: number; readonly message: string }
  | {
      readonly kind: 'event';
      /** Which client of the process, from 0. */
      readonly client: number;
      readonly serviceName: string;
      /** Wall-clock time at which the listener was called, in milliseconds. */
      readonly atMs: number;
      readonly hosts: readonly ListedHost[];
    };
