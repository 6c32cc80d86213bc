// The ledger: what happened to each instance and each push, within bounds, kept after the instance is gone, because that is
// when people ask. Fed by the events of the core alone; an ordinary beat is none. docs/adr/0009-ledger.md says why so.

import type { ServiceKey } from '@rollcall/protocol';
import type { Now } from '@rollcall/runtime/time';
import { SERVER } from '../actor.js';
import type { RegistryEvent, ServerEvent } from '../registry-event.js';
import type { Fact, ServerFact } from './fact.js';
import { factOfServerEvent } from './fact-of-event.js';
import { factOf, type HistoryEntry } from './history-entry.js';
import type { LedgerBounds } from './ledger-bounds.js';
import { ServiceHistory } from './service-history.js';
import { TimeLine } from './time-line.js';

/** Facts about the whole server that are kept. */
const SERVER_FACTS_MAX = 1000;
/** Services that are looked through for each fact while the bound is exceeded. */
const SERVICES_AT_ONCE = 64;
/** Share of the time that is kept by which each round over all services moves the end of it. */
const ROUND_SHARE = 0.05;
/** Refusals are repeated with every query; as many subscribers are remembered to keep one per version. */
const REFUSED_MAX = 10_000;

/** Told of each new entry, see {@link Ledger.factOf}; `service` is undefined when it is about the whole server. */
export type EntryListener = (entry: HistoryEntry | ServerFact, service: ServiceKey | undefined) => void;

/** What an earlier run recorded. */
export interface EarlierFacts {
  readonly services: ReadonlyMap<string, { readonly key: ServiceKey; readonly facts: readonly Fact[] }>;
  readonly server: readonly ServerFact[];
}

/** The ledger of one node. */
export class Ledger {
  readonly #bounds: LedgerBounds;
  readonly #line: TimeLine;
  readonly #services = new Map<string, ServiceHistory>();
  readonly #listeners = new Set<EntryListener>();
  readonly #refused = new Map<string, number>();
  #server: ServerFact[] = [];
  #bytes = 0;
  #count = 0;
  /** Dropped with services of which nothing is left. */
  #forgotten = 0;
  #freedUntil = 0;
  /** What is older goes in the present round. */
  #cutoff: number;
  #round: IterableIterator<[string, ServiceHistory]>;

  /** @param start - both clocks now: a start of the server is the first fact */
  constructor(bounds: LedgerBounds, start: Now) {
    this.#bounds = bounds;
    this.#line = new TimeLine(start);
    this.#cutoff = this.#line.at(start.mono);
    this.#round = this.#services.entries();
    this.#takeServerFact({ type: 'server-started', ...this.#baseOf(start) });
  }

