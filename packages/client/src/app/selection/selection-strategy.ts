// What a strategy of choice is: it prepares itself once per list, so that a choice costs no more than a look-up; only instances
// that are healthy, enabled and have a weight are given to it.

import type { Instance } from '../../core/instance.js';

/** What one choice may depend on. */
export interface SelectRequest {
  /** Equal keys go to the same instance as long as it is there; for strategies that hash. */
  readonly key?: string | undefined;
}

/** Chooses one of the instances it was prepared for. */
export type Picker = (request: SelectRequest) => Instance | undefined;

/** A way to choose. A function of your own is one too. @param instances - usable ones, never empty, never changed */
export type SelectionStrategy = (instances: readonly Instance[]) => Picker;
