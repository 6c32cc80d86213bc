// What a scenario promises beyond the invariants: no live 1.x or 2.x instance is missing or unhealthy at any node that
// answers readers, or at most for a moment.

import type { RegistryEvent } from '@rollcall/server/internal';
import type { SimClient } from '../clients/sim-client.js';
import type { Operation } from '../operation.js';
import type { SimKey } from '../sim-key.js';
import { nameOf, shownText, type World } from '../world.js';
import { type Checker, type ViewChange, Violation } from './checker.js';

/** A write is visible everywhere after this: B1, with lost messages or a way by a third node. */
const VISIBLE_MS = 8000;
const EXCUSED_MS = 12_000;

/** Checks that nobody alive is hurt. */
export class HarmChecker implements Checker {
  readonly rule = 'no harm';
  readonly #world: World;
  readonly #toleranceMs: number;
  readonly #sparedNode: number | undefined;
  readonly #clients: ReadonlyMap<SimKey, SimClient>;
  /** Since when a node has shown a live instance wrongly, by `node/run/key`. */
  readonly #wrongSince = new Map<string, number>();
  readonly #excusedUntil = new Map<SimKey, number>();

  /** @param expects - how long a node may show a live instance wrongly, and which node is not looked at */
  constructor(world: World, clients: readonly SimClient[], expects: { harmMsMax: number; sparedNode?: number }) {
    this.#world = world;
    this.#toleranceMs = expects.harmMsMax;
    this.#sparedNode = expects.sparedNode;
    this.#clients = new Map(clients.map((client) => [client.key, client]));
  }

  /** A deregistration that its client had given up was taken late: the next beat, or the one after it, brings the key back. */
  onArrival({ key, content }: Operation): void {
    if (content === undefined) this.#excusedUntil.set(key, this.#world.now + EXCUSED_MS);
  }

  /** The time begins when a node hears of it: at one that hears badly the client finds itself listed until then. */
  onEvent(_node: number, _run: number, event: RegistryEvent): void {
    if (event.type !== 'instance-removed' || event.cause !== 'deregistered') return;
    const key = this.#world.keyAt(event);
    if (key === undefined || this.#world.now >= (this.#excusedUntil.get(key) ?? 0)) return;
    this.#excusedUntil.set(key, this.#world.now + EXCUSED_MS);
  }

  onView({ node, run, key, after }: ViewChange): void {
    if (after?.healthy === true || !this.#isSettled(key) || node === this.#sparedNode) {
      this.#wrongSince.delete(`${node}/${run}/${key.index}`);
      return;
    }
    this.#note(node, run, key);
  }

  onSample(): void {
    for (const node of this.#world.nodes) {
      if (!node.answersReaders || node.index === this.#sparedNode) continue;
      for (const key of this.#clients.keys()) {
        const isRight = this.#world.views.shown(node, key)?.healthy === true || !this.#isSettled(key);
        if (isRight) this.#wrongSince.delete(`${node.index}/${node.run}/${key.index}`);
        else this.#note(node.index, node.run, key);
      }
    }
  }

  /** Whether its client is alive and was told so long ago that every node should show it. */
  #isSettled(key: SimKey): boolean {
    const client = this.#clients.get(key);
    const { now } = this.#world;
    if (client?.settledSince === undefined || now < (this.#excusedUntil.get(key) ?? 0)) return false;
    return now - client.settledSince > VISIBLE_MS;
  }

  #note(node: number, run: number, key: SimKey): void {
    const { now } = this.#world;
    const place = `${node}/${run}/${key.index}`;
    const since = this.#wrongSince.get(place) ?? now;
    this.#wrongSince.set(place, since);
    if (now - since < this.#toleranceMs) return;
    const sim = this.#world.nodes[node];
    const shown = sim && this.#world.views.shown(sim, key);
    throw new Violation(
      this.rule,
      `node ${node} shows the live ${nameOf(key)} as ${shownText(shown)}, for ${now - since} ms`,
    );
  }
}
