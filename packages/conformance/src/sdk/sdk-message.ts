// What a flow and the process of an SDK say to each other: one JSON object a line, calls on standard input, reports on
// standard output. The drivers in `drivers/` speak the same in other languages.

import type { ListedHost } from '../naming-api.js';

/** A call. All of a process's clients subscribe, the first does everything else. */
export interface SdkCall {
  readonly id: number;
  readonly call: 'register' | 'deregister' | 'batch' | 'query' | 'subscribe';
  readonly service: string;
  readonly group: string;
  /** One for `register` and `deregister`, any number for `batch`. */
  readonly instances: readonly ListedHost[];
}

/** A report. Times are wall clock, ms. */
export type SdkReport =
  | { readonly kind: 'ready' }
  | { readonly kind: 'answer'; readonly id: number; readonly hosts?: readonly ListedHost[] }
  | { readonly kind: 'refusal'; readonly id: number; readonly message: string }
  | {
      readonly kind: 'event';
      /** Which client of the process, from 0. */
      readonly client: number;
      readonly service: string;
      readonly atMs: number;
      readonly hosts: readonly ListedHost[];
    };
