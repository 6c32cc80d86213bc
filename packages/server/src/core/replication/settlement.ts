// What a node does about a key after anything changed: gives way with its own record, takes newer content over, adopts a
// lease that nobody holds, and shows the result (R10, R12). Every change, local or from a peer, ends here.

import type { Instant } from '@rollcall/runtime/time';
import type { Registration } from '../instance-record.js';
import type { ClusterState, Weighed } from './cluster-state.js';
import { successorOf } from './cluster-state.js';
import type { GuestBeats } from './guest-beats.js';
import type { Projection } from './projection.js';
import { compareTenures, hides, type LeaseCandidate } from './record-choice.js';
import { isConnectionKey, OPERATOR_PUBLISHER, PROBE_PUBLISHER, type RecordKey } from './record-key.js';
import { setIdText } from './record-set.js';
import {
  type ClaimValue,
  compareContents,
  type LiveRecord,
  type ReplicatedRecord,
  sameVersion,
} from './replicated-record.js';

/** Settles keys. */
export class Settlement {
  readonly #cluster: ClusterState;
  readonly #projection: Projection;
  readonly #guests: GuestBeats;

  constructor(cluster: ClusterState, parts: { readonly projection: Projection; readonly guests: GuestBeats }) {
    this.#cluster = cluster;
    this.#projection = parts.projection;
    this.#guests = parts.guests;
  }

