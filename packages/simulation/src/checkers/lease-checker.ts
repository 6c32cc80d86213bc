// I8: who holds a lease never marks it unhealthy within its beat timeout after the last sign of life, and never ends it
// within its delete timeout, both on its own monotonic clock. A pause of the process counts as no time.

import { leaseTimesOf, serviceKey } from '@rollcall/protocol';
import { addressOf, type PeerMessage, type RegistryEvent, type WireKey } from '@rollcall/server/internal';
import type { SimKey } from '../sim-key.js';
import { nameOf, type World } from '../world.js';
import { type Checker, type MessageSent, type SignOfLife, Violation } from './checker.js';

/** For so long after a pause a node may still find out what became of its leases. */
const RESUMED_MS = 90_000;

/** Checks that leases end in time and no earlier. */
export class LeaseChecker implements Checker {
  readonly rule = 'I8';
  readonly #world: World;
  /** When the lease came to a run of a node. */
  readonly #movedAt = new Map<string, number>();
  /** Signs of life in relays that are not acknowledged yet. */
  readonly #relays = new Map<string, readonly (readonly [key: SimKey, mono: number])[]>();
  /** When it was told last that a lease on an instance ended. The record may be replaced soon, by a client that comes back. */
  readonly #endToldAt = new Map<SimKey, number>();
  /** Monotonic time of the last sign of life, by `node/run/key`. */
  readonly #signs = new Map<string, number>();

  constructor(world: World) {
    this.#world = world;
  }

  onSignOfLife({ node, run, key, mono }: SignOfLife): void {
    this.#signs.set(`${node}/${run}/${key.index}`, mono);
  }

  #noteSign(node: number, run: number, key: SimKey, mono: number): void {
    const place = `${node}/${run}/${key.index}`;
    this.#signs.set(place, Math.max(mono, this.#signs.get(place) ?? 0));
  }

  onPause(node: number, run: number, ms: number): void {
    for (const [place, mono] of this.#signs) if (place.startsWith(`${node}/${run}/`)) this.#signs.set(place, mono + ms);
  }

  /** A relay says when leases that this node holds had a sign of life elsewhere; it counts when it is acknowledged. */
  onDelivery(node: number, from: number, message: PeerMessage, mono: number): void {
    if (message.type !== 'relay') return;
    const ages = new Map(message.beats);
    const signs: [key: SimKey, mono: number][] = [];
    for (const { key: place, record } of this.#world.mirror.get(message.set)?.records.values() ?? []) {
      const ageMs = record.state === 'live' ? ages.get(record.id) : undefined;
      const key = ageMs === undefined ? undefined : this.#keyOf(place);
      if (ageMs !== undefined && key !== undefined) signs.push([key, mono - ageMs]);
    }
    this.#relays.set(`${node}<${from} ${message.number}`, signs);
  }

  onMessage({ at, from, run, to, message }: MessageSent): void {
    if (message.type === 'delta') this.#noteEnds(at, message);
    if (message.type !== 'relay-ack') return;
    const place = `${from}<${to} ${message.number}`;
    for (const [key, mono] of this.#relays.get(place) ?? []) this.#noteSign(from, run, key, mono);
    this.#relays.delete(place);
  }

  #noteEnds(at: number, { changes }: Extract<PeerMessage, { type: 'delta' }>): void {
    for (const { key: place, record } of changes) {
      const key = record?.state === 'ended' ? this.#keyOf(place) : undefined;
      if (key !== undefined) this.#endToldAt.set(key, at);
    }
  }

  onEvent(node: number, run: number, event: RegistryEvent): void {
    if (event.type === 'lease-moved' && event.to === this.#world.nodes[node]?.id) {
      const key = this.#world.keyAt(event);
      if (key === undefined) return;
      this.#signs.set(`${node}/${run}/${key.index}`, event.at.mono);
      this.#movedAt.set(`${node}/${run}/${key.index}`, event.at.mono);
    }
    // What another node says of a lease is that node's business.
    if ('node' in event && event.node !== undefined) return;
    if (event.type !== 'instance-unhealthy' && event.type !== 'instance-removed') return;
    if (event.cause !== 'beat-timeout' && event.cause !== 'delete-timeout') return;
    const key = this.#world.keyAt(event);
    const sign = key && this.#signs.get(`${node}/${run}/${key.index}`);
    if (key === undefined || sign === undefined) return;
    const { beatTimeoutMs, deleteTimeoutMs } = this.#leaseOf(key);
    const leastMs = event.cause === 'beat-timeout' ? beatTimeoutMs : deleteTimeoutMs;
    if (this.#isSuperseded(node, key)) return;
    const silentMs = event.at.mono - sign;
    // With the lease came the health that it had: what its former holder saw end, nobody ended here.
    if (silentMs >= leastMs || this.#movedAt.get(`${node}/${run}/${key.index}`) === event.at.mono) return;
    throw new Violation(
      this.rule,
      `node ${node} ends the lease of ${nameOf(key)} (${event.cause}) ${silentMs} ms after a sign of life; it runs ${leastMs} ms`,
    );
  }

  /**
   * F7: what a node held before it stood still, others have adopted and may have seen end. What waited for the process
   * meanwhile is no sign of life of now.
   */
  #isSuperseded(node: number, key: SimKey): boolean {
    const since = this.#world.now - RESUMED_MS;
    const toldAt = this.#endToldAt.get(key) ?? Number.NEGATIVE_INFINITY;
    return this.#world.pausedMs(node, since) > 0 && toldAt >= since;
  }

  /** Shortest lease that any content of the key asked for: the content in force may be an older one. */
  #leaseOf(key: SimKey) {
    const leases = this.#world.log.of(key).map(({ content }) => leaseTimesOf(content?.metadata ?? new Map()));
    return {
      beatTimeoutMs: Math.min(...leases.map(({ beatTimeoutMs }) => beatTimeoutMs)),
      deleteTimeoutMs: Math.min(...leases.map(({ deleteTimeoutMs }) => deleteTimeoutMs)),
    };
  }

  #keyOf([namespace, group, name, ip, port, cluster]: WireKey): SimKey | undefined {
    return this.#world.keyAt({ service: serviceKey(namespace, group, name), address: addressOf(ip, port, cluster) });
  }
}
