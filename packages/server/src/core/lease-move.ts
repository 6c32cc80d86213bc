// Why a lease is held by another node than before, and what is known of its instance until then.

import type { Instant } from '@rollcall/runtime/time';

/**
 * `beat`: a beat came here and the holder could not be relied on. `holder-lost`: the holder is gone, or began a new run,
 * or another node took the lease from it while nothing was wrong with it here.
 * `elsewhere`: nothing was lost, another node has the lease or gave it up.
 */
export type LeaseMoveReason = 'beat' | 'holder-lost' | 'elsewhere';

/** A move as the node that sees it knows it. */
export interface LeaseMove {
  readonly why: LeaseMoveReason;
  /** Last sign of life before it: a beat here, or the last message of the node that vouched for the instance. */
  readonly lastSign: Instant;
}