  /** Brings a key to rest. @param beatAt - when a beat came for which this node takes the lease */
  settle(key: RecordKey, beatAt?: Instant): void {
    let weighed = this.#cluster.weigh(key);
    if (key.publisher === OPERATOR_PUBLISHER || key.publisher === PROBE_PUBLISHER) {
      this.#settleValue(key, weighed);
    } else {
      const own = this.#cluster.own.lease(key.text);
      if (own !== undefined && this.#settleOwn(key, own, weighed)) weighed = this.#cluster.weigh(key);
      else if (own === undefined && this.#inherit(key, weighed)) weighed = this.#cluster.weigh(key);
    }
    this.#projection.show(key, weighed, beatAt);
  }

  /**
   * The same after a copy of a set was dropped, or its author forgot an end. What it said stays, as far as something older
   * would be shown in its place: who holds that lease may have been out of reach all the time, and so may the owner that should
   * have copied it, and not all have the copies that the author has.
   */
  settleDropped(key: RecordKey, dropped: ReplicatedRecord | undefined): void {
    const isNeeded = dropped !== undefined && this.#hidesMore(dropped, this.#cluster.weigh(key));
    if (isNeeded && this.#cluster.ready && !isConnectionKey(key)) this.#keep(key, dropped);
    this.settle(key);
  }

  /** Whether a record that is gone kept something from being shown that nothing else keeps from it. */
  #hidesMore(record: ReplicatedRecord, { content, candidates, endedTen }: Weighed): boolean {
    if (content === undefined || content.record.state === 'removed') return false;
    if (record.state === 'ended' && record.ten > endedTen && candidates.some((other) => hides(record, other)))
      return true;
    const isNewer = compareContents(record, content.record) > 0;
    return isNewer && candidates.some(({ record: { state } }) => state !== 'removed' && state !== 'ended');
  }

  /** R9: takes the lease because its client is talking to this node. @param beatAt - when its beat came */
  adoptOnBeat(key: RecordKey, beatAt: Instant): void {
    const weighed = this.#cluster.weigh(key);
    const claim = claimOf(weighed.content?.record);
    if (claim === undefined) return;
    this.#take(key, weighed, { claim, healthy: true });
    this.settle(key, beatAt);
  }

  /** A sign of life for an own lease that is unhealthy, while another one is shown: it counts as much as that one again. */
  revive(key: RecordKey): void {
    const own = this.#cluster.own.lease(key.text);
    if (own === undefined || own.healthy) return;
    this.#cluster.own.putLease(key, { ...own, healthy: true });
    this.settle(key);
  }

  /** What to do about an own lease. @returns whether the own record changed */
  #settleOwn(key: RecordKey, own: LiveRecord, weighed: Weighed): boolean {
    const { content, endedTen, highestTen } = weighed;
    const records = this.#cluster.own;
    if (content === undefined) return false;
    const best = content.record;
    if (this.#isEarlierHere(best, own)) {
      records.putLease(key, { ...own, cv: best.cv + 1 });
      return true;
    }
    const claim = claimOf(best);
    if (claim === undefined) {
      records.drop(key, successorOf(content.set));
      return true;
    }
    const { cv, op } = best;
    if (endedTen >= own.ten) {
      // Somebody else adopted the lease and saw it end: it goes on only where its client gave a sign of life.
      if (this.#isConfirmed(key, 'delete-timeout'))
        records.putLease(key, { cv, op, claim, ten: highestTen + 1, healthy: own.healthy });
      else this.#end(key, { cv, op, claim, ten: own.ten });
      return true;
    }
    this.#tellRivals(key, own, weighed);
    const rival = this.#rivalOf(key, own, weighed);
    if (rival !== undefined && this.#giveWay(key, own, rival)) return true;
    const isDoubted = rival !== undefined && own.healthy && !rival.record.healthy;
    if (sameVersion(best, own) && !isDoubted) return false;
    records.putLease(key, { cv, op, claim, ten: isDoubted ? highestTen + 1 : own.ten, healthy: own.healthy });
    return true;
  }

  /**
   * Who holds a later lease is told of the last beat here, even before this node may give way to it: an adopted lease ends
   * soon after a cut when its client beats on the other side.
   */
  #tellRivals(key: RecordKey, own: LiveRecord, { candidates }: Weighed): void {
    const registration = this.#registrationOf(key);
    if (registration === undefined || !this.#isConfirmed(key, 'beat-timeout')) return;
    for (const candidate of candidates) {
      if (!isLease(candidate) || candidate.lastResort || candidate.set === this.#cluster.sets.own) continue;
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
      if (!isLease(candidate) || !candidate.vouched || candidate.lastResort || candidate.set === sets.own) continue;
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
    const registration = this.#registrationOf(key);
    const isStale = registration !== undefined && registration.lastBeat <= this.#cluster.resumedAt;
    if (own.healthy && !rival.record.healthy && !isStale) return false;
    this.#cluster.own.drop(key, successorOf(rival.set));
    return true;
  }

  /** R10 a: a write that came in here earlier must not win over a later one. */
  #isEarlierHere(best: ReplicatedRecord, own: LiveRecord): boolean {
    const [node, epoch, sequence] = own.op;
    const [bestNode, bestEpoch, bestSequence] = best.op;
    const bothHere = node === this.#cluster.self && bestNode === node && bestEpoch === epoch;
    return bothHere && epoch === this.#cluster.sets.own.id.epoch && sequence > bestSequence && best.cv >= own.cv;
  }

  /** What to do about a key without own lease. @returns whether a record changed */
  #inherit(key: RecordKey, weighed: Weighed): boolean {
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
    if (lease.vouched || lease.lastResort) return false;
    const held = this.#cluster.sets.get(lease.set.id);
    if (held === undefined || held.catchUp !== undefined) return false;
    if (!held.isRestored && !this.#isMine(key)) return false;
    const claim = claimOf(content.record);
    if (claim === undefined) return false;
    this.#take(key, weighed, { claim, healthy: lease.record.healthy });
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
    const registration = this.#registrationOf(key);
    const claim = claimOf(weighed.content?.record);
    if (weighed.endedTen < 0 || registration?.heldBy === undefined || claim === undefined) return false;
    const { heldBy } = registration;
    const isPending = this.#guests.isPending(heldBy);
    const left = weighed.candidates.filter(isLease).find(({ set }) => setIdText(set.id) === setIdText(heldBy.set));
    if (!isPending && (left === undefined || !this.#hasSign(registration, 'delete-timeout'))) return false;
    this.#take(key, weighed, { claim, healthy: isPending || left?.record.healthy === true });
    return true;
  }

  /** The same for the end of a lease. */
  #copyEnd(key: RecordKey, { candidates, endedTen }: Weighed): boolean {
    if (endedTen < 0 || !this.#isMine(key) || !candidates.some(isLease)) return false;
    const ends = candidates.filter(({ record }) => record.state === 'ended' && record.ten === endedTen);
    const record = ends[0]?.record;
    if (record?.state !== 'ended' || ends.some(({ vouched }) => vouched)) return false;
    this.#end(key, record);
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
  #settleValue(key: RecordKey, weighed: Weighed): void {
    const { own, ready, sets } = this.#cluster;
    const { content, candidates } = weighed;
    if (content === undefined) return;
    const { record, set } = content;
    const mine = own.get(key.text);
    if (mine !== undefined && compareContents(record, mine) <= 0) return;
    if (isVouchedElsewhere(record, candidates)) own.drop(key, successorOf(set));
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

  /** Makes a content one of this node, without a lease. */
  #keep(key: RecordKey, record: ReplicatedRecord): void {
    const mine = this.#cluster.own.get(key.text);
    const claim = claimOf(record);
    if (mine?.state === 'live') return;
    if (claim === undefined) this.#putValue(key, record);
    else {
      const ten = Math.max(endedTenOf(record), endedTenOf(mine));
      const isOlder = mine?.state === 'ended' && compareContents(mine, record) > 0;
      this.#end(key, isOlder ? { ...mine, ten } : { ...record, claim, ten });
    }
  }

  #take(key: RecordKey, weighed: Weighed, lease: { readonly claim: ClaimValue; readonly healthy: boolean }): void {
    const { content, highestTen } = weighed;
    if (content === undefined) return;
    const { cv, op } = content.record;
    this.#cluster.own.putLease(key, { cv, op, ten: highestTen + 1, ...lease });
  }

  #end(key: RecordKey, record: { cv: number; op: LiveRecord['op']; claim: ClaimValue; ten: number }): void {
    const { now, settings } = this.#cluster;
    const { cv, op, claim, ten } = record;
    this.#cluster.own.putEnd(key, { state: 'ended', cv, op, claim, ten }, { now, keptMs: settings.removalKeptMs });
  }

  /** Whether a sign of life came here within a timeout of an own lease, and after the last pause, whichever lease is shown. */
  #isConfirmed(key: RecordKey, within: 'beat-timeout' | 'delete-timeout'): boolean {
    const registration = this.#registrationOf(key);
    return registration !== undefined && this.#hasSign(registration, within);
  }

  #hasSign({ lastBeat, leaseTimes }: Registration, within: 'beat-timeout' | 'delete-timeout'): boolean {
    const { now, resumedAt } = this.#cluster;
    const timeoutMs = within === 'beat-timeout' ? leaseTimes.beatTimeoutMs : leaseTimes.deleteTimeoutMs;
    return lastBeat > resumedAt && now.mono - lastBeat < timeoutMs;
  }

  #isMine({ service }: RecordKey): boolean {
    return this.#cluster.members.ownerOf(service.id) === this.#cluster.self;
  }

  #registrationOf({ service, address, publisher }: RecordKey): Registration | undefined {
    return this.#cluster.registry.services.get(service.id)?.ephemeral.get(address.key)?.registrationOf(publisher);
  }
}

function isLease(candidate: Weighed['candidates'][number]): candidate is LeaseCandidate {
  return candidate.record.state === 'live';
}

/** Whether a set whose author is there has this content. */
function isVouchedElsewhere(record: ReplicatedRecord, candidates: Weighed['candidates']): boolean {
  return candidates.some(
    (candidate) => candidate.vouched && !candidate.lastResort && sameVersion(candidate.record, record),
  );
}

/** Tenure that a record says is over; 0 when none. */
function endedTenOf(record: ReplicatedRecord | undefined): number {
  return record?.state === 'ended' ? record.ten : 0;
}

function claimOf(record: ReplicatedRecord | undefined): ClaimValue | undefined {
  return record?.state === 'live' || record?.state === 'ended' ? record.claim : undefined;
}
