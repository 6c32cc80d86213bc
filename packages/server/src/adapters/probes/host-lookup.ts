// Addresses of host names among the instances. The system's resolver blocks a thread of a small pool that file I/O
// needs too, so few look-ups run at once and answers are kept for a while.

import { lookup } from 'node:dns/promises';
import type { Clock, Instant } from '@rollcall/runtime';

/** Look-ups at once; the pool has four threads. */
const AT_ONCE_MAX = 2;
/** How long an answer is believed, ms. */
const BELIEVED_MS = 30_000;
/** Names kept; when full all are forgotten, which costs one look-up each. */
const NAMES_MAX = 10_000;

interface Known {
  readonly at: Instant;
  readonly addresses: Promise<readonly string[]>;
}

/** Finds the addresses of a name. */
export class HostLookup {
  readonly #clock: Clock;
  readonly #resolve: (name: string) => Promise<readonly string[]>;
  readonly #known = new Map<string, Known>();
  readonly #waiting: (() => void)[] = [];
  #running = 0;

  /** @param resolve - the system's resolver by default */
  constructor(clock: Clock, resolve = resolveBySystem) {
    this.#clock = clock;
    this.#resolve = resolve;
  }

  /** All addresses of the name. Rejects when there are none; a rejection is kept as long as an answer. */
  find(name: string): Promise<readonly string[]> {
    const now = this.#clock.now().mono;
    const known = this.#known.get(name);
    if (known !== undefined && now - known.at < BELIEVED_MS) return known.addresses;
    if (this.#known.size >= NAMES_MAX) this.#known.clear();
    const addresses = this.#inTurn(name);
    this.#known.set(name, { at: now, addresses });
    return addresses;
  }

  async #inTurn(name: string): Promise<readonly string[]> {
    if (this.#running >= AT_ONCE_MAX) await new Promise<void>((resolve) => this.#waiting.push(resolve));
    else this.#running += 1;
    try {
      return await this.#resolve(name);
    } finally {
      // The place goes to the next in line; it is free only when nobody waits.
      const next = this.#waiting.shift();
      if (next === undefined) this.#running -= 1;
      else next();
    }
  }
}

async function resolveBySystem(name: string): Promise<readonly string[]> {
  const found = await lookup(name, { all: true, verbatim: true });
  return found.map(({ address }) => address);
}
