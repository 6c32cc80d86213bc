// I8: who holds a lease never marks it unhealthy within its beat timeout after the last sign of life, and never ends it
// within its delete timeout, both on its own monotonic clock. A pause of the process counts as no time.

import { leaseTimesOf } from '@rollcall/protocol';
import type { RegistryEvent } from '@rollcall/server/internal';
import type { OperationLog } from '../operation-log.js';
import type { SimKey } from '../sim-key.js';
import { nameOf } from '../world.js';
import { type Checker, type SignOfLife, Violation } from './checker.js';

/** Checks that leases end in time and no earlier. */
export class LeaseChecker implements Checker {
  readonly rule = 'I8';
  readonly #log: OperationLog;
  readonly #keys: ReadonlyMap<string, SimKey>;
  /** Monotonic time of the last sign of life, by `node/run/key`. */
  readonly #signs = new Map<string, number>();

  constructor(log: OperationLog, keys: readonly SimKey[]) {
    this.#log = log;
    this.#keys = new Map(keys.map((key) => [`${key.service.id}/${key.address.key}`, key]));
  }

  onSignOfLife({ node, run, key, mono }: SignOfLife): void {
    this.#signs.set(`${node}/${run}/${key.index}`, mono);
  }

  onPause(node: number, run: number, ms: number): void {
    for (const [place, mono] of this.#signs) if (place.startsWith(`${node}/${run}/`)) this.#signs.set(place, mono + ms);
  }

  onEvent(node: number, run: number, event: RegistryEvent): void {
    if (event.type !== 'instance-unhealthy' && event.type !== 'instance-removed') return;
    if (event.cause !== 'beat-timeout' && event.cause !== 'delete-timeout') return;
    const key = this.#keys.get(`${event.service.id}/${event.address.key}`);
    const sign = key && this.#signs.get(`${node}/${run}/${key.index}`);
    if (key === undefined || sign === undefined) return;
    const { beatTimeoutMs, deleteTimeoutMs } = this.#leaseOf(key);
    const leastMs = event.cause === 'beat-timeout' ? beatTimeoutMs : deleteTimeoutMs;
    const silentMs = event.at.mono - sign;
    if (silentMs >= leastMs) return;
    throw new Violation(
      this.rule,
      `node ${node} ends the lease of ${nameOf(key)} (${event.cause}) ${silentMs} ms after a sign of life; it runs ${leastMs} ms`,
    );
  }

  /** Shortest lease that any content of the key asked for: the content in force may be an older one. */
  #leaseOf(key: SimKey) {
    const leases = this.#log.of(key).map(({ content }) => leaseTimesOf(content?.metadata ?? new Map()));
    return {
      beatTimeoutMs: Math.min(...leases.map(({ beatTimeoutMs }) => beatTimeoutMs)),
      deleteTimeoutMs: Math.min(...leases.map(({ deleteTimeoutMs }) => deleteTimeoutMs)),
    };
  }
}
