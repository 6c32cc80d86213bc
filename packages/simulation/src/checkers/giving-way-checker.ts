// I4: a node takes an own lease over HTTP out of its set only for another record, which it names, and which has content at
// least as new, or says that the content was removed. Ends of connections are plain, and so is forgetting what ended.

import { DEFAULT_REPLICATION_SETTINGS, type WireRecord } from '@rollcall/server/internal';
import { type DroppedRecord, keyText, type SetMirror, setText } from '../set-mirror.js';
import { type Checker, Violation } from './checker.js';

const HTTP_PUBLISHER = 'http';

/** Checks how leases are given up. */
export class GivingWayChecker implements Checker {
  readonly rule = 'I4';
  readonly #mirror: SetMirror;

  constructor(mirror: SetMirror) {
    this.#mirror = mirror;
  }

  onDrop({ set, dropped, change, at }: DroppedRecord): void {
    const publisher = dropped.key[6];
    if (dropped.record.state !== 'live' || publisher !== HTTP_PUBLISHER) return;
    // Nobody may have been told in between that the lease ended, and that was forgotten since.
    if (at - dropped.at > DEFAULT_REPLICATION_SETTINGS.removalKeptMs) return;
    const { successor } = change;
    const what = `set ${setText(set)} drops the lease on ${dropped.key[3]} (cv ${dropped.record.cv})`;
    if (successor === undefined) throw new Violation(this.rule, `${what} for nothing`);
    const other = this.#mirror.get(successor);
    const newest = other?.highestCv.get(keyText(dropped.key));
    if (newest === undefined)
      throw new Violation(this.rule, `${what} for set ${setText(successor)}, which has nothing`);
    if (newest < dropped.record.cv)
      throw new Violation(this.rule, `${what} for set ${setText(successor)}, whose content is older (cv ${newest})`);
  }
}

/** Whether a record is the memory of something that is over. */
export function isEnd({ state }: WireRecord): boolean {
  return state === 'removed' || state === 'ended';
}
