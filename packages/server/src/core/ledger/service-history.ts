// The history of one service in order of time, within its bounds. Instances and subscribers have bounds of their own, so that
// one that flaps cannot push out what is known of the others.

import type { ServiceKey } from '@rollcall/protocol';
import { bytesOf, type Fact, subjectOf } from './fact.js';
import type { LedgerBounds } from './ledger-bounds.js';

/** Facts of a service, oldest first. */
export class ServiceHistory {
  readonly key: ServiceKey;
  #facts: Fact[] = [];
  /** Bytes by subject. */
  readonly #subjects = new Map<string, number>();
  #bytes = 0;
  #dropped = 0;
  #droppedUntil = 0;

  constructor(key: ServiceKey) {
    this.key = key;
  }

  /** Oldest first. */
  get facts(): readonly Fact[] {
    return this.#facts;
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

  /** Adds the newest fact. */
  add(fact: Fact, { serviceBytes, subjectBytes }: LedgerBounds): void {
    this.#facts.push(fact);
    this.#count(fact, 1);
    const subject = subjectOf(fact);
    if ((this.#subjects.get(subject) as number) > subjectBytes) this.#halve(subject);
    if (this.#bytes > serviceBytes) this.#dropOldest(this.#bytes - serviceBytes * 0.75);
  }

  /** Puts the facts of an earlier run in front of those of this one. */
  putBefore(earlier: readonly Fact[], bounds: LedgerBounds): void {
    const later = this.#facts;
    this.#facts = [];
    this.#subjects.clear();
    this.#bytes = 0;
    for (const fact of earlier) this.add(fact, bounds);
    for (const fact of later) this.add(fact, bounds);
  }

  /** Moves every fact on the time line. */
  move(byMs: number): void {
    this.#facts = this.#facts.map((fact) => ({
      ...fact,
      at: fact.at + byMs,
      ...('lastBeatAt' in fact && { lastBeatAt: fact.lastBeatAt + byMs }),
    }));
  }

  /** Drops facts that are older. @param at - as `Fact.at` */
  dropBefore(at: number): void {
    let count = 0;
    while (count < this.#facts.length && (this.#facts[count] as Fact).at < at) count += 1;
    this.#dropFirst(count);
  }

  #dropOldest(bytes: number): void {
    let count = 0;
    for (let freed = 0; freed < bytes && count < this.#facts.length; count += 1)
      freed += bytesOf(this.#facts[count] as Fact);
    this.#dropFirst(count);
  }

  #dropFirst(count: number): void {
    for (const fact of this.#facts.splice(0, count)) this.#forget(fact);
  }

  #halve(subject: string): void {
    let left = (this.#subjects.get(subject) as number) / 2;
    this.#facts = this.#facts.filter((fact) => {
      if (left <= 0 || subjectOf(fact) !== subject) return true;
      left -= bytesOf(fact);
      this.#forget(fact);
      return false;
    });
  }

  #forget(fact: Fact): void {
    this.#count(fact, -1);
    this.#dropped += 1;
    this.#droppedUntil = Math.max(this.#droppedUntil, fact.at);
  }

  #count(fact: Fact, sign: 1 | -1): void {
    const bytes = sign * bytesOf(fact);
    const subject = subjectOf(fact);
    const left = (this.#subjects.get(subject) ?? 0) + bytes;
    if (left > 0) this.#subjects.set(subject, left);
    else this.#subjects.delete(subject);
    this.#bytes += bytes;
  }
}
