// How pushes fare, counted from the events of the core: the source of `/operator/push/state`, of the metrics
// `totalPush`, `failedPush`, `avgPushCost` and `maxPushCost` of Nacos 1.4.8, and of our own.

import type { Instant } from '@rollcall/runtime';
import type { RegistryEvent } from '../core/registry-event.js';
import type { RegistryEvents } from './registry-events.js';

/** 1.4.8 computes its push costs over this time. */
const COST_WINDOW_MS = 15_000;

/** What happened to pushes of one transport since the start. */
class PushCounts {
  /** First sends. */
  sent = 0;
  /** Sends after no acknowledgement came. */
  resent = 0;
  acknowledged = 0;
  /** Left alone until the next change: no acknowledgement after the last send, or too large to be sent. */
  givenUp = 0;
  /** Sends that failed: the system refused, or the list is too large. */
  failed = 0;
  /** Sum of the times from the last send to the acknowledgement, ms. */
  tookMs = 0;
}

/** What an event counts as. */
const COUNTERS: { readonly [T in RegistryEvent['type']]?: Exclude<keyof PushCounts, 'tookMs'> } = {
  'push-sent': 'sent',
  'push-resent': 'resent',
  'push-acknowledged': 'acknowledged',
  'push-given-up': 'givenUp',
  'push-failed': 'failed',
};

/** What `/operator/push/state` says. */
export interface PushState {
  /** Pushes, each with all its sends. */
  readonly total: number;
  /** Of these, acknowledged. */
  readonly succeeded: number;
  /** Of these, neither acknowledged nor on their way. */
  readonly failed: number;
}

/** Times from the last send to the acknowledgement in a window of 15 s, ms; -1 when there was none. */
export interface PushCosts {
  readonly averageMs: number;
  readonly maxMs: number;
}

const NO_COSTS: PushCosts = { averageMs: -1, maxMs: -1 };

/** Counts pushes. */
export class PushStatistics {
  readonly udp = new PushCounts();
  readonly stream = new PushCounts();
  /** Queries whose wish for pushes was refused, by reason. */
  readonly refused = new Map<string, number>();
  #resetAt = { total: 0, succeeded: 0 };
  #windowStart = 0 as Instant;
  #window = { count: 0, tookMs: 0, maxMs: 0 };
  #lastCosts = NO_COSTS;

  /** Starts to count. */
  constructor(events: RegistryEvents) {
    events.onEvent((event) => this.#take(event));
  }

  /** Pushes since the start or the last {@link reset}. @param outstanding - those on their way, see `RegistryCore.counts` */
  state(outstanding: number): PushState {
    const total = this.#total - this.#resetAt.total;
    const succeeded = this.#succeeded - this.#resetAt.succeeded;
    return { total, succeeded, failed: Math.max(0, total - succeeded - outstanding) };
  }

  /** Lets {@link state} count from now on. */
  reset(): void {
    this.#resetAt = { total: this.#total, succeeded: this.#succeeded };
  }

  /** Costs of the last complete window. @param now - monotonic clock */
  costs(now: Instant): PushCosts {
    this.#turnWindow(now);
    return this.#lastCosts;
  }

  get #total(): number {
    return this.udp.sent + this.stream.sent;
  }

  get #succeeded(): number {
    return this.udp.acknowledged + this.stream.acknowledged;
  }

  #take(event: RegistryEvent): void {
    if (!('subscriber' in event)) return;
    const { type, transport, at, tookMs = 0, reason = '' } = event;
    const counts = transport === 'udp' ? this.udp : this.stream;
    const counter = COUNTERS[type];
    if (counter !== undefined) counts[counter] += 1;
    else if (type === 'subscriber-refused') this.refused.set(reason, (this.refused.get(reason) ?? 0) + 1);
    if (type !== 'push-acknowledged') return;
    counts.tookMs += tookMs;
    this.#countCost(at.mono, tookMs);
  }

  #countCost(now: Instant, tookMs: number): void {
    this.#turnWindow(now);
    this.#window.count += 1;
    this.#window.tookMs += tookMs;
    this.#window.maxMs = Math.max(this.#window.maxMs, tookMs);
  }

  #turnWindow(now: Instant): void {
    const windows = Math.floor((now - this.#windowStart) / COST_WINDOW_MS);
    if (windows < 1) return;
    const { count, tookMs, maxMs } = this.#window;
    // When more than one window has passed, the last complete one was empty.
    this.#lastCosts = windows > 1 || count === 0 ? NO_COSTS : { averageMs: tookMs / count, maxMs };
    this.#window = { count: 0, tookMs: 0, maxMs: 0 };
    this.#windowStart = (this.#windowStart + windows * COST_WINDOW_MS) as Instant;
  }
}
