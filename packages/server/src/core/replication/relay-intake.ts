// What other nodes relay of leases that are held here: beats that came to them, and health set there by hand (R9). The other
// end of guest-beats.ts.

import { after } from '@rollcall/runtime/time';
import type { InstanceTable } from '../instance-table.js';
import type { ClusterState } from './cluster-state.js';
import type { NodeId, RelayMessage } from './peer-message.js';
import type { RecordKey } from './record-key.js';
import { setIdText } from './record-set.js';
import type { Settlement } from './settlement.js';

/** Takes relays. */
export class RelayIntake {
  readonly #cluster: ClusterState;
  readonly #instances: InstanceTable;
  readonly #settlement: Settlement;

  constructor(cluster: ClusterState, parts: { readonly instances: InstanceTable; readonly settlement: Settlement }) {
    this.#cluster = cluster;
    this.#instances = parts.instances;
    this.#settlement = parts.settlement;
  }

  /** A relay came. One for an earlier run of this node is not acknowledged: the leases that it is about are no longer here. */
  take(peer: NodeId, { number, set, beats, health }: RelayMessage): void {
    const { own, sets } = this.#cluster;
    if (setIdText(set) !== sets.own.idText) return;
    for (const [id, ageMs] of beats) {
      const key = own.keyOf(id);
      if (key !== undefined) this.#takeBeat(key, ageMs);
    }
    for (const [id, healthy] of health) {
      const key = own.keyOf(id);
      const found = key === undefined ? undefined : this.#find(key);
      if (found !== undefined) this.#instances.setHealth(found.service, found.registration, healthy, 'set-by-hand');
    }
    this.#cluster.send(peer, { type: 'relay-ack', number });
  }

  #takeBeat(key: RecordKey, ageMs: number): void {
    const found = this.#find(key);
    if (found === undefined) return;
    const { service, registration } = found;
    if (registration.heldBy !== undefined) {
      if (ageMs < registration.leaseTimes.beatTimeoutMs) this.#settlement.revive(key);
      return;
    }
    const { now } = this.#cluster;
    const at = after(now.mono, -ageMs);
    if (at <= registration.lastBeat) return;
    this.#instances.noteBeat(service, registration, undefined);
    this.#instances.leases.renew(registration, ageMs);
    if (!registration.healthy) this.#instances.setHealth(service, registration, true, 'beat');
  }

  #find(key: RecordKey) {
    const service = this.#cluster.registry.services.get(key.service.id);
    const registration = this.#cluster.registrationOf(key);
    return service === undefined || registration === undefined ? undefined : { service, registration };
  }
}
