// What a copy of a set says no more, although nothing came in its place: the copy is gone, or its author forgot an end. Here it
// may still hide something older (R12).

import type { RecordKey } from './record-key.js';
import type { ReplicatedRecord } from './replicated-record.js';

/** What a copy said of a key and says no more. `over`: the copy is dropped, its author was lost; `forgotten`: by its author. */
export interface Dropped {
  readonly record: ReplicatedRecord;
  readonly why: 'over' | 'forgotten';
}

/** Settles a key. @param dropped - what a copy says of it no more; undefined when that hides nothing */
export type SettleDropped = (key: RecordKey, dropped?: Dropped) => void;

/** A record that its author forgot, when it is a removal or the end of a lease: here it may hide something yet. */
export function forgottenEnd(record: ReplicatedRecord | undefined): Dropped | undefined {
  return record?.state === 'removed' || record?.state === 'ended' ? { record, why: 'forgotten' } : undefined;
}
