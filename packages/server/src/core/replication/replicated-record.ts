// The records of a set, as the core holds them: content with its version, and a lease or what is left of one.

import type { InstanceContent } from '@rollcall/protocol';
import type { EditOverlay } from '../edit-overlay.js';
import type { WireVersion } from './peer-message.js';

/** Where a write came in: node, epoch of its run, number in that run. */
export type Operation = WireVersion['op'];

/** Version of a content. */
export interface Version {
  /** Hybrid clock (R6). */
  readonly cv: number;
  readonly op: Operation;
}

/** What a publisher said of its instance. Shared by all records that carry it on. */
export interface ClaimValue {
  readonly registered: InstanceContent;
  /** Content under operators' edits; the same object as `registered` unless one took something out. */
  readonly base: InstanceContent;
  readonly numericId: string | undefined;
}

/** A lease with its content. */
export interface LiveRecord extends Version {
  readonly state: 'live';
  readonly claim: ClaimValue;
  /** Tenure: of two leases on one key the one with the greater number is the later. */
  readonly ten: number;
  readonly healthy: boolean;
  /** Rev of its set at which the lease began: its short name there. */
  readonly id: number;
}

/** The end of a lease. */
export interface EndedRecord extends Version {
  readonly state: 'ended';
  readonly claim: ClaimValue;
  /** Tenure that ended; 0 for a record that only carries content. */
  readonly ten: number;
}

/** The content was taken away on purpose. */
export interface RemovedRecord extends Version {
  readonly state: 'removed';
}

/** An operator's edit. */
export interface EditRecord extends Version {
  readonly state: 'edit';
  readonly edit: EditOverlay;
}

/** Health of a persistent instance. */
export interface HealthRecord extends Version {
  readonly state: 'health';
  readonly healthy: boolean;
}

/** Any record. Never changed in place: sets, logs and messages share it. */
export type ReplicatedRecord = LiveRecord | EndedRecord | RemovedRecord | EditRecord | HealthRecord;

/** Fixed order of writes: greater than 0 when `a` is the later one. */
function compareOperations(a: Operation, b: Operation): number {
  if (a[0] !== b[0]) return a[0] < b[0] ? -1 : 1;
  return a[1] - b[1] || a[2] - b[2];
}

/** R3: greater than 0 when the content of `a` goes before that of `b`. */
export function compareContents(a: ReplicatedRecord, b: ReplicatedRecord): number {
  if (a.cv !== b.cv) return a.cv - b.cv;
  const removed = Number(a.state === 'removed') - Number(b.state === 'removed');
  return removed || compareOperations(a.op, b.op);
}

/** Order of two versions; one that is unknown goes before all others. */
export function compareVersions(a: Version | undefined, b: Version | undefined): number {
  if (a === undefined || b === undefined) return Number(a !== undefined) - Number(b !== undefined);
  return a.cv - b.cv || compareOperations(a.op, b.op);
}

/** Whether two versions name one write. */
export function sameVersion(a: Version, b: Version): boolean {
  return a.cv === b.cv && compareOperations(a.op, b.op) === 0;
}

/** The claim that a record carries; undefined for a removal, and for what no publisher says. */
export function claimIn(record: ReplicatedRecord | undefined): ClaimValue | undefined {
  return record?.state === 'live' || record?.state === 'ended' ? record.claim : undefined;
}
