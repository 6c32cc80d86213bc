// When the client of a lease was heard from: a sign of life counts within a timeout of the lease, and not from before this
// process last stood still.

import type { Registration } from '../instance-record.js';
import type { ClusterState } from './cluster-state.js';

/** Which timeout of a lease a sign of life has to be within. */
export type Timeout = 'beat-timeout' | 'delete-timeout';

/** Whether a sign of life came here within a timeout of the lease, and after the last pause, whichever lease is shown. */
export function isConfirmed(cluster: ClusterState, registration: Registration, within: Timeout): boolean {
  const { lastBeat, leaseTimes } = registration;
  const timeoutMs = within === 'beat-timeout' ? leaseTimes.beatTimeoutMs : leaseTimes.deleteTimeoutMs;
  return isSincePause(cluster, registration) && cluster.now.mono - lastBeat < timeoutMs;
}

/** Whether the last sign came after the process last stood still. */
export function isSincePause({ resumedAt }: ClusterState, { lastBeat }: Registration): boolean {
  return lastBeat > resumedAt;
}
