// One persistent instance as something to be probed, and what its last probes found.

import type { ServiceKey } from '@rollcall/protocol';
import type { Instant } from '@rollcall/runtime';
import type { Deadline } from '@rollcall/runtime/deadline-queue';
import type { Address } from '../../core/instance-address.js';

/** A target. As a deadline it is its next probe. */
export class ProbeTarget implements Deadline {
  dueAt = 0 as Instant;
  heapIndex = -1;
  readonly service: ServiceKey;
  readonly address: Address;
  /** Good probes in a row. */
  good = 0;
  /** Bad probes in a row. */
  bad = 0;
  /** When the last good one ended; undefined before the first. */
  lastGood: Instant | undefined;
  /** Whether a failed probe was reported, and no good one since. */
  failing = false;
  /** Weighted average of response times, ms: the interval before its bounds are applied. */
  averageMs: number;
  /** Shortest time of a probe, ms; infinite before the first. */
  bestMs = Number.POSITIVE_INFINITY;
  /** Longest time of a probe, ms. */
  worstMs = 0;
  /** Taken out: the result of a probe under way says nothing any more. */
  removed = false;

  /** @param firstMs - time until the first probe, the first value of the average too */
  constructor(service: ServiceKey, address: Address, firstMs: number) {
    this.service = service;
    this.address = address;
    this.averageMs = firstMs;
  }
}
