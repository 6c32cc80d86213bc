// Keeps the targets in step with the registry, starts probes when they are due, and feeds what they find to the core as
// inputs. Starts come a few at a time, so that thousands of targets never hold up beats and lists.

import { after, type Instant, type Logger, type TimerHandle, type Timers } from '@rollcall/runtime';
import { SERVER } from '../../core/actor.js';
import type { InstanceRecord } from '../../core/instance-record.js';
import type { RegistryEvent } from '../../core/registry-event.js';
import type { Service } from '../../core/service.js';
import type { RegistryAccess } from '../registry-access.js';
import type { RegistryEvents } from '../registry-events.js';
import type { Prober } from './network-prober.js';
import { ProbeCounters } from './probe-counters.js';
import { type ProbeOutcome, verdictOf } from './probe-outcome.js';
import { type ProbePlan, probeIntervalsOf, probePlanOf } from './probe-plan.js';
import { ProbeSchedule } from './probe-schedule.js';
import type { ProbeTarget } from './probe-target.js';
import type { ProbeTimes } from './probe-times.js';

/** Starts per turn and time between turns: 2,000 probes per second, which is 10,000 targets at the longest interval of 5 s. */
const STARTS_PER_TURN = 10;
const TURN_MS = 5;
/** Probes under way: as many as 2,000 per second are when each waits for its time-out of 500 ms. */
const IN_FLIGHT_MAX = 1000;
/** How often a switch that is off is looked at. */
const SWITCHED_OFF_MS = 1000;
/** Next try of a target whose finding was dropped because its checker changed meanwhile. */
const CHANGED_MS = 1000;
/** Shortest time between two warnings of instances that cannot be probed. */
const WARNING_MS = 10_000;

/** What it works with. */
export interface ProbeRunnerOptions {
  readonly registry: RegistryAccess & RegistryEvents;
  readonly prober: Prober;
  readonly timers: Timers;
  readonly logger: Logger;
  /** Numbers from 0 up to, not including, 1. */
  readonly random: () => number;
}

/** Probes the persistent instances of a registry. */
export class ProbeRunner {
  readonly counters = new ProbeCounters();
  readonly #options: ProbeRunnerOptions;
  readonly #schedule: ProbeSchedule;
  #timer: { readonly at: Instant; readonly handle: TimerHandle } | undefined;
  #earliest = 0 as Instant;
  #warnAfter = 0 as Instant;
  #endListening: (() => void) | undefined;

  constructor(options: ProbeRunnerOptions) {
    this.#options = options;
    this.#schedule = new ProbeSchedule({ random: options.random, inFlightMax: IN_FLIGHT_MAX });
  }

  /** Instances that are probed, and probes under way. */
  get load(): { readonly targets: number; readonly inFlight: number } {
    return { targets: this.#schedule.size, inFlight: this.#schedule.inFlight };
  }

  /** Times of the probes of a cluster; undefined when nothing in it is probed. @param serviceId - `ServiceKey.id` */
  timesOf(serviceId: string, cluster: string): ProbeTimes | undefined {
    return this.#schedule.timesOf(serviceId, cluster);
  }

  /** Takes the present instances as targets and follows the registry from now on. */
  start(): void {
    const { registry } = this.#options;
    this.#endListening = registry.onEvent((event) => this.#follow(event));
    for (const service of registry.core.services()) this.#adoptAll(service);
    this.#arm();
  }

  /** Starts no probe any more; what those under way find is dropped. */
  stop(): void {
    this.#endListening?.();
    this.#endListening = undefined;
    this.#timer?.handle.cancel();
    this.#timer = undefined;
  }

  #follow(event: RegistryEvent): void {
    if (event.type === 'service-defined') {
      const service = this.#options.registry.core.service(event.service.id);
      if (service !== undefined) this.#adoptAll(service);
    } else if (event.type === 'instance-registered' && event.kind === 'persistent') {
      const service = this.#options.registry.core.service(event.service.id);
      const record = service?.persistent.get(event.address.key);
      if (service !== undefined && record !== undefined) this.#adopt(service, record);
    } else if (event.type === 'instance-removed' && event.kind === 'persistent') {
      this.#schedule.remove(event.service, event.address);
    } else return;
    this.#arm();
  }

