// The addresses of this host. A datagram that a client on this host sends may come from any of them, whichever the client
// gave as its own, so all of them count as one peer.

import { type NetworkInterfaceInfo, networkInterfaces } from 'node:os';
import type { Clock, Instant } from '@rollcall/runtime';

/** How long the list of interfaces is believed: reading it costs about 100 µs, and addresses come and go rarely. */
const BELIEVED_MS = 10_000;

/** Knows which addresses are this host's. */
export class HostAddresses {
  readonly #clock: Clock;
  readonly #read: () => ReturnType<typeof networkInterfaces>;
  #addresses: ReadonlySet<string> = new Set();
  #aliases = new Map<string, readonly string[]>();
  #readAt: Instant | undefined;

  /** @param read - lists the interfaces; the system's by default */
  constructor(clock: Clock, read: () => ReturnType<typeof networkInterfaces> = networkInterfaces) {
    this.#clock = clock;
    this.#read = read;
  }

  /** The addresses of the host that `ip` belongs to, as far as known: itself first, then this host's others if it is one of them. */
  sameHost(ip: string): readonly string[] {
    this.#refresh();
    const known = this.#aliases.get(ip);
    if (known !== undefined) return known;
    if (!this.#addresses.has(ip) && !isLoopback(ip)) return [ip];
    const aliases = [ip, ...[...this.#addresses].filter((address) => address !== ip)];
    // Only addresses in the list are kept: there are 16 million of loopback.
    if (this.#addresses.has(ip)) this.#aliases.set(ip, aliases);
    return aliases;
  }

  #refresh(): void {
    const now = this.#clock.now().mono;
    if (this.#readAt !== undefined && now - this.#readAt < BELIEVED_MS) return;
    this.#readAt = now;
    this.#aliases = new Map();
    this.#addresses = new Set(
      Object.values(this.#read())
        .flatMap((addresses: NetworkInterfaceInfo[] | undefined) => addresses ?? [])
        .map(({ address }) => address),
    );
  }
}

function isLoopback(ip: string): boolean {
  return ip.startsWith('127.') || ip === '::1';
}
