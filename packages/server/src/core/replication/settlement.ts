// What a node does about a key after anything changed: gives way with its own record, takes newer content over, adopts a
// lease that nobody holds, and shows the result (R10, R12). Every change, local or from a peer, ends here.

import type { Registration } from '../instance-record.js';
import type { ClusterState, Weighed } from './cluster-state.js';
import { successorOf } from './cluster-state.js';
import type { GuestBeats } from './guest-beats.js';
import type { Projection } from './projection.js';
import type { LeaseCandidate } from './record-choice.js';
import { isConnectionKey, OPERATOR_PUBLISHER, PROBE_PUBLISHER, type RecordKey } from './record-key.js';
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

  /** Brings a key to rest. */
  settle(key: RecordKey): void {
    let weighed = this.#cluster.weigh(key);
    if (key.publisher === OPERATOR_PUBLISHER || key.publisher === PROBE_PUBLISHER) {
      this.#settleValue(key, weighed);
    } else {
      const own = this.#cluster.own.lease(key.text);
      if (own !== undefined && this.#settleOwn(key, own, weighed)) weighed = this.#cluster.weigh(key);
      else if (own === undefined && this.#adopt(key, weighed)) weighed = this.#cluster.weigh(key);
    }
    this.#projection.show(key, weighed);
  }

  /** R9: takes the lease because its client is talking to this node. */
  adoptOnBeat(key: RecordKey): void {
    const weighed = this.#cluster.weigh(key);
    const claim = claimOf(weighed.content?.record);
    if (claim === undefined) return;
    this.#take(key, weighed, { claim, healthy: true });
    this.settle(key);
  }

  /** What to do about an own lease. @returns whether the own record changed */
  #settleOwn(key: RecordKey, own: LiveRecord, weighed: Weighed): boolean {
    const { content, lease, endedTen, highestTen } = weighed;
    const { own: records, sets } = this.#cluster;
    if (content === undefined || lease === undefined) return false;
    const best = content.record;
    if (this.#isEarlierHere(best, own)) {
      records.putLease(key, { ...own, cv: best.cv + 1 });
      return true;
    }
    if (best.state === 'removed') {
      records.drop(key, successorOf(content.set));
      return true;
    }
    const claim = claimOf(best) as ClaimValue;
    const { cv, op } = best;
    if (endedTen >= own.ten) {
      // Somebody else adopted the lease and saw it end: it goes on only where its client is known to live.
      if (this.#isProven(key)) records.putLease(key, { cv, op, claim, ten: highestTen + 1, healthy: own.healthy });
      else this.#end(key, { cv, op, claim, ten: own.ten });
      return true;
    }
    const winner = lease.set === sets.own ? this.#supersedes(key, own, weighed) : lease;
    if (winner !== undefined) return this.#giveWay(key, own, winner);
    if (sameVersion(best, own)) return false;
    records.putLease(key, { cv, op, claim, ten: own.ten, healthy: own.healthy });
    return true;
  }

  /** R10 d: only for a lease that has the content of the own one, or newer. */
  #giveWay(key: RecordKey, own: LiveRecord, winner: LeaseCandidate): boolean {
    if (compareContents(winner.record, own) < 0) return false;
    if (this.#isProven(key)) this.#guests.handOver(this.#registrationOf(key) as Registration, winner);
    this.#cluster.own.drop(key, successorOf(winner.set));
    return true;
  }

  /** A later lease before which an own one gives way that no sign of life has confirmed since this process stood still. */
  #supersedes(key: RecordKey, own: LiveRecord, { candidates }: Weighed): LeaseCandidate | undefined {
    const registration = this.#registrationOf(key);
    if (registration === undefined || registration.lastBeat > this.#cluster.resumedAt) return undefined;
    for (const candidate of candidates)
      if (isLease(candidate) && candidate.vouched && !candidate.lastResort && candidate.record.ten > own.ten)
        return candidate;
    return undefined;
  }

  /** R10 a: a write that came in here earlier must not win over a later one. */
  #isEarlierHere(best: ReplicatedRecord, own: LiveRecord): boolean {
    const [node, epoch, sequence] = own.op;
    const [bestNode, bestEpoch, bestSequence] = best.op;
    const bothHere = node === this.#cluster.self && bestNode === node && bestEpoch === epoch;
    return bothHere && epoch === this.#cluster.sets.own.id.epoch && sequence > bestSequence && best.cv >= own.cv;
  }

  /** R12. @returns whether a record was put */
  #adopt(key: RecordKey, weighed: Weighed): boolean {
    const { content, lease } = weighed;
    if (!this.#cluster.ready || content === undefined || isConnectionKey(key)) return false;
    if (content.record.state === 'removed') return this.#copyRemoval(key, weighed);
    if (lease === undefined || lease.vouched || lease.lastResort) return false;
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
    if (!candidates.some(isLease)) return false;
    const { now, settings } = this.#cluster;
    this.#cluster.own.putEnd(key, record, { now, keptMs: settings.removalKeptMs });
    return true;
  }

  /** Edits and health found by probes: the newest counts, and outlives its author. */
  #settleValue(key: RecordKey, { content, candidates }: Weighed): void {
    const { own, ready, registry } = this.#cluster;
    if (content === undefined) return;
    const { record, set } = content;
    const mine = own.get(key.text);
    if (mine !== undefined) {
      if (compareContents(record, mine) > 0 && isVouchedElsewhere(record, candidates)) own.drop(key, successorOf(set));
      return;
    }
    if (!ready || !this.#isMine(key) || isVouchedElsewhere(record, candidates)) return;
    if (record.state !== 'edit' && record.state !== 'health') return;
    if (registry.services.get(key.service.id) !== undefined) own.putValue(key, record);
  }

  #take(key: RecordKey, weighed: Weighed, lease: { readonly claim: ClaimValue; readonly healthy: boolean }): void {
    const { content, highestTen } = weighed;
    if (content === undefined) return;
    const { cv, op } = content.record;
    this.#cluster.own.putLease(key, { cv, op, ten: highestTen + 1, ...lease });
  }

  #end(key: RecordKey, record: { cv: number; op: LiveRecord['op']; claim: ClaimValue; ten: number }): void {
    const { now, settings } = this.#cluster;
    this.#cluster.own.putEnd(key, { state: 'ended', ...record }, { now, keptMs: settings.removalKeptMs });
  }

  /** Whether a sign of life came here that is recent, and came after the last pause. */
  #isProven(key: RecordKey): boolean {
    const registration = this.#registrationOf(key);
    if (registration === undefined || registration.heldBy !== undefined) return false;
    const { now, resumedAt } = this.#cluster;
    const { lastBeat, leaseTimes } = registration;
    return lastBeat > resumedAt && now.mono - lastBeat < leaseTimes.beatTimeoutMs;
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

function claimOf(record: ReplicatedRecord | undefined): ClaimValue | undefined {
  return record?.state === 'live' || record?.state === 'ended' ? record.claim : undefined;
}
