// What a node does about a lease that it holds, after anything changed: gives way to a later one, takes newer content over,
// ends it where it ended elsewhere, and tells who holds a later one of the last sign of life (R10).

import type { ClusterState, Weighed } from './cluster-state.js';
import type { GuestBeats } from './guest-beats.js';
import { compareTenures, isLease, type LeaseCandidate } from './record-choice.js';
import type { RecordKey } from './record-key.js';
import { claimIn, compareContents, type LiveRecord, type ReplicatedRecord, sameVersion } from './replicated-record.js';
import { isConfirmed, isSincePause } from './signs-of-life.js';

/** Settles own leases. */
export class OwnLeaseSettlement {
  readonly #cluster: ClusterState;
  readonly #guests: GuestBeats;

  constructor(cluster: ClusterState, guests: GuestBeats) {
    this.#cluster = cluster;
    this.#guests = guests;
  }

  /** What to do about an own lease. @returns whether the own record changed */
  settle(key: RecordKey, own: LiveRecord, weighed: Weighed): boolean {
    const { content, endedTen, highestTen } = weighed;
    const { own: records } = this.#cluster;
    if (content === undefined) return false;
    const best = content.record;
    if (this.#isEarlierHere(best, own)) {
      records.putLease(key, { ...own, cv: best.cv + 1 });
      return true;
    }
    const claim = claimIn(best);
    if (claim === undefined) {
      // R10 b.
      records.drop(key, content);
      return true;
    }
    const { cv, op } = best;
    if (endedTen >= own.ten) {
      this.#endUnlessConfirmed(key, own, { cv, op, claim, laterTen: highestTen + 1 });
      return true;
    }
    this.#tellRivals(key, own, weighed);
    const rival = this.#rivalOf(key, own, weighed);
    if (rival !== undefined && this.#giveWay(key, own, rival)) return true;
    const isDoubted = rival !== undefined && own.healthy && !rival.record.healthy;
    if (sameVersion(best, own) && !isDoubted) return false;
    // R10 c, and what R10 d says of a healthy lease that an unhealthy one has overtaken.
    records.putLease(key, { cv, op, claim, ten: isDoubted ? highestTen + 1 : own.ten, healthy: own.healthy });
    return true;
  }

  /** Somebody else adopted the lease and saw it end: it goes on, as the latest, only where its client gave a sign of life. */
  #endUnlessConfirmed(
    key: RecordKey,
    { ten, healthy }: LiveRecord,
    { laterTen, ...said }: Pick<LiveRecord, 'cv' | 'op' | 'claim'> & { readonly laterTen: number },
  ): void {
    const { own, now } = this.#cluster;
    const registration = this.#cluster.registrationOf(key);
    if (registration !== undefined && isConfirmed(this.#cluster, registration, 'delete-timeout'))
      own.putLease(key, { ...said, ten: laterTen, healthy });
    else own.putEndedLease(key, { ...said, ten }, now);
  }

  /**
   * Who holds a later lease is told of the last beat here, even before this node may give way to it: an adopted lease ends
   * soon after a cut when its client beats on the other side.
   */
  #tellRivals(key: RecordKey, own: LiveRecord, { candidates }: Weighed): void {
    const registration = this.#cluster.registrationOf(key);
    if (registration === undefined || !isConfirmed(this.#cluster, registration, 'beat-timeout')) return;
    for (const candidate of candidates) {
      if (!isLease(candidate) || candidate.droppedFor !== undefined) continue;
      if (candidate.set === this.#cluster.sets.own) continue;
      if (candidate.record.ten < own.ten) continue;
      const { node, epoch, run } = candidate.set.id;
      const member = this.#cluster.members.get(node);
      // Also one that is not heard well just now: it is told again until it answers, and nothing else would tell it later.
      if (member?.isReachable && member.isRun(epoch, run)) this.#guests.handOver(registration, candidate);
    }
  }

  /**
   * The strongest lease of another node that is later than the own one. Health does not count here: it changes by itself,
   * and two holders that judge by it can give way to each other at the same time.
   */
  #rivalOf({ service }: RecordKey, own: LiveRecord, { candidates }: Weighed): LeaseCandidate | undefined {
    const { sets, self } = this.#cluster;
    let rival: LeaseCandidate | undefined;
    for (const candidate of candidates) {
      if (!isLease(candidate) || !candidate.vouched || candidate.droppedFor !== undefined) continue;
      if (candidate.set === sets.own) continue;
      const against = rival ?? { record: own, set: { id: { node: self } } };
      if (compareTenures(service.id, candidate, against) > 0) rival = candidate;
    }
    return rival;
  }

  /**
   * R10 d: only for a lease that has the content of the own one, or newer. A healthy lease does not give way to an
   * unhealthy one, unless nothing has confirmed it since this process stood still. @returns whether it gave way
   */
  #giveWay(key: RecordKey, own: LiveRecord, rival: LeaseCandidate): boolean {
    if (compareContents(rival.record, own) < 0) return false;
    const registration = this.#cluster.registrationOf(key);
    const isStale = registration !== undefined && !isSincePause(this.#cluster, registration);
    if (own.healthy && !rival.record.healthy && !isStale) return false;
    this.#cluster.own.drop(key, rival);
    return true;
  }

  /** R10 a: a write that came in here earlier must not win over a later one. */
  #isEarlierHere(best: ReplicatedRecord, own: LiveRecord): boolean {
    const [node, epoch, sequence] = own.op;
    const [bestNode, bestEpoch, bestSequence] = best.op;
    const bothHere = node === this.#cluster.self && bestNode === node && bestEpoch === epoch;
    return bothHere && epoch === this.#cluster.sets.own.id.epoch && sequence > bestSequence && best.cv >= own.cv;
  }
}
