// Deltas from a change log, cut to the size of a message (R2, R16). A cut lies between two steps of the log, so what each
// part leads to is a state that the set had.

import type { Instant } from '@rollcall/runtime/time';
import type { LoggedChange } from './change-log.js';
import { COUNT_MAX, type DeltaMessage, type WireChange } from './peer-message.js';
import { wireKeyOf } from './record-key.js';
import type { RecordSet } from './record-set.js';
import type { ReplicationSettings } from './replication-settings.js';
import { wireRecordOf, wireSizeOf } from './wire-record.js';

/** What one message takes. */
export type ChunkSize = Pick<ReplicationSettings, 'chunkRecords' | 'chunkCharacters'>;

/** The first delta above `rev`; undefined when the log does not reach back so far, or nothing is above. */
export function firstDelta(set: RecordSet, rev: number, size: ChunkSize): DeltaMessage | undefined {
  const changes = set.log.since(Math.max(0, rev));
  if (changes === undefined) return undefined;
  if (changes.length === 0) return rev < 0 ? deltaOf(set, [], { from: 0, to: set.rev }) : undefined;
  return deltaOf(set, changes.slice(0, partEnd(changes, 0, size)));
}

/** All deltas above `rev`; undefined when the log does not reach back so far. */
export function allDeltas(set: RecordSet, rev: number, size: ChunkSize): DeltaMessage[] | undefined {
  const changes = set.log.since(Math.max(0, rev));
  if (changes === undefined) return undefined;
  if (changes.length === 0) return [deltaOf(set, [], { from: Math.max(0, Math.min(rev, set.rev)), to: set.rev })];
  const deltas: DeltaMessage[] = [];
  for (let start = 0; start < changes.length; ) {
    const end = partEnd(changes, start, size);
    deltas.push(deltaOf(set, changes.slice(start, end)));
    start = end;
  }
  return deltas;
}

/**
 * The whole set as one delta; undefined when it does not fit into a message. With it go the latest records that were dropped
 * for others, as far as there is room: the receiver may not have those others (R10 e).
 */
export function wholeDelta(set: RecordSet, size: ChunkSize): DeltaMessage | undefined {
  if (set.size > size.chunkRecords) return undefined;
  let characters = 0;
  const changes: WireChange[] = [];
  for (const { key, record } of set.entries()) {
    characters += wireSizeOf(key.text, record);
    if (characters > size.chunkCharacters) return undefined;
    changes.push({ key: wireKeyOf(key), record: wireRecordOf(record) });
  }
  for (const change of latestDrops(set)) {
    characters += wireSizeOf(change.key.text, change.dropped);
    if (changes.length >= size.chunkRecords || characters > size.chunkCharacters) break;
    changes.push(wireChangeOf(change, set.now?.()));
  }
  return { type: 'delta', set: set.id, from: 0, to: set.rev, full: true, changes };
}

/** Records that were dropped for others and whose keys are not in the set again, the latest first. */
function latestDrops(set: RecordSet): LoggedChange[] {
  const drops = new Map<string, LoggedChange>();
  for (const change of set.log.since(set.log.coveredFrom)?.toReversed() ?? []) {
    const { key, successor } = change;
    if (successor !== undefined && set.get(key.text) === undefined && !drops.has(key.text)) drops.set(key.text, change);
  }
  return [...drops.values()];
}

/** End of the part that begins at `start`: as many whole steps as fit, one at least. */
function partEnd(
  changes: readonly LoggedChange[],
  start: number,
  { chunkRecords, chunkCharacters }: ChunkSize,
): number {
  let characters = 0;
  let end = start;
  for (let index = start; index < changes.length; index += 1) {
    const { key, record, dropped, to } = changes[index] as LoggedChange;
    characters += wireSizeOf(key.text, record ?? dropped);
    const isStepEnd = changes[index + 1]?.to !== to;
    const isFull = index - start >= chunkRecords || characters > chunkCharacters;
    if (isFull && end > start) break;
    if (isStepEnd) end = index + 1;
  }
  return end;
}

function deltaOf(
  set: RecordSet,
  changes: readonly LoggedChange[],
  { from, to } = { from: changes[0]?.from as number, to: changes.at(-1)?.to as number },
): DeltaMessage {
  const last = new Map<string, LoggedChange>();
  for (const change of changes) last.set(change.key.text, change);
  const told = Array.from(last.values(), (change) => wireChangeOf(change, set.now?.()));
  return { type: 'delta', set: set.id, from, to, full: from === 0, changes: told };
}

/** A change that goes out when a flush allows is younger: its age is told by nobody. */
const AGE_MS_MIN = 500;

function wireChangeOf({ key, record, successor, dropped, at }: LoggedChange, now: Instant | undefined): WireChange {
  const told = record ?? dropped;
  const ageMs = at === undefined || now === undefined ? 0 : Math.min(COUNT_MAX, Math.round(now - at));
  return {
    key: wireKeyOf(key),
    ...(told !== undefined && { record: wireRecordOf(told) }),
    ...(successor !== undefined && { successor }),
    ...(ageMs >= AGE_MS_MIN && { ageMs }),
  };
}
