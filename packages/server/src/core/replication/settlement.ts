// What a node does about a key after anything changed: settles its own lease, or takes over what nobody holds, and shows the
// result (R10, R12). Every change, local or from a peer, ends here.

import type { Instant } from '@rollcall/runtime/time';
import type { ClusterState } from './cluster-state.js';
import type { Dropped } from './dropped-record.js';
import type { GuestBeats } from './guest-beats.js';
import { Inheritance } from './inheritance.js';
import { OwnLeaseSettlement } from './own-lease-settlement.js';
import type { Projection } from './projection.js';
import { OPERATOR_PUBLISHER, PROBE_PUBLISHER, type RecordKey } from './record-key.js';
import { claimIn } from './replicated-record.js';

/** Settles keys. */
export class Settlement {
  readonly #cluster: ClusterState;
  readonly #projection: Projection;
  readonly #ownLeases: OwnLeaseSettlement;
  readonly #inheritance: Inheritance;

  constructor(cluster: ClusterState, parts: { readonly projection: Projection; readonly guests: GuestBeats }) {
    this.#cluster = cluster;
    const { projection, guests } = parts;
    this.#projection = projection;
    this.#ownLeases = new OwnLeaseSettlement(cluster, guests);
    this.#inheritance = new Inheritance(cluster, guests);
  }

  /** Brings a key to rest. @param beatAt - when a beat came for which this node takes the lease */
  settle(key: RecordKey, beatAt?: Instant): void {
    let weighed = this.#cluster.weigh(key);
    if (key.publisher === OPERATOR_PUBLISHER || key.publisher === PROBE_PUBLISHER) {
      this.#inheritance.settleValue(key, weighed);
    } else {
      const own = this.#cluster.own.lease(key.text);
      if (own !== undefined && this.#ownLeases.settle(key, own, weighed)) weighed = this.#cluster.weigh(key);
      else if (own === undefined && this.#inheritance.settle(key, weighed)) weighed = this.#cluster.weigh(key);
    }
    this.#projection.show(key, weighed, beatAt);
  }

  /** The same after a copy of a set was dropped, or its author forgot an end. @param dropped - what it said; undefined: nothing */
  settleDropped(key: RecordKey, dropped: Dropped | undefined): void {
    if (dropped !== undefined) this.#inheritance.keepDropped(key, dropped);
    this.settle(key);
  }

  /** R9: takes the lease because its client is talking to this node. @param beatAt - when its beat came */
  adoptOnBeat(key: RecordKey, beatAt: Instant): void {
    const weighed = this.#cluster.weigh(key);
    const claim = claimIn(weighed.content?.record);
    if (claim === undefined) return;
    this.#cluster.own.takeLease(key, weighed, { claim, healthy: true });
    this.settle(key, beatAt);
  }

  /** A sign of life for an own lease that is unhealthy, while another one is shown: it counts as much as that one again. */
  revive(key: RecordKey): void {
    const own = this.#cluster.own.lease(key.text);
    if (own === undefined || own.healthy) return;
    this.#cluster.own.putLease(key, { ...own, healthy: true });
    this.settle(key);
  }
}
