// What the process itself can be asked: delay of the event loop, collections of garbage, processor, memory.

import { readdirSync } from 'node:fs';
import {
  constants,
  type IntervalHistogram,
  monitorEventLoopDelay,
  PerformanceObserver,
  performance,
} from 'node:perf_hooks';
import { cpuUsage, memoryUsage } from 'node:process';
import { getHeapStatistics } from 'node:v8';
import type { Instant, Now } from '@rollcall/runtime';

/** How often the delay of the event loop is measured, ms; it is part of what the histogram measures. */
const RESOLUTION_MS = 20;
/** Delays are those of a time of at least this long, ms, so that two readers do not cut each other's time short. */
const WINDOW_MS = 10_000;

const GC_KINDS: ReadonlyMap<number, string> = new Map([
  [constants.NODE_PERFORMANCE_GC_MAJOR, 'major'],
  [constants.NODE_PERFORMANCE_GC_MINOR, 'minor'],
  [constants.NODE_PERFORMANCE_GC_INCREMENTAL, 'incremental'],
  [constants.NODE_PERFORMANCE_GC_WEAKCB, 'weak-callbacks'],
]);

/** Delays of the event loop, ms. */
export interface LoopDelays {
  readonly p50: number;
  readonly p99: number;
  readonly max: number;
}

/** Collections of one kind. */
interface GarbageCollections {
  count: number;
  tookMs: number;
}

/** Watches the process from {@link start} to {@link stop}. */
export class ProcessWatch {
  readonly #collections = new Map<string, GarbageCollections>();
  readonly #observer = new PerformanceObserver((list) => {
    for (const entry of list.getEntries()) this.#countCollection(entry);
  });
  readonly #histogram: IntervalHistogram = monitorEventLoopDelay({ resolution: RESOLUTION_MS });
  #delays: LoopDelays | undefined;
  #windowStart = 0 as Instant;
  #loop = performance.eventLoopUtilization();

  /** Begins to watch. */
  start(now: Now): void {
    for (const kind of GC_KINDS.values()) this.#collections.set(kind, { count: 0, tookMs: 0 });
    this.#observer.observe({ entryTypes: ['gc'] });
    this.#histogram.enable();
    this.#windowStart = now.mono;
  }

  /** Watches no more. */
  stop(): void {
    this.#observer.disconnect();
    this.#histogram.disable();
  }

  /** Collections since the start, by kind. */
  get collections(): ReadonlyMap<string, Readonly<GarbageCollections>> {
    return this.#collections;
  }

  /** Delays of the event loop in the last complete window, or so far when there is none yet. */
  delays(now: Now): LoopDelays {
    if (this.#delays !== undefined && now.mono - this.#windowStart < WINDOW_MS) return this.#delays;
    const delays = this.#delaysSoFar();
    if (now.mono - this.#windowStart < WINDOW_MS) return delays;
    this.#delays = delays;
    this.#windowStart = now.mono;
    this.#histogram.reset();
    return delays;
  }

  /** Share of its time that the event loop was busy since the reading before, 0 to 1. */
  loopUtilization(): number {
    const now = performance.eventLoopUtilization();
    const { utilization } = performance.eventLoopUtilization(now, this.#loop);
    this.#loop = now;
    return utilization;
  }

  /** Processor time since the process began, seconds. */
  cpuSeconds(): { readonly user: number; readonly system: number } {
    const { user, system } = cpuUsage();
    return { user: user / 1e6, system: system / 1e6 };
  }

  /** Bytes in use, and those that the heap may have. */
  memory(): {
    readonly resident: number;
    readonly heapUsed: number;
    readonly heapLimit: number;
    readonly external: number;
  } {
    const { rss: resident, heapUsed, external } = memoryUsage();
    return { resident, heapUsed, heapLimit: getHeapStatistics().heap_size_limit, external };
  }

  /** Threads of the process; 0 where the system does not say. */
  threads(): number {
    try {
      return readdirSync('/proc/self/task').length;
    } catch {
      // Only Linux has it.
      return 0;
    }
  }

  #delaysSoFar(): LoopDelays {
    const histogram = this.#histogram;
    if (histogram.count === 0) return { p50: 0, p99: 0, max: 0 };
    const delayOf = (nanoseconds: number) => Math.max(0, nanoseconds / 1e6 - RESOLUTION_MS);
    return {
      p50: delayOf(histogram.percentile(50)),
      p99: delayOf(histogram.percentile(99)),
      max: delayOf(histogram.max),
    };
  }

  #countCollection(entry: { readonly duration: number; readonly detail?: unknown }): void {
    const { kind } = (entry.detail ?? {}) as { readonly kind?: number };
    const collections = this.#collections.get(GC_KINDS.get(kind ?? 0) ?? '');
    if (collections === undefined) return;
    collections.count += 1;
    collections.tookMs += entry.duration;
  }
}