  /** Takes an event of the core. */
  take(event: RegistryEvent): void {
    this.notice(event.at);
    if (event.type === 'subscriber-refused' && this.#isRepeated(event)) return;
    const history = this.#services.get(event.service.id) ?? this.#begin(event.service);
    const before = history.bytes;
    history.add(event, this.#bounds);
    this.#bytes += history.bytes - before;
    this.#count += 1;
    if (this.#bytes > this.#bounds.bytes) this.#free(this.at(event.at));
    for (const listener of this.#listeners) listener(event, event.service);
  }

  /** Takes an event of the whole server. */
  takeServer(event: ServerEvent): void {
    this.notice(event.at);
    this.#takeServerFact(factOfServerEvent(event, this.#line));
  }

  /** Looks whether the wall clock was set; for times without events. */
  notice(now: Now): void {
    const byMs = this.#line.setBy(now);
    if (byMs !== 0) this.#takeServerFact({ type: 'clock-set', byMs, ...this.#baseOf(now) });
  }

  /** Place of a time on the time line of the facts, epoch ms. */
  at(now: Now): number {
    return this.#line.at(now.mono);
  }

  /** History of a service; undefined when nothing is known. @param id - `ServiceKey.id` */
  history(id: string): ServiceHistory | undefined {
    return this.#services.get(id);
  }

  /** All histories. */
  histories(): IterableIterator<ServiceHistory> {
    return this.#services.values();
  }

  /** Time before which the bound of all services together has dropped everything, as `Fact.at`; 0 when it never did. */
  get freedUntil(): number {
    return this.#freedUntil;
  }

  /** Facts about the whole server, oldest first. */
  get serverFacts(): readonly ServerFact[] {
    return this.#server;
  }

  /** For metrics: estimate of the memory, facts taken since the start, and facts that the bounds pushed out. */
  get figures(): { readonly bytes: number; readonly facts: number; readonly dropped: number } {
    let dropped = this.#forgotten;
    for (const history of this.#services.values()) dropped += history.dropped;
    return { bytes: this.#bytes, facts: this.#count, dropped };
  }

  /** The fact that an entry is, for listeners. */
  factOf(entry: HistoryEntry | ServerFact): Fact | ServerFact {
    return 'actor' in entry ? factOf(entry, this.#line) : entry;
  }

  /** Calls back for each new entry. Listeners must not throw. @returns ends the listening */
  onEntry(listener: EntryListener): () => void {
    this.#listeners.add(listener);
    return () => void this.#listeners.delete(listener);
  }

  /** Puts what an earlier run recorded in front of everything. */
  putBefore({ services, server }: EarlierFacts): void {
    const byMs = this.#line.followAfter(newestOf({ services, server }));
    const moved = this.#server.map((fact) => ({ ...fact, at: fact.at + byMs }));
    this.#server = [...server, ...moved].slice(-SERVER_FACTS_MAX);
    for (const { key, facts } of services.values()) {
      const history = this.#services.get(key.id) ?? this.#begin(key);
      const before = history.bytes;
      history.putBefore(facts, this.#bounds);
      this.#bytes += history.bytes - before;
    }
    this.#cutoff = Math.min(this.#cutoff, oldestOf({ services, server }));
  }

  #baseOf({ mono, wall }: Now) {
    return { at: this.#line.at(mono), wall, via: SERVER.via, peer: undefined };
  }

  #begin(key: ServiceKey): ServiceHistory {
    const history = new ServiceHistory(key, this.#line);
    this.#services.set(key.id, history);
    return history;
  }

  #takeServerFact(fact: ServerFact): void {
    this.#server.push(fact);
    if (this.#server.length > SERVER_FACTS_MAX) this.#server.shift();
    for (const listener of this.#listeners) listener(fact, undefined);
  }

  #isRepeated(event: Extract<RegistryEvent, { subscriber: string }>): boolean {
    const key = `${event.service.id} ${event.subscriber} ${event.reason}`;
    if (this.#refused.get(key) === event.refTime) return true;
    if (this.#refused.size >= REFUSED_MAX) this.#refused.clear();
    this.#refused.set(key, event.refTime);
    return false;
  }

  /**
   * Drops what is oldest over all services. A few services per fact, so that nobody waits for a long pass: each round over all
   * of them moves the time before which everything goes.
   */
  #free(at: number): void {
    for (let i = 0; i < SERVICES_AT_ONCE && this.#bytes > this.#bounds.bytes; i++) this.#freeNext(at);
  }

  #freeNext(at: number): void {
    const { value, done } = this.#round.next();
    if (done) {
      this.#cutoff = Math.min(at + 1, this.#cutoff + Math.max(1, (at - this.#cutoff) * ROUND_SHARE));
      this.#round = this.#services.entries();
      return;
    }
    const [id, history] = value;
    const { bytes } = history;
    history.dropBefore(this.#cutoff);
    if (history.bytes === bytes) return;
    this.#bytes -= bytes - history.bytes;
    this.#freedUntil = Math.max(this.#freedUntil, this.#cutoff);
    if (history.size > 0) return;
    this.#forgotten += history.dropped;
    this.#services.delete(id);
  }
}

function newestOf({ services, server }: EarlierFacts): number {
  let newest = server.at(-1)?.at ?? 0;
  for (const { facts } of services.values()) newest = Math.max(newest, facts.at(-1)?.at ?? 0);
  return newest;
}

function oldestOf({ services, server }: EarlierFacts): number {
  let oldest = server[0]?.at ?? Number.POSITIVE_INFINITY;
  for (const { facts } of services.values()) oldest = Math.min(oldest, facts[0]?.at ?? oldest);
  return oldest;
}
