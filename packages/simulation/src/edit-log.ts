// Operators' edits of a history: each sets a weight that no client asks for and no other edit sets, so that every reader's
// list says which edit it shows; or takes the edit of an instance back.

import type { SimKey } from './sim-key.js';

/** Weights of edits are greater than those of clients. */
const FIRST_WEIGHT = 1000;
/** As for writes of clients (`operation-log.ts`). */
const CLOCK_SLACK_MS = 250;

/** An edit as a node took it. */
export interface SimEdit {
  readonly key: SimKey;
  /** Undefined: the edit was taken back. */
  readonly weight: number | undefined;
  readonly node: number;
  readonly run: number;
  /** Virtual time, ms. */
  readonly at: number;
  /** Place among all edits of the history. */
  readonly order: number;
  /** Nodes that took it or have shown it. */
  readonly carriers: Set<number>;
  /** Once nobody was left who had it. */
  lost: boolean;
}

/** The edits of a history. */
export class EditLog {
  readonly #edits: SimEdit[] = [];
  readonly #byWeight = new Map<number, SimEdit>();

  /** The weight that the next edit sets. */
  get nextWeight(): number {
    return FIRST_WEIGHT + this.#edits.length;
  }

  /** A node took an edit. */
  take(edit: Pick<SimEdit, 'key' | 'weight' | 'node' | 'run' | 'at'>): SimEdit {
    const taken = { ...edit, order: this.#edits.length, carriers: new Set([edit.node]), lost: false };
    this.#edits.push(taken);
    if (taken.weight !== undefined) this.#byWeight.set(taken.weight, taken);
    return taken;
  }

  /** The edit that a reader sees; undefined when the weight is not of one. */
  ofWeight(weight: number | undefined): SimEdit | undefined {
    return weight === undefined ? undefined : this.#byWeight.get(weight);
  }

  /** Edits of a key in the order in which they were taken. */
  of(key: SimKey): SimEdit[] {
    return this.#edits.filter((edit) => edit.key === key);
  }

  /** The process of a node is over: what it alone had may be lost (B8). */
  forgetCarrier(node: number): void {
    for (const edit of this.#edits) if (edit.carriers.delete(node) && edit.carriers.size === 0) edit.lost = true;
  }

  /** Whether one edit is certainly before another. @param skewMs - largest difference of any wall clock so far */
  isBefore(one: SimEdit, other: SimEdit, skewMs: number): boolean {
    if (other.at - one.at > 2 * skewMs + CLOCK_SLACK_MS) return true;
    return one.node === other.node && one.run === other.run && one.order < other.order;
  }
}
