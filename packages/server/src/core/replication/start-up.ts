// When a node that has just started knows enough to be read from (R21): once it has all that a member which was there
// before told that it has, or has waited in vain for one. Whoever refuses this node is there: that is no waiting in vain.

import { after, type Instant } from '@rollcall/runtime/time';
import type { ClusterState } from './cluster-state.js';
import type { Member } from './member.js';
import type { NodeId, PingMessage, SetDigest } from './peer-message.js';
import type { Sweeps } from './sweeps.js';

/** How a start ended. `copied`: a member that was there before was copied. `alone`: none of those answered, not even with a refusal. */
export type StartResult = 'copied' | 'alone';

/** A ping, by the clock of its sender and by that of this node. */
interface PingTime {
  readonly run: string;
  readonly sentAt: number;
  readonly heardAt: Instant;
}

/** The start of a node. */
export class StartUp {
  readonly #cluster: ClusterState;
  readonly #sweeps: Sweeps;
  #startedAt: Instant | undefined;
  #waitsSinceMs = 0;
  /** What members that are there told that they have: at first contact, or after a set was copied as a whole since. */
  readonly #wanted = new Map<NodeId, readonly SetDigest[]>();

  /** Last ping of each member. */
  readonly #lastPings = new Map<NodeId, PingTime>();
  /** Since a pause of this process: from when on each member's pings, by its own clock, are of now. */
  readonly #newsFrom = new Map<NodeId, Pick<PingTime, 'run' | 'sentAt'>>();

  constructor(cluster: ClusterState, sweeps: Sweeps) {
    this.#cluster = cluster;
    this.#sweeps = sweeps;
  }

  /** The members are known: time runs. */
  begin(): void {
    if (this.#startedAt !== undefined) return;
    this.#startedAt = this.#cluster.now.mono;
    this.#waitsSinceMs = this.#cluster.awakeMs;
  }

  /** When the node began, undefined before. */
  get startedAt(): Instant | undefined {
    return this.#startedAt;
  }

  /** A member is there and refuses this node: it may have what nobody else has, so the wait begins anew. */
  rejected(): void {
    this.#waitsSinceMs = this.#cluster.awakeMs;
  }

  /** The process stood still: what it has read, and what lies unread, is of before, and no copy of it counts. @param ms - for how long */
  paused(ms: number): void {
    if (this.#cluster.ready) return;
    this.#wanted.clear();
    const resumedAt = after(this.#cluster.now.mono, ms);
    for (const [node, { run, sentAt, heardAt }] of this.#lastPings)
      this.#newsFrom.set(node, { run, sentAt: sentAt + (resumedAt - heardAt) });
  }

  /** A member told what it has. */
  heard({ node }: Member, { state, sets, run, sentAt }: PingMessage): void {
    if (this.#cluster.ready || state !== 'UP') return;
    this.#lastPings.set(node, { run, sentAt, heardAt: this.#cluster.now.mono });
    const newsFrom = this.#newsFrom.get(node);
    if (newsFrom?.run === run && sentAt < newsFrom.sentAt) return;
    const present = new Set(sets.map((digest) => digest.run));
    const wanted = this.#wanted.get(node) ?? sets;
    // What the member itself has dropped meanwhile is not waited for.
    const still = wanted.filter((digest) => present.has(digest.run));
    this.#wanted.set(node, still.some((digest) => this.#isSkipped(digest)) ? sets : still);
  }

  /** Whether the node may be read from, and how that came about; undefined while it may not. */
  judge(): StartResult | undefined {
    const { members, awakeMs, settings } = this.#cluster;
    if (this.#startedAt === undefined || !this.#sweeps.isDone) return undefined;
    const others = [...members.all()];
    for (const [node, wanted] of this.#wanted)
      if (members.get(node)?.reach === 'UP' && wanted.every((digest) => this.#has(digest))) return 'copied';
    const waitedMs = awakeMs - this.#waitsSinceMs;
    if (others.some(({ reach, starting }) => reach === 'UP' && !starting)) return undefined;
    // All of them start, too: nobody has anything but what it says in its first ping.
    const allStart = others.every((member) => member.reach === 'UP' && this.#hasAllOf(member));
    return allStart || waitedMs >= settings.startMs ? 'alone' : undefined;
  }

  #hasAllOf({ vector }: Member): boolean {
    for (const digest of vector.values()) if (!this.#has(digest)) return false;
    return vector.size > 0;
  }

  #has(digest: SetDigest): boolean {
    const { sets, self, run } = this.#cluster;
    if (digest.node === self && digest.run === run) return true;
    const held = sets.get(digest);
    if (held === undefined) return sets.highWaterOf(digest) >= digest.rev;
    return held.set.rev >= digest.rev && !this.#isSkipped(digest);
  }

  /**
   * Whether a set was copied as a whole at a later rev. Such a copy does not say what was dropped for records of other sets,
   * which may be newer than what the member told of those.
   */
  #isSkipped(digest: SetDigest): boolean {
    const held = this.#cluster.sets.get(digest);
    return held !== undefined && held.set.log.coveredFrom > digest.rev;
  }
}
