// Which server to ask: one chosen at random and kept while it answers, then the next; a server that failed is left alone for
// a time that doubles. Keeping one server keeps subscriptions and versions of lists in one place.
// Source: contract client-1x 3.5 (random start, next on failure); back-off and keeping are ours.

import { after, type Instant, type Now } from '@rollcall/runtime/time';
import { type BackOffSettings, backOffMs } from './back-off.js';

/** How long a server that failed is left alone. */
const AVOIDED: BackOffSettings = { firstMs: 1000, longestMs: 30_000 };

interface KnownServer {
  readonly address: string;
  failures: number;
  avoidedUntil: Instant;
}

/** The servers of a client. */
export class ServerList {
  readonly #random: () => number;
  #servers: KnownServer[] = [];
  #current = 0;

  /** @param addresses - in the order given; equal ones count once @param random - uniform in [0, 1) */
  constructor(addresses: readonly string[], random: () => number) {
    this.#random = random;
    this.replace(addresses);
  }

  /** Addresses, in the order given. */
  get addresses(): readonly string[] {
    return this.#servers.map((server) => server.address);
  }

  /** Takes another list of addresses. The server in use stays in use when it is in there. @returns whether anything changed */
  replace(addresses: readonly string[]): boolean {
    const known = new Map(this.#servers.map((server) => [server.address, server]));
    const inUse = this.#servers[this.#current]?.address;
    const unique = [...new Set(addresses)];
    if (unique.length === known.size && unique.every((address) => known.has(address))) return false;
    this.#servers = unique.map((address) => known.get(address) ?? { address, failures: 0, avoidedUntil: 0 as Instant });
    const kept = this.#servers.findIndex((server) => server.address === inUse);
    this.#current = kept >= 0 ? kept : Math.floor(this.#random() * this.#servers.length);
    return true;
  }

  /**
   * The servers to try for one call, in order: the one in use, the others after it; those that failed lately come last,
   * the one that may be asked soonest first. One server alone is tried `attemptsForOne` times.
   */
  attempts(now: Now, attemptsForOne: number): readonly string[] {
    const count = this.#servers.length;
    if (count === 1) return Array.from({ length: attemptsForOne }, () => (this.#servers[0] as KnownServer).address);
    const ring = this.#servers.map((_, offset) => this.#servers[(this.#current + offset) % count] as KnownServer);
    const ready = ring.filter((server) => server.avoidedUntil <= now.mono);
    const avoided = ring.filter((server) => server.avoidedUntil > now.mono);
    avoided.sort((one, other) => one.avoidedUntil - other.avoidedUntil);
    return [...ready, ...avoided].map((server) => server.address);
  }

  /** A server answered: it is used from now on. */
  answered(address: string): void {
    const index = this.#indexOf(address);
    if (index < 0) return;
    const server = this.#servers[index] as KnownServer;
    server.failures = 0;
    server.avoidedUntil = 0 as Instant;
    this.#current = index;
  }

  /** A server did not answer, or not as a server. */
  failed(address: string, now: Now): void {
    const server = this.#servers[this.#indexOf(address)];
    if (server === undefined) return;
    server.failures++;
    server.avoidedUntil = after(now.mono, backOffMs(server.failures, AVOIDED, this.#random));
  }

  #indexOf(address: string): number {
    return this.#servers.findIndex((server) => server.address === address);
  }
}
