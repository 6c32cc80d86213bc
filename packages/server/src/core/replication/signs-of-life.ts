// What is known on this node of when the client of a lease was heard from, here or through other nodes.

import type { Registration } from '../instance-record.js';
import type { ClusterState } from './cluster-state.js';
import type { RecordKey } from './record-key.js';

/** Which timeout of a lease a sign of life has to be within. */
export type Timeout = 'beat-timeout' | 'delete-timeout';

/** Signs of life. */
export class SignsOfLife {
  readonly #cluster: ClusterState;

  constructor(cluster: ClusterState) {
    this.#cluster = cluster;
  }

  /** Whether a sign of life came here within a timeout of the lease on a key, and after the last pause, whichever lease is shown. */
  confirm(key: RecordKey, within: Timeout): boolean {
    const registration = this.registrationOf(key);
    if (registration === undefined) return false;
    const { now } = this.#cluster;
    const { lastBeat, leaseTimes } = registration;
    const timeoutMs = within === 'beat-timeout' ? leaseTimes.beatTimeoutMs : leaseTimes.deleteTimeoutMs;
    return this.isSincePause(registration) && now.mono - lastBeat < timeoutMs;
  }

  /** Whether the last sign came after the process last stood still. */
  isSincePause({ lastBeat }: Registration): boolean {
    return lastBeat > this.#cluster.resumedAt;
  }

  /** The claim of a key as it is shown; undefined when it is not. */
  registrationOf({ service, address, publisher }: RecordKey): Registration | undefined {
    return this.#cluster.registry.services.get(service.id)?.ephemeral.get(address.key)?.registrationOf(publisher);
  }
}