  #adoptAll(service: Service): void {
    for (const record of service.persistent.values()) this.#adopt(service, record);
  }

  // An instance that is probed no more gets the health back that it was registered with.
  #adopt(service: Service, record: InstanceRecord): void {
    if (probePlanOf(service, record.address) !== undefined) {
      this.#schedule.add(service.key, record.address, this.#now());
    } else if (this.#schedule.remove(service.key, record.address)) {
      this.#setHealth(record, record.registered.healthy);
    }
  }

  #turn(): void {
    this.#timer = undefined;
    const now = this.#now();
    const on = this.#options.registry.core.switches.healthCheckEnabled;
    this.#earliest = after(now, on ? TURN_MS : SWITCHED_OFF_MS);
    for (let started = 0; on && started < STARTS_PER_TURN; started++) {
      const target = this.#schedule.takeDue(now);
      if (target === undefined) break;
      void this.#probe(target);
    }
    this.#arm();
  }

  #arm(): void {
    const due = this.#schedule.nextDue();
    if (due === undefined || this.#endListening === undefined) return;
    const at = Math.max(due, this.#earliest) as Instant;
    if (this.#timer !== undefined) {
      if (this.#timer.at <= at) return;
      this.#timer.handle.cancel();
    }
    const handle = this.#options.timers.once(Math.max(0, at - this.#now()), () => this.#turn());
    this.#timer = { at, handle };
  }

  async #probe(target: ProbeTarget): Promise<void> {
    const { prober } = this.#options;
    const plan = this.#planOf(target);
    if (plan === undefined) {
      this.#schedule.postpone(target, CHANGED_MS, this.#now());
      return;
    }
    const outcome = await prober(target.address.ip, plan).catch(
      (error: unknown): ProbeOutcome => ({ type: 'not-probed', ms: 0, detail: String(error) }),
    );
    if (this.#endListening === undefined) return;
    this.counters.count(plan.checker.type, outcome);
    this.#conclude(target, plan, outcome);
    this.#arm();
  }

  #conclude(target: ProbeTarget, plan: ProbePlan, outcome: ProbeOutcome): void {
    const now = this.#now();
    const { switches } = this.#options.registry.core;
    const record = this.#recordOf(target);
    const current = this.#planOf(target);
    const stale = current?.checker !== plan.checker || current.port !== plan.port;
    if (record === undefined || stale || !switches.healthCheckEnabled) {
      this.#schedule.postpone(target, CHANGED_MS, now);
      return;
    }
    const intervals = probeIntervalsOf(plan.checker.type, switches);
    const judgement = { intervals, checkTimes: switches.checkTimes, healthy: record.current.healthy };
    const healthy = this.#schedule.finish(target, outcome, judgement, now);
    if (outcome.type === 'not-probed') this.#warn(target, plan, outcome, now);
    else this.#report(target, verdictOf(outcome) === 'well' ? 'passed' : 'failed', record, now);
    if (healthy === undefined) return;
    this.counters.flips[healthy ? 'healthy' : 'unhealthy'] += 1;
    this.#logFlip(target, plan, outcome);
    this.#setHealth(record, healthy);
  }

  /** For the history: when a healthy instance was last found well, and since when it is not. */
  #report(
    target: ProbeTarget,
    result: 'passed' | 'failed',
    { current, service, address }: InstanceRecord,
    now: Instant,
  ) {
    const changes = current.healthy && target.failing !== (result === 'failed');
    target.failing = result === 'failed';
    if (result === 'passed') target.lastGood = now;
    if (changes) this.#options.registry.step({ type: 'probe', service, address, result, lastGood: target.lastGood });
  }

  #setHealth({ service, address }: InstanceRecord, healthy: boolean): void {
    this.#options.registry.step({
      type: 'health',
      kind: 'persistent',
      cause: 'probe',
      service,
      address,
      healthy,
      actor: SERVER,
    });
  }

  #warn(target: ProbeTarget, plan: ProbePlan, outcome: ProbeOutcome, now: Instant): void {
    if (now < this.#warnAfter) return;
    this.#warnAfter = after(now, WARNING_MS);
    this.#options.logger.log('warn', 'instance-not-probed', fieldsOf(target, plan, outcome));
  }

  // The change of health itself is logged as such; this says what was found.
  #logFlip(target: ProbeTarget, plan: ProbePlan, outcome: ProbeOutcome): void {
    const { logger } = this.#options;
    if (logger.isEnabled('debug')) logger.log('debug', 'probe-decided', fieldsOf(target, plan, outcome));
  }

  #recordOf({ service, address }: ProbeTarget): InstanceRecord | undefined {
    return this.#options.registry.core.service(service.id)?.persistent.get(address.key);
  }

  #planOf({ service: key, address }: ProbeTarget): ProbePlan | undefined {
    const service = this.#options.registry.core.service(key.id);
    return service === undefined ? undefined : probePlanOf(service, address);
  }

  #now(): Instant {
    return this.#options.registry.now().mono;
  }
}

function fieldsOf({ service, address }: ProbeTarget, { checker, port }: ProbePlan, outcome: ProbeOutcome) {
  return {
    namespace: service.namespace,
    service: service.grouped,
    ip: address.ip,
    port: address.port,
    cluster: address.cluster,
    checker: checker.type,
    probedPort: port,
    outcome: outcome.type,
    status: outcome.type === 'bad-status' ? outcome.status : undefined,
    detail: outcome.detail,
  };
}
