// How much a peer may send: two buckets, of frames and of bytes, that fill up as time goes by and hold what two seconds allow.

import type { Instant } from '@rollcall/runtime';
import { PeerFault } from './peer-fault.js';

const BURST_SECONDS = 2;

/** What is allowed in one second. */
export interface ArrivalRates {
  readonly framesPerSecond: number;
  readonly bytesPerSecond: number;
}

/** Counts what one peer sends. */
export class ArrivalBudget {
  readonly #rates: ArrivalRates;
  #frames: number;
  #bytes: number;
  #at: Instant;

  constructor(rates: ArrivalRates, now: Instant) {
    this.#rates = rates;
    this.#frames = rates.framesPerSecond * BURST_SECONDS;
    this.#bytes = rates.bytesPerSecond * BURST_SECONDS;
    this.#at = now;
  }

  /** Takes one frame in. @throws PeerFault `flood` when that is more than allowed */
  take(bytes: number, now: Instant): void {
    const { framesPerSecond, bytesPerSecond } = this.#rates;
    const seconds = (now - this.#at) / 1000;
    this.#at = now;
    this.#frames = Math.min(this.#frames + seconds * framesPerSecond, framesPerSecond * BURST_SECONDS) - 1;
    this.#bytes = Math.min(this.#bytes + seconds * bytesPerSecond, bytesPerSecond * BURST_SECONDS) - bytes;
    if (this.#frames >= 0 && this.#bytes >= 0) return;
    throw new PeerFault('flood', `allowed are ${framesPerSecond} frames and ${bytesPerSecond} bytes in one second`);
  }
}
