// Which sets are vouched for, and for how long the others are kept (R13, R14): a set of a node that is there in that run
// counts; one whose node is gone, or runs anew, stays until its leases are adopted, at most for the retention.

import { after } from '@rollcall/runtime/time';
import type { ClusterState } from './cluster-state.js';
import type { Member } from './member.js';
import { type RecordSet, setIdText } from './record-set.js';
import { HeldSet } from './set-table.js';
import type { Sweeps } from './sweeps.js';

/** Sets of one cluster that are held at most: N, and those of runs that ended in the last minute. */
const SETS_MAX = 128;

/** Judges sets. */
export class Vouching {
  readonly #cluster: ClusterState;
  readonly #sweeps: Sweeps;

  constructor(cluster: ClusterState, sweeps: Sweeps) {
    this.#cluster = cluster;
    this.#sweeps = sweeps;
  }

  /** Judges all sets anew, after a member or time moved. */
  review(): void {
    for (const held of this.#cluster.sets.all()) {
      if (held.set === this.#cluster.sets.own) continue;
      const member = this.#authorOf(held);
      if (member === undefined) {
        held.catchUp = undefined;
        if (held.vouched) this.#stopVouching(held);
        else this.#endGrace(held);
      } else if (!held.vouched) this.#catchUp(held, member);
    }
  }

  /**
   * Holds a copy of which nothing was held. @param graceMs - time that the sender gives it still
   * @returns undefined when there are too many
   */
  admit(set: RecordSet, graceMs: number | undefined): HeldSet | undefined {
    const { sets, now, settings } = this.#cluster;
    if ([...sets.all()].length >= SETS_MAX) {
      this.#cluster.alarm(
        'too-many-sets',
        `Set of ${set.id.node} is not taken: ${SETS_MAX} are held, more are not allowed`,
      );
      return undefined;
    }
    const held = new HeldSet(set, { vouched: false });
    sets.add(held);
    const member = this.#authorOf(held);
    if (member === undefined) this.#startGrace(held, graceMs);
    else if (this.#wasAway(member)) {
      this.#startGrace(held, undefined);
      held.catchUp = { since: now.mono, revs: sets.vouchedRevs(set.id.node) };
    } else held.vouched = true;
    if (graceMs !== undefined && held.graceEndsAt !== undefined)
      held.graceEndsAt = after(now.mono, Math.min(graceMs, settings.setRetentionMs));
    return held;
  }

  /** A peer says for how long it keeps a set: nobody keeps it longer because of having got it later (R13). */
  shorten(held: HeldSet, graceMs: number | undefined): void {
    if (graceMs === undefined || held.graceEndsAt === undefined) return;
    const endsAt = after(this.#cluster.now.mono, graceMs);
    if (endsAt < held.graceEndsAt) held.graceEndsAt = endsAt;
  }

  /**
   * A copy has become newer. It has the time of one that is taken anew: that an older one was here, whose author seemed lost
   * earlier, must not make this node forget sooner what was written since.
   *
   * @param graceMs - time that the sender gives it still; undefined when its author is there for the sender
   */
  renew(held: HeldSet, graceMs: number | undefined): void {
    if (held.graceEndsAt === undefined) return;
    this.#startGrace(held, graceMs);
    if (held.connectionsCount || (held.connectionsEndAt ?? 0) <= this.#cluster.now.mono) return;
    held.connectionsCount = true;
    this.#sweeps.add(held.set);
  }

  /** A pause of this process takes nothing from the time of the records. */
  shift(ms: number): void {
    for (const held of this.#cluster.sets.all()) {
      if (held.graceEndsAt !== undefined) held.graceEndsAt = after(held.graceEndsAt, ms);
      if (held.connectionsEndAt !== undefined) held.connectionsEndAt = after(held.connectionsEndAt, ms);
    }
  }

  /** Own records from before a restart: kept like those of a node that is gone. @param leftMs - time that they have */
  startRestored(held: HeldSet, leftMs: number): void {
    this.#startGrace(held, leftMs);
  }

  /** Takes a copy away. @param why - `wrong`: what it says is not believed; `over`: nobody keeps it for longer */
  drop(held: HeldSet, why: 'wrong' | 'over'): void {
    this.#cluster.sets.drop(held);
    if (why === 'over') this.#sweeps.addDropped(held.set);
    else this.#sweeps.add(held.set);
    this.#sweeps.addKeys(Array.from(held.lastResorts.values(), ({ key }) => ({ key })));
  }

  /** The author of a set when it is there, in that run. */
  #authorOf({ set, isRestored }: HeldSet): Member | undefined {
    if (isRestored) return undefined;
    const member = this.#cluster.members.get(set.id.node);
    return member?.isRun(set.id.epoch, set.id.run) && member.reach !== 'DOWN' ? member : undefined;
  }

  #stopVouching(held: HeldSet): void {
    held.vouched = false;
    this.#startGrace(held, undefined);
    this.#sweeps.add(held.set);
  }

  #startGrace(held: HeldSet, graceMs: number | undefined): void {
    const { now, settings, registry } = this.#cluster;
    held.graceEndsAt = after(now.mono, Math.min(graceMs ?? settings.setRetentionMs, settings.setRetentionMs));
    const spentMs = settings.setRetentionMs - Math.min(graceMs ?? settings.setRetentionMs, settings.setRetentionMs);
    held.connectionsEndAt = after(now.mono, Math.max(0, registry.settings.connectionGraceMs - spentMs));
  }

  #endGrace(held: HeldSet): void {
    const { mono } = this.#cluster.now;
    if (held.graceEndsAt !== undefined && held.graceEndsAt <= mono) this.drop(held, 'over');
    else if (held.connectionsEndAt !== undefined && held.connectionsEndAt <= mono) {
      held.connectionsEndAt = undefined;
      held.connectionsCount = false;
      this.#sweeps.add(held.set);
    }
  }

  #catchUp(held: HeldSet, member: Member): void {
    const { now, sets, settings } = this.#cluster;
    held.catchUp ??= { since: now.mono, revs: sets.vouchedRevs(member.node) };
    const { since, revs } = held.catchUp;
    const isInformed = [...revs].every(([id, rev]) => (member.vector.get(id)?.rev ?? -1) >= rev);
    const announced = member.vector.get(setIdText(held.set.id));
    const isCurrent = announced !== undefined && held.set.rev >= announced.rev;
    if (!(isInformed && isCurrent) && now.mono - since < settings.catchUpMs) return;
    held.catchUp = undefined;
    held.vouched = true;
    held.graceEndsAt = undefined;
    held.connectionsEndAt = undefined;
    held.connectionsCount = true;
    this.#sweeps.add(held.set);
  }

  #wasAway({ returnedAt, downRun, run }: Member): boolean {
    const { now, settings } = this.#cluster;
    return returnedAt !== undefined && downRun === run && now.mono - returnedAt < settings.catchUpMs;
  }
}
