// All writes of a history, and which of them must have given way to which. The rules leave a choice only between writes
// that could not know of each other (cluster.md D5, 7.10), so for each key a set of writes may be the last one.

import type { InstanceContent } from '@rollcall/protocol';
import { type Arrival, contentOf, type Operation } from './operation.js';
import type { SimKey } from './sim-key.js';

/** Writes this much further apart than the clocks are ordered by the hybrid clock alone; counters add at most this. */
const CLOCK_SLACK_MS = 250;

/**
 * What a node knows of writes to a key. `taken`: it took all these arrivals itself. `told`: it was told of one of them, and
 * nobody can say of which.
 */
export interface Sight {
  readonly how: 'taken' | 'told';
  readonly arrivals: readonly Arrival[];
}

/** The writes of a history. */
export class OperationLog {
  readonly #byName = new Map<string, Operation>();
  readonly #byKey = new Map<SimKey, Operation[]>();
  #arrivals = 0;
  /** Largest difference that any wall clock had from virtual time so far, ms. */
  skewMs = 0;

  /** A client wants to register a content made of the arguments. */
  register(key: SimKey, weight: number, lease: ReadonlyMap<string, string>): Operation {
    const name = this.#nextName();
    return this.#add(name, key, contentOf(name, weight, lease));
  }

  /** A client wants to deregister. */
  deregister(key: SimKey): Operation {
    return this.#add(this.#nextName(), key, undefined);
  }

  /** A node took a write. */
  arrive(operation: Operation, place: Pick<Arrival, 'node' | 'run' | 'at' | 'basis'>): Arrival {
    this.#arrivals += 1;
    const arrival: Arrival = { operation, order: this.#arrivals, forgotten: false, ...place };
    operation.arrivals.push(arrival);
    operation.carriers.add(place.node);
    return arrival;
  }

  /** A node has a write, and may tell others; one that was lost before does not come back by that. */
  carry(operation: Operation | undefined, node: number): void {
    if (operation === undefined || operation.arrivals.length === 0 || operation.lost) return;
    operation.carriers.add(node);
  }

  /** The process of a node is over. @param keeps - whether its disk still has an operation */
  forgetCarrier(node: number, keeps: (operation: Operation) => boolean): void {
    for (const operation of this.#byName.values()) {
      if (keeps(operation) || !operation.carriers.delete(node)) continue;
      if (operation.carriers.size === 0) operation.lost = true;
      for (const arrival of operation.arrivals) if (arrival.node === node) arrival.forgotten = true;
    }
  }

  /** The write of a name. */
  find(name: string | undefined): Operation | undefined {
    return name === undefined ? undefined : this.#byName.get(name);
  }

  /** Writes of a key in the order in which they were begun. */
  of(key: SimKey): readonly Operation[] {
    return this.#byKey.get(key) ?? [];
  }

  /**
   * Writes that may decide the key when everybody knows all: those that arrived and that no other, which cannot have been
   * lost, must have overruled. Empty when nothing ever arrived.
   */
  candidates(key: SimKey): Operation[] {
    const arrived = this.of(key).filter(({ arrivals }) => arrivals.length > 0);
    return arrived.filter((one) => !arrived.some((other) => !other.lost && this.overrules(other, one)));
  }

  /** Whether each arrival of `earlier` is certainly before some arrival of `later`, whichever of these is left. */
  overrules(later: Operation, earlier: Operation): boolean {
    if (later === earlier) return false;
    const kept = later.arrivals.filter(({ forgotten }) => !forgotten);
    if (kept.length > 0) return this.#areBefore(earlier.arrivals, kept);
    return later.arrivals.length > 0 && later.arrivals.every((one) => this.#areBefore(earlier.arrivals, [one]));
  }

  /**
   * Whether who has had this sight must know that it goes before `earlier`. Each arrival of a write has a version of its own:
   * of those that he may have been told of, any has to suffice.
   */
  sightOverrules({ how, arrivals }: Sight, earlier: Operation): boolean {
    if (arrivals.length === 0 || arrivals.some(({ operation }) => operation === earlier || operation.lost))
      return false;
    if (how === 'taken') return this.#areBefore(earlier.arrivals, arrivals);
    return arrivals.every((one) => this.#areBefore(earlier.arrivals, [one]));
  }

  /** Whether somebody who shows `shown` cannot have preferred an arrival to it: it is certainly the earlier one. */
  isSurelyBefore(arrival: Arrival, shown: Operation): boolean {
    return shown.arrivals.every((other) => this.#isBefore(arrival, other));
  }

  #areBefore(earlier: readonly Arrival[], later: readonly Arrival[]): boolean {
    return earlier.every((one) => later.some((other) => this.#isBefore(one, other)));
  }

  #isBefore(one: Arrival, other: Arrival): boolean {
    if (other.at - one.at > 2 * this.skewMs + CLOCK_SLACK_MS) return true;
    if (one.node === other.node && one.run === other.run) return one.order < other.order;
    return one.operation.arrivals.length === 1 && other.basis === one.operation.name && one.order < other.order;
  }

  #nextName(): string {
    return `w${this.#byName.size + 1}`;
  }

  #add(name: string, key: SimKey, content: InstanceContent | undefined): Operation {
    const operation: Operation = {
      name,
      key,
      content,
      arrivals: [],
      carriers: new Set(),
      lost: false,
      acknowledgedAt: undefined,
    };
    this.#byName.set(name, operation);
    const ofKey = this.#byKey.get(key);
    if (ofKey === undefined) this.#byKey.set(key, [operation]);
    else ofKey.push(operation);
    return operation;
  }
}
