// Operators' edits: a node that took or showed one never shows one that is certainly earlier; and in the end each live
// instance has its last edit on all nodes, but for edits that may be lost, and for instances that were gone for so long that
// their edits may be forgotten.

import { DEFAULT_CORE_SETTINGS } from '@rollcall/server/internal';
import type { SimClient } from '../clients/sim-client.js';
import type { SimEdit } from '../edit-log.js';
import type { SimKey } from '../sim-key.js';
import { nameOf, type World } from '../world.js';
import { type Checker, type ViewChange, Violation } from './checker.js';

/** An instance may be unknown to a node for this long before and after its client is gone. */
const UNKNOWN_MS = 30_000;

/** Checks edits. */
export class EditChecker implements Checker {
  readonly rule = 'edits';
  readonly #world: World;
  readonly #clients: readonly SimClient[];
  /** Edits that each run of a node took or showed, by `node/run/key`. */
  readonly #known = new Map<string, Set<SimEdit>>();
  /** Since when a client has been away. */
  readonly #awaySince = new Map<SimKey, number>();
  /** Until when edits of a key may have been forgotten. */
  readonly #forgottenUntil = new Map<SimKey, number>();

  constructor(world: World, clients: readonly SimClient[]) {
    this.#world = world;
    this.#clients = clients;
  }

  onEdit(edit: SimEdit): void {
    this.#knownBy(edit.node, edit.run, edit.key).add(edit);
  }

  onView({ node, run, key, after }: ViewChange): void {
    const shown = this.#world.edits.ofWeight(after?.weight);
    if (shown === undefined) return;
    const known = this.#knownBy(node, run, key);
    for (const other of known)
      if (this.#world.edits.isBefore(shown, other, this.#world.log.skewMs))
        throw new Violation(
          this.rule,
          `node ${node} shows ${nameOf(key)} with ${editText(shown)} although it knew ${editText(other)}, which came after it`,
        );
    known.add(shown);
  }

  onSample(): void {
    const { now } = this.#world;
    for (const { key, state } of this.#clients) {
      if (state === 'alive') {
        this.#awaySince.delete(key);
        continue;
      }
      const since = this.#awaySince.get(key) ?? now;
      this.#awaySince.set(key, since);
      if (now - since > DEFAULT_CORE_SETTINGS.editMemoryMs - UNKNOWN_MS)
        this.#forgottenUntil.set(key, now + UNKNOWN_MS);
    }
  }

  atEnd(): void {
    for (const { key, state } of this.#clients) if (state === 'alive') this.#checkLast(key);
  }

  #checkLast(key: SimKey): void {
    const { edits, log, running, views } = this.#world;
    const all = edits.of(key);
    const last = all.filter((one) => !all.some((other) => !other.lost && edits.isBefore(one, other, log.skewMs)));
    const mayBeNone = all.every(({ lost }) => lost) || last.some(({ at }) => at < (this.#forgottenUntil.get(key) ?? 0));
    for (const node of running) {
      const shown = edits.ofWeight(views.shown(node, key)?.weight);
      const isRight =
        shown === undefined ? mayBeNone || last.some(({ weight }) => weight === undefined) : last.includes(shown);
      if (isRight) continue;
      const wanted = last.map(editText).join(' or ');
      throw new Violation(
        this.rule,
        `node ${node.index} shows ${nameOf(key)} with ${shown === undefined ? 'no edit' : editText(shown)}; its last edit is ${wanted}`,
      );
    }
  }

  #knownBy(node: number, run: number, key: SimKey): Set<SimEdit> {
    const name = `${node}/${run}/${key.index}`;
    let known = this.#known.get(name);
    if (known === undefined) {
      known = new Set();
      this.#known.set(name, known);
    }
    return known;
  }
}

function editText({ order, weight, node }: SimEdit): string {
  return `edit ${order} (${weight === undefined ? 'taken back' : `weight ${weight}`} at node ${node})`;
}
