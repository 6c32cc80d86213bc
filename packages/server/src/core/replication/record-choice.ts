// Which content and which lease count for a key, of all that the sets say (R3, R4, R5). The same for every order of sets.

import type { NodeId, Successor } from './peer-message.js';
import type { RecordSet } from './record-set.js';
import { rendezvousWeight } from './rendezvous.js';
import { compareContents, type LiveRecord, type ReplicatedRecord } from './replicated-record.js';

/** What one set says of a key. */
export interface Candidate {
  readonly set: RecordSet;
  readonly record: ReplicatedRecord;
  /** Whether the author of the set is there, in that run. */
  readonly vouched: boolean;
  /** What the author dropped it for, and which is not here yet (R10 e); undefined for what is in the set. */
  readonly droppedFor: Successor | undefined;
}

/** A candidate that is a lease. */
export interface LeaseCandidate extends Candidate {
  readonly record: LiveRecord;
}

/** What counts. */
export interface Choice {
  /** Undefined when nothing is known of the key. */
  readonly content: Candidate | undefined;
  /** Undefined when no lease counts. */
  readonly lease: LeaseCandidate | undefined;
  /** Highest tenure known, ended ones included; 0 when none. */
  readonly highestTen: number;
  /** Highest tenure that ended; -1 when none. */
  readonly endedTen: number;
  /** Highest version known; 0 when none. */
  readonly highestCv: number;
}

/** Whether a key is in the view (R5). */
export function isPresent({ content, lease }: Choice): boolean {
  return content !== undefined && content.record.state !== 'removed' && lease !== undefined;
}

/** Whether a removal, or the end of a lease, keeps what a candidate says from being shown. */
export function hides(record: ReplicatedRecord, { record: other, vouched }: Candidate): boolean {
  if (record.state === 'ended') return other.state === 'live' && !vouched && other.ten <= record.ten;
  return (other.state === 'live' || other.state === 'edit') && compareContents(record, other) > 0;
}

/** Chooses. @param serviceId - `ServiceKey.id`, for the order of equal leases */
export function chooseRecord(serviceId: string, candidates: readonly Candidate[]): Choice {
  let content: Candidate | undefined;
  let highestTen = 0;
  let endedTen = -1;
  let highestCv = 0;
  for (const candidate of candidates) {
    const { record } = candidate;
    highestCv = Math.max(highestCv, record.cv);
    if (record.state === 'live' || record.state === 'ended') highestTen = Math.max(highestTen, record.ten);
    // A record that only carries content ended nothing.
    if (record.state === 'ended' && record.ten > 0) endedTen = Math.max(endedTen, record.ten);
    if (content === undefined || compareContents(record, content.record) > 0) content = candidate;
  }
  return { content, lease: chooseLease(serviceId, candidates, endedTen), highestTen, endedTen, highestCv };
}

function chooseLease(
  serviceId: string,
  candidates: readonly Candidate[],
  endedTen: number,
): LeaseCandidate | undefined {
  let chosen: LeaseCandidate | undefined;
  for (const candidate of candidates) {
    if (!isLease(candidate)) continue;
    if (!candidate.vouched && candidate.record.ten <= endedTen) continue;
    if (chosen === undefined || compareLeases(serviceId, candidate, chosen) > 0) chosen = candidate;
  }
  return chosen;
}

/** Whether a candidate is a lease. */
export function isLease(candidate: Candidate): candidate is LeaseCandidate {
  return candidate.record.state === 'live';
}

function compareLeases(serviceId: string, a: LeaseCandidate, b: LeaseCandidate): number {
  return (
    Number(a.vouched) - Number(b.vouched) ||
    Number(a.record.healthy) - Number(b.record.healthy) ||
    Number(b.droppedFor !== undefined) - Number(a.droppedFor !== undefined) ||
    compareTenures(serviceId, a, b) ||
    a.set.id.epoch - b.set.id.epoch ||
    compareText(a.set.id.run, b.set.id.run)
  );
}

/** A lease as far as its tenure goes. */
interface Tenure {
  readonly record: { readonly ten: number };
  readonly set: { readonly id: { readonly node: NodeId } };
}

/** Greater than 0 when the tenure of `a` goes before that of `b`. @param serviceId - for the order of equal ones */
export function compareTenures(serviceId: string, a: Tenure, b: Tenure): number {
  return a.record.ten - b.record.ten || compareNodes(serviceId, a.set.id.node, b.set.id.node);
}

function compareNodes(serviceId: string, a: NodeId, b: NodeId): number {
  if (a === b) return 0;
  return rendezvousWeight(a, serviceId) - rendezvousWeight(b, serviceId) || compareText(a, b);
}

function compareText(a: string, b: string): number {
  return a < b ? -1 : a > b ? 1 : 0;
}
