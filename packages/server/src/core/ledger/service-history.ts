// The history of one service in order of time, within its bounds. Instances and subscribers have bounds of their own, so that
// one that flaps cannot push out what is known of the others.

import type { ServiceKey } from '@rollcall/protocol';
import { bytesOf, type Fact, subjectOf } from './fact.js';
import type { LedgerBounds } from './ledger-bounds.js';

/** Facts of a service, oldest first. */
export class ServiceHistory {
  readonly key: ServiceKey;
  #facts: Fact[] = [];
  /** Whom each fact is about. */
  #names: string[] = [];
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

  /** Adds the newest fact. @param subject - whom it is about, see {@link subjectOf} */
  add(fact: Fact, { serviceBytes, subjectBytes }: LedgerBounds, subject = subjectOf(fact)): void {
    this.#facts.push(fact);
    this.#names.push(subject);
    const bytes = this.#count(subject, bytesOf(fact));
    if (bytes > subjectBytes) this.#halve(subject, bytes);
    if (this.#bytes > serviceBytes) this.#dropOldest(this.#bytes - serviceBytes * 0.75);
  }

  /** Puts the facts of an earlier run in front of those of this one. */
  putBefore(earlier: readonly Fact[], bounds: LedgerBounds): void {
    const later = this.#facts;
    this.#facts = [];
    this.#names = [];
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
    const names = this.#names.splice(0, count);
    for (const [i, fact] of this.#facts.splice(0, count).entries()) this.#forget(fact, names[i] as string);
  }

  #halve(subject: string, bytes: number): void {
    const [facts, names] = [this.#facts, this.#names];
    this.#facts = [];
    this.#names = [];
    let left = bytes / 2;
    for (const [i, fact] of facts.entries()) {
      const name = names[i] as string;
      if (left > 0 && name === subject) {
        left -= bytesOf(fact);
        this.#forget(fact, name);
      } else {
        this.#facts.push(fact);
        this.#names.push(name);
      }
    }
  }

  #forget(fact: Fact, subject: string): void {
    this.#count(subject, -bytesOf(fact));
    this.#dropped += 1;
    this.#droppedUntil = Math.max(this.#droppedUntil, fact.at);
  }

  /** @returns what the subject takes then */
  #count(subject: string, bytes: number): number {
    const sum = (this.#subjects.get(subject) ?? 0) + bytes;
    if (sum > 0) this.#subjects.set(subject, sum);
    else this.#subjects.delete(subject);
    this.#bytes += bytes;
    return sum;
  }
}
