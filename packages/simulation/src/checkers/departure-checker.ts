// B10, where a scenario says from when on: who deregistered is listed nowhere, whatever beats a node that stood still reads
// late. Except who brings that about: by a registration that is read late, which nobody can tell from a new one, or by a beat
// that it was still sending when it deregistered.

import type { SimClient } from '../clients/sim-client.js';
import { nameOf, type World } from '../world.js';
import { type Checker, Violation } from './checker.js';

/** A deregistration is known everywhere after this (B1), with a node that has just gone on. */
const KNOWN_MS = 3000;

/** Checks that who left stays away. */
export class DepartureChecker implements Checker {
  readonly rule = 'B10';
  readonly #world: World;
  readonly #clients: readonly SimClient[];
  readonly #fromMs: number;

  /** @param fromMs - virtual time */
  constructor(world: World, clients: readonly SimClient[], fromMs: number) {
    this.#world = world;
    this.#clients = clients;
    this.#fromMs = fromMs;
  }

  onSample(): void {
    const { now } = this.#world;
    if (now < this.#fromMs) return;
    for (const client of this.#clients) {
      const { state, goneSince, lateWriteAt } = client;
      if (state !== 'left' || goneSince === undefined || now - goneSince <= KNOWN_MS) continue;
      if (lateWriteAt === undefined) this.#check(client, now - goneSince);
    }
  }

  #check({ key, name }: SimClient, goneMs: number): void {
    const { running, views } = this.#world;
    for (const node of running)
      if (node.answersReaders && views.shown(node, key) !== undefined)
        throw new Violation(this.rule, `node ${node.index} shows ${nameOf(key)} ${goneMs} ms after ${name} left`);
  }
}
