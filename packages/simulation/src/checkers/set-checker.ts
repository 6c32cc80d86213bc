// I1 and I2, as nodes say it to each other: for one run and rev of a set all nodes have the same hash; within one run of a
// node no rev and no epoch goes back; a later run of a node that kept its disk has a greater epoch.

import type { PeerMessage, SetDigest } from '@rollcall/server/internal';
import { setText } from '../set-mirror.js';
import { type Checker, type MessageSent, Violation } from './checker.js';

/** What one run of a node has said. */
class SaidByRun {
  epoch = 0;
  readonly revs = new Map<string, number>();
}

/** Checks that sets are the same everywhere and only grow. */
export class SetChecker implements Checker {
  readonly rule = 'I1';
  readonly #hashes = new Map<string, { readonly hash: string; readonly node: number }>();
  readonly #said = new Map<string, SaidByRun>();
  /** A ping goes to every member. */
  #last: PeerMessage | undefined;

  onMessage({ from, run, message }: MessageSent): void {
    if (message.type !== 'ping' || message === this.#last) return;
    this.#last = message;
    const said = this.#saidBy(from, run);
    if (message.epoch < said.epoch)
      throw new Violation('I2', `node ${from} says epoch ${message.epoch} after ${said.epoch}, in one run`);
    said.epoch = message.epoch;
    for (const digest of message.sets) this.#look(from, said, digest);
  }

  #look(node: number, { revs }: SaidByRun, { rev, hash, ...id }: SetDigest): void {
    const set = setText(id);
    const before = revs.get(set) ?? -1;
    if (rev < before) throw new Violation('I2', `node ${node} has rev ${rev} of set ${set}, it had ${before}`);
    revs.set(set, rev);
    const place = `${set} ${rev}`;
    const known = this.#hashes.get(place);
    if (known === undefined) this.#hashes.set(place, { hash, node });
    else if (known.hash !== hash)
      throw new Violation(
        'I1',
        `set ${set} at rev ${rev} has hash ${hash} on node ${node}, ${known.hash} on ${known.node}`,
      );
  }

  #saidBy(node: number, run: number): SaidByRun {
    const name = `${node}/${run}`;
    let said = this.#said.get(name);
    if (said === undefined) {
      said = new SaidByRun();
      this.#said.set(name, said);
    }
    return said;
  }
}
