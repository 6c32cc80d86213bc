// I12, what nodes show of the shared store: the revision of a copy never goes back within a run; a node shows exactly what the
// store held at the revision of its copy, or before its first listing what it held at some time; in the end all copies are
// equal to the store.

import type { NodeStore } from '../store/node-store.js';
import type { SharedStores } from '../store/shared-stores.js';
import { StoredStates, type Writers, writersShown } from '../store/stored-records.js';
import type { World } from '../world.js';
import { type Checker, Violation } from './checker.js';

/** In the end a copy may lack what was written so shortly before. */
const VISIBLE_MS = 1000;

/** Compares copies with the store. */
export class StoreCopyChecker implements Checker {
  readonly rule = 'I12';
  readonly #world: World;
  readonly #stores: SharedStores;
  readonly #states: StoredStates;
  readonly #revisions = new Map<string, number>();

  constructor(world: World, stores: SharedStores) {
    this.#world = world;
    this.#stores = stores;
    this.#states = new StoredStates(stores.service.data);
  }

  onCopy(store: NodeStore): void {
    this.#look(store);
  }

  onSample(): void {
    for (const store of this.#stores.open) this.#look(store);
  }

  atEnd(): void {
    const { data } = this.#stores.service;
    const settled = data.log.findLast(({ at }) => at < this.#world.now - VISIBLE_MS)?.revision ?? 0;
    const states = this.#states;
    for (const { node, shared, core } of this.#stores.open) {
      const { ready, revision } = shared.figures;
      if (!ready || revision < settled)
        this.#fail(
          `node ${node.index} is at revision ${revision} and ${ready ? '' : 'not '}following; the store is at ${data.revision}`,
        );
      const difference = differenceOf(states.at(revision), writersShown(core));
      if (difference !== undefined) this.#fail(`in the end node ${node.index} shows ${difference}`);
    }
  }

  #look({ node, run, shared, core }: NodeStore): void {
    const { revision } = shared.figures;
    const name = `${node.index}/${run}`;
    const before = this.#revisions.get(name) ?? 0;
    if (revision < before)
      this.#fail(`the copy of node ${node.index} went back from revision ${before} to ${revision}`);
    this.#revisions.set(name, revision);
    const shown = writersShown(core);
    if (revision === 0) this.#requireKnown(node.index, shown);
    else this.#requireEqual(node.index, revision, shown);
  }

  #requireEqual(node: number, revision: number, shown: Writers): void {
    const difference = differenceOf(this.#states.at(revision), shown);
    if (difference !== undefined)
      this.#fail(`node ${node}, whose copy is at revision ${revision}, shows ${difference}`);
  }

  /** What a node has from its disk was in the store once, all of it together. */
  #requireKnown(node: number, shown: Writers): void {
    const all = this.#states.between(1, this.#stores.service.data.revision);
    if (all.some((state) => differenceOf(state, shown) === undefined)) return;
    this.#fail(`node ${node} starts with ${JSON.stringify([...shown])}, which never stood in the store together`);
  }

  #fail(found: string): never {
    throw new Violation(this.rule, found);
  }
}

/** The first difference, in words. */
function differenceOf(held: Writers, shown: Writers): string | undefined {
  for (const key of new Set([...held.keys(), ...shown.keys()])) {
    const [one, other] = [held.get(key), shown.get(key)];
    if (one === other) continue;
    return `${key} as ${writtenText(other)}, and the store has it as ${writtenText(one)}`;
  }
  return undefined;
}

function writtenText(writer: string | undefined): string {
  return writer === undefined ? 'absent' : `operation ${writer} wrote it`;
}
