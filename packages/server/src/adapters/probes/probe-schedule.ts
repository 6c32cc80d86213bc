// When to probe which instance, and when findings flip it: one ordered queue, no clock and no I/O of its own, so that
// thousands of targets cost nothing between their probes. Source: Nacos 1.4.8 HealthCheckTask, HealthCheckCommon,
// HealthCheckReactor (contract 11 and 15).

import type { ServiceKey } from '@rollcall/protocol';
import { after, type Instant } from '@rollcall/runtime';
import { DeadlineQueue } from '@rollcall/runtime/deadline-queue';
import type { Address } from '../../core/instance-address.js';
import type { ProbeIntervals } from '../../core/switches.js';
import { type ProbeOutcome, verdictOf } from './probe-outcome.js';
import { ProbeTarget } from './probe-target.js';
import type { ProbeTimes } from './probe-times.js';

/** First probe after this and up to {@link FIRST_SPREAD_MS} more, so that targets do not stay in step. */
const FIRST_MS = 2000;
const FIRST_SPREAD_MS = 5000;
/** Each interval is shortened by up to this share: targets with equal response times drift apart. */
const JITTER = 0.1;

/** What bounds the schedule. */
export interface ProbeScheduleOptions {
  /** Gives numbers from 0 up to, not including, 1. */
  readonly random: () => number;
  /** Probes under way at most, at least 1; targets that are due wait for a place. */
  readonly inFlightMax: number;
}

/** What a finding is judged by. */
export interface ProbeJudgement {
  readonly intervals: ProbeIntervals;
  /** Findings in a row that flip, at least 1. */
  readonly checkTimes: number;
  /** Whether the instance is healthy at present. */
  readonly healthy: boolean;
}

/** The targets in order of their next probe. */
export class ProbeSchedule {
  readonly #options: ProbeScheduleOptions;
  readonly #queue = new DeadlineQueue<ProbeTarget>();
  readonly #targets = new Map<string, Map<string, ProbeTarget>>();
  #size = 0;
  #inFlight = 0;

  constructor(options: ProbeScheduleOptions) {
    this.#options = options;
  }

  /** Targets. */
  get size(): number {
    return this.#size;
  }

  /** Probes under way, those of targets removed meanwhile included. */
  get inFlight(): number {
    return this.#inFlight;
  }

  /** Adds a target; a known one stays as it is. */
  add(service: ServiceKey, address: Address, now: Instant): void {
    const known = this.#targets.get(service.id);
    if (known?.has(address.key)) return;
    const firstMs = FIRST_MS + this.#options.random() * FIRST_SPREAD_MS;
    const target = new ProbeTarget(service, address, firstMs);
    if (known === undefined) this.#targets.set(service.id, new Map([[address.key, target]]));
    else known.set(address.key, target);
    this.#size += 1;
    this.#queue.arm(target, after(now, firstMs));
  }

  /** Takes a target out. @returns whether it was one */
  remove(service: ServiceKey, address: Address): boolean {
    const known = this.#targets.get(service.id);
    const target = known?.get(address.key);
    if (known === undefined || target === undefined) return false;
    known.delete(address.key);
    if (known.size === 0) this.#targets.delete(service.id);
    this.#size -= 1;
    target.removed = true;
    this.#queue.disarm(target);
    return true;
  }

  /** Times of the probes of a cluster, all its targets together; undefined when it has none. @param id - `ServiceKey.id` */
  timesOf(id: string, cluster: string): ProbeTimes | undefined {
    let [targets, bestMs, worstMs, sumMs] = [0, Number.POSITIVE_INFINITY, 0, 0];
    for (const target of this.#targets.get(id)?.values() ?? []) {
      if (target.address.cluster !== cluster) continue;
      targets += 1;
      bestMs = Math.min(bestMs, target.bestMs);
      worstMs = Math.max(worstMs, target.worstMs);
      sumMs += target.averageMs;
    }
    if (targets === 0) return undefined;
    return { bestMs: Number.isFinite(bestMs) ? bestMs : undefined, worstMs, averageMs: sumMs / targets };
  }

  /** When the next probe is to be started; undefined while none is due ever, or no place is free. */
  nextDue(): Instant | undefined {
    return this.#inFlight < this.#options.inFlightMax ? this.#queue.first() : undefined;
  }

  /** Takes the next due target; it holds a place until {@link finish} or {@link postpone}. */
  takeDue(now: Instant): ProbeTarget | undefined {
    if (this.#inFlight >= this.#options.inFlightMax) return undefined;
    const target = this.#queue.popDue(now);
    if (target === undefined) return undefined;
    this.#inFlight += 1;
    return target;
  }

  /** Gives the place back without a finding, and tries again after `ms`. */
  postpone(target: ProbeTarget, ms: number, now: Instant): void {
    this.#inFlight -= 1;
    if (!target.removed) this.#queue.arm(target, after(now, this.#jittered(ms)));
  }

  /**
   * Takes a finding in and sets the next probe.
   *
   * @returns the health to set; undefined when it stays
   */
  finish(target: ProbeTarget, outcome: ProbeOutcome, judgement: ProbeJudgement, now: Instant): boolean | undefined {
    this.#inFlight -= 1;
    if (target.removed) return undefined;
    if (outcome.type !== 'not-probed') {
      target.bestMs = Math.min(target.bestMs, outcome.ms);
      target.worstMs = Math.max(target.worstMs, outcome.ms);
    }
    this.#queue.arm(target, after(now, this.#jittered(intervalOf(target, outcome.ms, judgement.intervals))));
    return flipOf(target, outcome, judgement);
  }

  #jittered(ms: number): number {
    return ms * (1 - JITTER * this.#options.random());
  }
}

function intervalOf(target: ProbeTarget, ms: number, { factor, min, max }: ProbeIntervals): number {
  target.averageMs = Math.max(min, Math.min(max, factor * target.averageMs + (1 - factor) * ms));
  return target.averageMs;
}

function flipOf(target: ProbeTarget, outcome: ProbeOutcome, judgement: ProbeJudgement): boolean | undefined {
  const { healthy, checkTimes } = judgement;
  const verdict = verdictOf(outcome);
  if (verdict === 'unknown') return undefined;
  const well = verdict === 'well';
  target.good = well ? target.good + 1 : 0;
  target.bad = well ? 0 : target.bad + 1;
  if (well === healthy) return undefined;
  const enough = verdict === 'dead' || (well ? target.good : target.bad) >= checkTimes;
  return enough ? well : undefined;
}
