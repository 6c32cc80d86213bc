// The ledger on disk: segments in the data directory, written behind, read back after a start. A server that is killed loses
// the last second of history; membership is the journal's business, not this one's.

import { mkdirSync, readdirSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { appendFile, readFile, truncate } from 'node:fs/promises';
import { join } from 'node:path';
import type { ServiceKey } from '@rollcall/protocol';
import type { Logger, TimerHandle, Timers } from '@rollcall/runtime';
import type { Fact, ServerFact } from '../../core/ledger/fact.js';
import type { HistoryEntry } from '../../core/ledger/history-entry.js';
import type { EarlierFacts, Ledger } from '../../core/ledger/ledger.js';
import { type FactGroup, groupLine, readSegment } from './segment-lines.js';

const FLUSH_MS = 1000;
/** Facts that may wait for the disk; more are not written, and counted. */
const PENDING_MAX = 50_000;
/** Segments that the bound is divided into: so much of the history is deleted at once. */
const SEGMENTS = 8;
/** Facts of one line: a damaged line costs no more. */
const LINE_FACTS_MAX = 200;
/** Facts that are made lines of in one turn: about a millisecond. */
const TURN_FACTS = 200;

/** What the store works with. */
export interface LedgerStoreOptions {
  /** Directory of the segments; created when missing. */
  readonly path: string;
  /** Bytes of all segments together. */
  readonly bytes: number;
  readonly ledger: Ledger;
  readonly logger: Logger;
  readonly timers: Timers;
  /** Ends when others had their turn. */
  readonly pause: () => Promise<void>;
}

/** What waits for the next flush. */
interface PendingEntry {
  readonly entry: HistoryEntry | ServerFact;
  readonly service: ServiceKey | undefined;
}

interface Segment {
  readonly path: string;
  readonly generation: number;
}

/** Writes and reads segments. One process at a time uses the directory. */
export class LedgerStore {
  readonly #options: LedgerStoreOptions;
  #pending: PendingEntry[] = [];
  #unwritten = 0;
  #written = 0;
  #segment: Segment;
  #segmentBytes = 0;
  #writing: Promise<void> = Promise.resolve();
  #timer: TimerHandle | undefined;
  #endListening: (() => void) | undefined;
  #closed = false;

  /** @throws the file system's error when the directory cannot be made or read */
  constructor(options: LedgerStoreOptions) {
    this.#options = options;
    mkdirSync(options.path, { recursive: true });
    this.#segment = this.#segmentAfter(this.#segments().at(-1)?.generation ?? 0);
  }

  /** For metrics: bytes written since the start, and facts that could not be written. */
  get figures(): { readonly writtenBytes: number; readonly unwritten: number } {
    return { writtenBytes: this.#written, unwritten: this.#unwritten };
  }

  /** Follows the ledger from now on. */
  follow(): void {
    const { ledger, timers } = this.#options;
    for (const fact of ledger.serverFacts) this.#take(fact, undefined);
    this.#endListening = ledger.onEntry((entry, service) => this.#take(entry, service));
    this.#timer = timers.every(FLUSH_MS, () => this.#flush());
  }

  /** Gives the ledger what earlier runs wrote. Never rejects. */
  async load(): Promise<void> {
    const { ledger, logger, path } = this.#options;
    try {
      this.#prune();
      const facts = await this.#read(this.#segments());
      if (!this.#closed) ledger.putBefore(facts);
    } catch (error) {
      logger.log('error', 'ledger-unreadable', { path, error: String(error) });
    }
  }

  /** Writes what waits and follows no more. */
  async close(): Promise<void> {
    this.#closed = true;
    this.#endListening?.();
    this.#timer?.cancel();
    this.#flush();
    await this.#writing;
  }

  #take(entry: HistoryEntry | ServerFact, service: ServiceKey | undefined): void {
    if (this.#pending.length < PENDING_MAX) this.#pending.push({ entry, service });
    else this.#unwritten += 1;
  }

  #flush(): void {
    if (this.#pending.length === 0) return;
    const groups = groupsOf(this.#pending, this.#options.ledger);
    const count = this.#pending.length;
    this.#pending = [];
    this.#writing = this.#writing
      .then(() => this.#write(groups))
      .catch((error: unknown) => {
        this.#unwritten += count;
        const { logger } = this.#options;
        logger.log('warn', 'ledger-not-written', { path: this.#segment.path, facts: count, error: String(error) });
      });
  }

  async #write(groups: readonly FactGroup[]): Promise<void> {
    const bytes = Buffer.concat(await this.#linesOf(groups));
    if (this.#segmentBytes > 0 && this.#segmentBytes + bytes.length > this.#options.bytes / SEGMENTS) this.#turn();
    await appendFile(this.#segment.path, bytes);
    this.#segmentBytes += bytes.length;
    this.#written += bytes.length;
  }

  /** A second of pushes to thousands is more than 100 ms of work: nobody has to wait for all of it. */
  async #linesOf(groups: readonly FactGroup[]): Promise<Buffer[]> {
    const lines: Buffer[] = [];
    let facts = 0;
    for (const group of groups) {
      lines.push(groupLine(group));
      facts += group.facts.length;
      if (facts < TURN_FACTS) continue;
      facts = 0;
      await this.#options.pause();
    }
    return lines;
  }

  /** Begins the next segment and deletes the oldest beyond the bound. */
  #turn(): void {
    this.#segment = this.#segmentAfter(this.#segment.generation);
    this.#segmentBytes = 0;
    this.#prune();
  }

  /** Deletes the oldest segments beyond the bound, never the present one. */
  #prune(): void {
    let left = this.#options.bytes;
    for (const { path } of this.#segments().reverse()) {
      left -= statSync(path).size;
      if (left < 0 && path !== this.#segment.path) rmSync(path, { force: true });
    }
  }

  #segmentAfter(generation: number): Segment {
    const path = join(this.#options.path, `ledger-${String(generation + 1).padStart(8, '0')}.log`);
    writeFileSync(path, '', { mode: 0o640 });
    return { path, generation: generation + 1 };
  }

  /** In order. */
  #segments(): Segment[] {
    const { path } = this.#options;
    return readdirSync(path)
      .flatMap((name) => {
        const [, digits] = /^ledger-(\d{8,15})\.log$/.exec(name) ?? [];
        return digits === undefined ? [] : [{ path: join(path, name), generation: Number(digits) }];
      })
      .sort((a, b) => a.generation - b.generation);
  }

  async #read(segments: readonly Segment[]): Promise<EarlierFacts> {
    const services = new Map<string, { key: ServiceKey; facts: Fact[] }>();
    const server: ServerFact[] = [];
    for (const { path } of segments) {
      if (path === this.#segment.path) continue;
      if (statSync(path).size === 0) {
        rmSync(path);
        continue;
      }
      for (const { service, facts } of await this.#groupsOf(path)) {
        if (service === undefined) server.push(...(facts as ServerFact[]));
        else {
          const known = services.get(service.id) ?? { key: service, facts: [] };
          known.facts.push(...(facts as Fact[]));
          services.set(service.id, known);
        }
      }
    }
    return { services, server };
  }

  async #groupsOf(path: string): Promise<readonly FactGroup[]> {
    const { logger, pause } = this.#options;
    const bytes = await readFile(path);
    const { groups, soundBytes, damagedBytes } = await readSegment(bytes, pause);
    if (damagedBytes > 0) logger.log('warn', 'ledger-damaged', { path, damagedBytes });
    if (soundBytes < bytes.length) {
      await truncate(path, soundBytes);
      logger.log('warn', 'ledger-tail-cut', { path, tailBytes: bytes.length - soundBytes });
    }
    return groups;
  }
}

/** Facts that follow each other in one service go into one line. */
function groupsOf(pending: readonly PendingEntry[], ledger: Ledger): FactGroup[] {
  const groups: { service: ServiceKey | undefined; facts: (Fact | ServerFact)[] }[] = [];
  const open = new Map<string | undefined, { facts: (Fact | ServerFact)[] }>();
  for (const { entry, service } of pending) {
    let group = open.get(service?.id);
    if (group === undefined || group.facts.length >= LINE_FACTS_MAX) {
      const begun = { service, facts: [] };
      groups.push(begun);
      group = begun;
      open.set(service?.id, group);
    }
    group.facts.push(ledger.factOf(entry));
  }
  return groups;
}
