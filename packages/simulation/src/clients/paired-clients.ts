// Two 1.x clients that publish one address, as when a process is started twice, or replaced before the old one is gone: each
// writes, beats and says goodbye without knowing of the other. Seen from outside they are one client.

import type { SeededRandom } from '../seeded-random.js';
import type { SimKey } from '../sim-key.js';
import type { BeatClient } from './beat-client.js';
import type { ClientState, SimClient } from './sim-client.js';

/** A pair. Both start; whatever else is asked of it, one of the two does. */
export class PairedClients implements SimClient {
  readonly protocol = '1.x';
  readonly #pair: readonly BeatClient[];
  readonly #first: BeatClient;
  readonly #random: SeededRandom;

  /** @param pair - with the same key */
  constructor(pair: readonly [BeatClient, BeatClient], random: SeededRandom) {
    this.#pair = pair;
    this.#first = pair[0];
    this.#random = random;
  }

  get name(): string {
    return this.#first.name;
  }

  get key(): SimKey {
    return this.#first.key;
  }

  /** Alive while one of them is: it brings back what the other took away. */
  get state(): ClientState {
    return this.#pair.find(({ state }) => state === 'alive')?.state ?? this.#first.state;
  }

  /** Never settled: one may take away at any time what the other has published. */
  get settledSince(): undefined {
    return undefined;
  }

  get goneSince(): number | undefined {
    if (this.state === 'alive') return undefined;
    const times = this.#pair.flatMap(({ goneSince }) => (goneSince === undefined ? [] : [goneSince]));
    return times.length === 0 ? undefined : Math.max(...times);
  }

  start(): void {
    for (const client of this.#pair) if (client.state !== 'alive') client.start();
  }

  update(): void {
    this.#oneOf((state) => state === 'alive')?.update();
  }

  leave(): void {
    this.#oneOf((state) => state === 'alive')?.leave();
  }

  leaveWithLateBeat(): void {
    this.#oneOf((state) => state === 'alive')?.leaveWithLateBeat();
  }

  die(): void {
    this.#oneOf((state) => state === 'alive')?.die();
  }

  #oneOf(isMeant: (state: ClientState) => boolean): BeatClient | undefined {
    const meant = this.#pair.filter(({ state }) => isMeant(state));
    return meant.length === 0 ? undefined : this.#random.pick(meant);
  }
}
