// Who has to know of changes that were made on this node: replication, when this node is one of several.

import type { Registration } from './instance-record.js';
import type { InstanceCause } from './registry-event.js';
import type { Service } from './service.js';
import type { StoreChange } from './store-change.js';

/** Told of each change after it is in the table, except of those that follow from peers' records. */
export interface ClaimObserver {
  /** A claim is new, or has new content. */
  claimPut(service: Service, registration: Registration): void;
  /** The health of a claim is another one. */
  claimHealth(service: Service, registration: Registration): void;
  /** A claim is no longer in the table. */
  claimEnded(service: Service, registration: Registration, cause: InstanceCause): void;
  /**
   * Whether a lease held here must not run out yet: the node from which it was adopted has just come back, and may be
   * about to tell of a later sign of life.
   */
  hasReprieve(service: Service, registration: Registration): boolean;
  /** An operator edited an instance, or took the edit back (value undefined), or a restart brings an edit back. */
  editSet(service: Service, change: Extract<StoreChange, { type: 'edit' }>): void;
}
