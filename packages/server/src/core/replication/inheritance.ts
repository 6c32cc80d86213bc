// What a node takes over of what other sets say, after anything changed: leases that nobody holds any more, removals and ends
// that still hide something, edits, and health found by probes (R12).

import type { ClusterState, Weighed } from './cluster-state.js';
import type { Dropped } from './dropped-record.js';
import type { GuestBeats } from './guest-beats.js';
import { hides, isLease } from './record-choice.js';
import { isConnectionKey, type RecordKey } from './record-key.js';
import { setIdText } from './record-set.js';
import { claimIn, compareContents, type ReplicatedRecord, sameVersion } from './replicated-record.js';
import { isConfirmed } from './signs-of-life.js';

/** Takes over. */
export class Inheritance {
  readonly #cluster: ClusterState;
  readonly #guests: GuestBeats;

  constructor(cluster: ClusterState, guests: GuestBeats) {
    this.#cluster = cluster;
    this.#guests = guests;
  }

  /** What to do about a key without own lease. @returns whether a record changed */
  settle(key: RecordKey, weighed: Weighed): boolean {
    if (!this.#forgetRestored(key, weighed)) return this.#adopt(key, weighed);
    this.#adopt(key, this.#cluster.weigh(key));
    return true;
  }

  /** R12. @returns whether a record was put */
  #adopt(key: RecordKey, weighed: Weighed): boolean {
    const { content, lease } = weighed;
    if (!this.#cluster.ready || content === undefined || isConnectionKey(key)) return false;
    if (content.record.state === 'removed') return this.#copyRemoval(key, weighed);
    if (lease === undefined) return this.#goOn(key, weighed) || this.#copyEnd(key, weighed);
    if (lease.vouched || lease.droppedFor !== undefined) return false;
    const held = this.#cluster.sets.get(lease.set.id);
    if (held === undefined || held.catchUp !== undefined) return false;
    if (!held.isRestored && !this.#isMine(key)) return false;
    const claim = claimIn(content.record);
    if (claim === undefined) return false;
    this.#cluster.own.takeLease(key, weighed, { claim, healthy: lease.record.healthy });
    return true;
  }

  /** The second half of R12: a removal that still hides something outlives its author. */
  #copyRemoval(key: RecordKey, { content, candidates }: Weighed): boolean {
    const record = content?.record;
    if (record?.state !== 'removed' || !this.#isMine(key) || isVouchedElsewhere(record, candidates)) return false;
    if (!candidates.some((candidate) => hides(record, candidate))) return false;
    const { now, settings } = this.#cluster;
    this.#cluster.own.putEnd(key, record, { now, keptMs: settings.removalKeptMs });
    return true;
  }

  /**
   * The lease ended elsewhere, though its client was told here that a sign of life counts (R9): that is on its way yet, or the
   * holder that had it is lost, and somebody else ended the lease on the other side of a cut.
   */
  #goOn(key: RecordKey, weighed: Weighed): boolean {
    const registration = this.#cluster.registrationOf(key);
    const claim = claimIn(weighed.content?.record);
    if (weighed.endedTen < 0 || registration?.heldBy === undefined || claim === undefined) return false;
    const { heldBy } = registration;
    const isPending = this.#guests.isPending(heldBy);
    const left = weighed.candidates.filter(isLease).find(({ set }) => setIdText(set.id) === setIdText(heldBy.set));
    if (!isPending && (left === undefined || !isConfirmed(this.#cluster, registration, 'delete-timeout'))) return false;
    this.#cluster.own.takeLease(key, weighed, { claim, healthy: isPending || left?.record.healthy === true });
    return true;
  }

  /** The same for the end of a lease. */
  #copyEnd(key: RecordKey, { candidates, endedTen }: Weighed): boolean {
    if (endedTen < 0 || !this.#isMine(key) || !candidates.some(isLease)) return false;
    const ends = candidates.filter(({ record }) => record.state === 'ended' && record.ten === endedTen);
    const record = ends[0]?.record;
    if (record?.state !== 'ended' || ends.some(({ vouched }) => vouched)) return false;
    this.#cluster.own.putEndedLease(key, record, this.#cluster.now);
    return true;
  }

  /** What is known to have ended is not taken up from before a restart any more. */
  #forgetRestored(key: RecordKey, { content, endedTen }: Weighed): boolean {
    if (content?.record.state !== 'removed' && endedTen < 0) return false;
    for (const { set, isRestored } of this.#cluster.sets.all()) {
      if (!isRestored || set.get(key.text) === undefined) continue;
      set.change(key, undefined);
      return true;
    }
    return false;
  }

  /**
   * Edits and health found by probes: the newest counts, and outlives its author, also when it takes an edit back. An own
   * record that is older gives way to the newest where its author is there, else it becomes the newest: it must not come
   * back when the set of an author that is gone is dropped.
   */
  settleValue(key: RecordKey, weighed: Weighed): void {
    const { own, ready, sets } = this.#cluster;
    const { content, candidates } = weighed;
    if (content === undefined) return;
    const { record, set } = content;
    const mine = own.get(key.text);
    if (mine !== undefined && compareContents(record, mine) <= 0) return;
    if (isVouchedElsewhere(record, candidates)) own.drop(key, content);
    else if (!ready) return;
    else if (mine !== undefined) this.#putValue(key, record);
    else if (record.state === 'removed') this.#copyRemoval(key, weighed);
    // What only this node has from before its restart nobody else can take up.
    else if (sets.get(set.id)?.isRestored === true || this.#isMine(key)) this.#putValue(key, record);
  }

  #putValue(key: RecordKey, record: ReplicatedRecord): void {
    const { own, now, registry, settings } = this.#cluster;
    if (record.state === 'removed') own.putEnd(key, record, { now, keptMs: settings.removalKeptMs });
    else if (record.state !== 'edit' && record.state !== 'health') return;
    else if (registry.services.get(key.service.id) !== undefined) own.putValue(key, record);
  }

  /**
   * A copy of a set was dropped, or its author forgot an end. What it said stays, as far as something older would be shown in
   * its place: who holds that lease may have been out of reach all the time, and so may the owner that should have copied it,
   * and not all have the copies that the author has. A removal of which nobody else tells outlives the copy for the rest of its
   * time: who was away since before may still come and show what was removed.
   */
  keepDropped(key: RecordKey, { record, why }: Dropped): void {
    const { own, now, ready, settings } = this.#cluster;
    if (!ready || isConnectionKey(key)) return;
    const weighed = this.#cluster.weigh(key);
    if (this.#hidesMore(record, weighed)) this.#keep(key, record);
    else if (why === 'over' && record.state === 'removed' && weighed.content === undefined)
      own.putEnd(key, record, { now, keptMs: settings.removalKeptMs - settings.setRetentionMs });
  }

  /** Whether a record that is gone kept something from being shown that nothing else keeps from it. */
  #hidesMore(record: ReplicatedRecord, { content, candidates, endedTen }: Weighed): boolean {
    if (content === undefined || content.record.state === 'removed') return false;
    if (record.state === 'ended' && record.ten > endedTen && candidates.some((other) => hides(record, other)))
      return true;
    const isNewer = compareContents(record, content.record) > 0;
    return isNewer && candidates.some(({ record: { state } }) => state !== 'removed' && state !== 'ended');
  }

  /** Makes a content one of this node, without a lease. */
  #keep(key: RecordKey, record: ReplicatedRecord): void {
    const mine = this.#cluster.own.get(key.text);
    const claim = claimIn(record);
    if (mine?.state === 'live') return;
    if (claim === undefined) this.#putValue(key, record);
    else {
      const ten = Math.max(endedTenOf(record), endedTenOf(mine));
      const isOlder = mine?.state === 'ended' && compareContents(mine, record) > 0;
      this.#cluster.own.putEndedLease(key, isOlder ? { ...mine, ten } : { ...record, claim, ten }, this.#cluster.now);
    }
  }

  #isMine({ service }: RecordKey): boolean {
    return this.#cluster.members.ownerOf(service.id) === this.#cluster.self;
  }
}

/** Whether a set whose author is there has this content. */
function isVouchedElsewhere(record: ReplicatedRecord, candidates: Weighed['candidates']): boolean {
  return candidates.some(
    (candidate) => candidate.vouched && candidate.droppedFor === undefined && sameVersion(candidate.record, record),
  );
}

/** Tenure that a record says is over; 0 when none. */
function endedTenOf(record: ReplicatedRecord | undefined): number {
  return record?.state === 'ended' ? record.ten : 0;
}
