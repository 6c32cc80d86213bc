// I11, and the second half of L3: what is over is forgotten. No node keeps a removal or an ended lease for longer than its
// time, and none keeps the set of a node that is gone for longer than the retention and a bit.

import { DEFAULT_REPLICATION_SETTINGS, type PeerMessage, type SetId } from '@rollcall/server/internal';
import { setText } from '../set-mirror.js';
import type { World } from '../world.js';
import { type Checker, type MessageSent, Violation } from './checker.js';
import { isEnd } from './giving-way-checker.js';

const RETENTION_SLACK_MS = 10_000;
/** Time in which a node notices that something is old, and its next words show it. */
const FORGETTING_SLACK_MS = 5000;

/** Checks what is remembered. */
export class MemoryChecker implements Checker {
  readonly rule = 'I11';
  readonly #world: World;
  /** When each run of a node said first that it keeps a set without its author. */
  readonly #keptSince = new Map<string, ReadonlyMap<string, number>>();
  /** A ping goes to every member. */
  #last: PeerMessage | undefined;

  constructor(world: World) {
    this.#world = world;
  }

  onMessage({ at, from, run, message }: MessageSent): void {
    if (message.type !== 'ping' || message === this.#last) return;
    this.#last = message;
    const before = this.#keptSince.get(`${from}/${run}`);
    // What is not named is not kept: where lists differ, a set may come again from a node that still has its author.
    const kept = new Map<string, number>();
    // Nor is a copy the one of before once it has become newer: it was taken anew, maybe where its author was missed later.
    for (const { graceMs, rev, ...id } of message.sets)
      if (graceMs !== undefined && this.#isOver(id)) kept.set(`${setText(id)} at rev ${rev}`, at);
    for (const place of kept.keys()) kept.set(place, before?.get(place) ?? at);
    this.#keptSince.set(`${from}/${run}`, kept);
    for (const [set, since] of kept) this.#check(from, set, since);
  }

  /** Where lists differ, a node may keep what others still hear. */
  #isOver({ run }: SetId): boolean {
    return this.#world.nodes.every(({ ownSet }) => ownSet?.run !== run);
  }

  #check(node: number, set: string, since: number): void {
    const { now } = this.#world;
    const limitMs = DEFAULT_REPLICATION_SETTINGS.setRetentionMs + RETENTION_SLACK_MS;
    if (now - since > limitMs + this.#world.pausedMs(node, since))
      throw new Violation(this.rule, `node ${node} keeps set ${set} ${now - since} ms without its author`);
  }

  atEnd(): void {
    const { mirror, now, nodes } = this.#world;
    const limitMs = DEFAULT_REPLICATION_SETTINGS.removalKeptMs + FORGETTING_SLACK_MS;
    for (const { ownSet: own } of nodes)
      for (const { key, record, at } of (own && mirror.get(own)?.records.values()) ?? [])
        if (isEnd(record) && now - at > limitMs)
          throw new Violation(
            this.rule,
            `${own?.node} still keeps "${record.state}" of ${key[3]} after ${now - at} ms`,
          );
  }
}
