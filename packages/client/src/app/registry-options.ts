// What the methods of the client take besides the service that they are about.

import type { CallOptions } from './operations.js';
import type { SelectionStrategy } from './selection/selection-strategy.js';

/** How a service is followed. */
export interface SubscribeOptions {
  /** Only instances of these clusters. Default all. Order and repetition do not matter. */
  readonly clusters?: readonly string[] | undefined;
  /** How `select` chooses. Default weighted random. */
  readonly strategy?: SelectionStrategy | undefined;
  /** Closes the view. */
  readonly signal?: AbortSignal | undefined;
  /** Longest time for the first list, ms; after it the view is closed. Default none: it waits for a server as long as it takes. */
  readonly deadlineMs?: number | undefined;
}

/** Which page of service names. */
export interface ServicesOptions extends CallOptions {
  /** Default: the group of the client. */
  readonly group?: string | undefined;
  /** From 1, the default. */
  readonly page?: number | undefined;
  /** 1 to 10000, default 100. */
  readonly pageSize?: number | undefined;
}

/** How long the end may take. */
export interface CloseOptions extends CallOptions {
  /** As for a single deregistration. Default 0. */
  readonly awaitSubscribersMs?: number | undefined;
}
