// The history of one service in order of time, within its bounds. Instances and subscribers have bounds of their own, so that
// one that flaps cannot push out what is known of the others.

import type { ServiceKey } from '@rollcall/protocol';
import type { Fact } from './fact.js';
import { bytesOf, factOf, type HistoryEntry, subjectOf, timeOf } from './history-entry.js';
import type { LedgerBounds } from './ledger-bounds.js';
import type { TimeLine } from './time-line.js';

/** Facts of a service, oldest first. */
export class ServiceHistory {
  readonly key: ServiceKey;
  readonly #line: TimeLine;
  #entries: HistoryEntry[] = [];
  /** Bytes by subject; none while all together take less than one may. */
  #subjects: Map<string, number> | undefined;
  #bytes = 0;
  #dropped = 0;
  #droppedUntil = 0;

  /** @param line - time line of all facts */
  constructor(key: ServiceKey, line: TimeLine) {
    this.key = key;
    this.#line = line;
  }

  /** Oldest first; made anew for each call. */
  get facts(): readonly Fact[] {
    return this.#entries.map((entry) => factOf(entry, this.#line));
  }

  /** Number of facts. */
  get size(): number {
    return this.#entries.length;
  }

  /** Estimate of what it takes. */
  get bytes(): number {
    return this.#bytes;
  }

  /** Facts that the bounds pushed out. */
  get dropped(): number {
    return this.#dropped;
  }

  /** Time of the newest fact that was pushed out, as `Fact.at`; 0 when none was: from then on nothing is missing. */
  get droppedUntil(): number {
    return this.#droppedUntil;
  }

  /** Adds the newest entry. */
  add(entry: HistoryEntry, { serviceBytes, subjectBytes }: LedgerBounds): void {
    this.#entries.push(entry);
    this.#count(entry, bytesOf(entry));
    if (this.#bytes > subjectBytes) this.#boundSubject(subjectOf(entry), subjectBytes);
    if (this.#bytes > serviceBytes) this.#dropOldest(this.#bytes - serviceBytes * 0.75);
  }

  /** Puts the facts of an earlier run in front of those of this one. */
  putBefore(earlier: readonly Fact[], bounds: LedgerBounds): void {
    const later = this.#entries;
    this.#entries = [];
    this.#subjects = undefined;
    this.#bytes = 0;
    for (const fact of earlier) this.add(fact, bounds);
    for (const entry of later) this.add(entry, bounds);
  }

  /** Drops what is older. @param at - as `Fact.at` */
  dropBefore(at: number): void {
    let count = 0;
    while (count < this.size && timeOf(this.#entries[count] as HistoryEntry, this.#line) < at) count += 1;
    this.#dropFirst(count);
  }

  #dropOldest(bytes: number): void {
    let count = 0;
    for (let freed = 0; freed < bytes && count < this.size; count += 1)
      freed += bytesOf(this.#entries[count] as HistoryEntry);
    this.#dropFirst(count);
  }

  #dropFirst(count: number): void {
    for (const entry of this.#entries.splice(0, count)) this.#forget(entry);
  }

  #boundSubject(subject: string, bytesMax: number): void {
    this.#subjects ??= this.#bytesBySubject();
    const bytes = this.#subjects.get(subject) ?? 0;
    if (bytes <= bytesMax) return;
    let left = bytes / 2;
    this.#entries = this.#entries.filter((entry) => {
      if (left <= 0 || subjectOf(entry) !== subject) return true;
      left -= bytesOf(entry);
      this.#forget(entry);
      return false;
    });
  }

  #forget(entry: HistoryEntry): void {
    this.#count(entry, -bytesOf(entry));
    this.#dropped += 1;
    this.#droppedUntil = Math.max(this.#droppedUntil, timeOf(entry, this.#line));
  }

  #count(entry: HistoryEntry, bytes: number): void {
    this.#bytes += bytes;
    if (this.#subjects !== undefined) addTo(this.#subjects, subjectOf(entry), bytes);
  }

  #bytesBySubject(): Map<string, number> {
    const subjects = new Map<string, number>();
    for (const entry of this.#entries) addTo(subjects, subjectOf(entry), bytesOf(entry));
    return subjects;
  }
}

function addTo(sums: Map<string, number>, key: string, bytes: number): void {
  const sum = (sums.get(key) ?? 0) + bytes;
  if (sum > 0) sums.set(key, sum);
  else sums.delete(key);
}
