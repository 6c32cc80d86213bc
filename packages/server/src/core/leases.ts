// The time of leases: when a claim's deadline is, and what follows when it comes. The table makes the changes.

import { after, type Instant } from '@rollcall/runtime/time';
import type { Registration } from './instance-record.js';
import { MissedBeatReports } from './missed-beat-reports.js';
import { HTTP_PUBLISHER } from './publisher.js';
import type { InstanceCause } from './registry-event.js';
import type { RegistryState } from './registry-state.js';
import type { Service } from './service.js';

/** Intervals without a beat after which the next one counts as late: a client waits one, and an answer takes its time. */
const LATE_INTERVALS = 1.5;
/** Shorter silences are no news, whatever interval a client asks for. */
const LATE_MS_MIN = 1000;
/** Time after which a lease that was given a reprieve is looked at again. */
const REPRIEVE_MS = 200;

/** Makes the changes that follow from time. */
export interface LeaseChanges {
  /** Sets the health of a claim. */
  setHealth(service: Service, registration: Registration, healthy: boolean, cause: InstanceCause): void;
  /** Ends a claim. */
  remove(service: Service, registration: Registration, cause: InstanceCause): void;
}

/** Deadlines of claims. */
export class Leases {
  readonly #state: RegistryState;
  readonly #changes: LeaseChanges;
  readonly #missedReports = new MissedBeatReports();

  constructor(state: RegistryState, changes: LeaseChanges) {
    this.#state = state;
    this.#changes = changes;
  }

  /** Writes a sign of life. @param ageMs - how long ago it was, default now */
  renew(registration: Registration, ageMs = 0): void {
    const { now } = this.#state;
    registration.lastBeat = ageMs === 0 ? now.mono : after(now.mono, -ageMs);
    registration.lastBeatWall = now.wall - ageMs;
  }

  /** Arms the deadline that follows from the claim: only leases of HTTP clients that are held here have one. */
  arm(registration: Registration): void {
    if (registration.orphaned || registration.heldBy !== undefined) return;
    if (registration.publisher !== HTTP_PUBLISHER || !this.#state.switches.healthCheckEnabled) return;
    this.#state.armNotLater(registration, this.#endOf(registration));
  }

  /** Arms every lease of a service, after expiry was switched off. */
  armAll(service: Service): void {
    for (const record of service.ephemeral.values())
      for (const registration of record.registrations) this.arm(registration);
  }

  /** The connection behind a claim is gone, its client is not: the claim stays until somebody claims anew or the grace ends. */
  orphan(registration: Registration): void {
    registration.orphaned = true;
    this.#state.deadlines.arm(registration, after(this.#state.now.mono, this.#state.settings.connectionGraceMs));
  }

  /** The claim is not held here any more. */
  disarm(registration: Registration): void {
    this.#state.deadlines.disarm(registration);
  }

  /** The claim's deadline came: its lease may have been renewed since it was armed. */
  onDue(registration: Registration): void {
    const { now, services, switches } = this.#state;
    const service = services.get(registration.record.service.id) as Service;
    if (registration.orphaned) this.#changes.remove(service, registration, 'grace-ended');
    else if (!switches.healthCheckEnabled) return;
    else if (this.#isOver(registration) && this.#state.observer?.hasReprieve(service, registration))
      this.#state.deadlines.arm(registration, after(now.mono, REPRIEVE_MS));
    else this.#judge(service, registration);
  }

  #isOver({ healthy, lastBeat, leaseTimes }: Registration): boolean {
    const silentMs = this.#state.now.mono - lastBeat;
    return silentMs >= leaseTimes.deleteTimeoutMs || (healthy && silentMs >= leaseTimes.beatTimeoutMs);
  }

  #judge(service: Service, registration: Registration): void {
    const { healthy, lastBeat, leaseTimes } = registration;
    const silentMs = this.#state.now.mono - lastBeat;
    if (silentMs >= leaseTimes.deleteTimeoutMs) this.#changes.remove(service, registration, 'delete-timeout');
    else if (healthy && silentMs >= leaseTimes.beatTimeoutMs)
      this.#changes.setHealth(service, registration, false, 'beat-timeout');
    else if (healthy && silentMs >= this.#lateMs(registration)) this.#reportLate(service, registration);
    else this.arm(registration);
  }

  #reportLate(service: Service, registration: Registration): void {
    this.#state.armNotLater(registration, after(registration.lastBeat, timeoutMs(registration)));
    const report = this.#missedReports.take(this.#state.now.mono);
    if (report === 'many') this.#state.reportManyLate();
    if (report !== 'one') return;
    registration.beatMissed = true;
    this.#state.reportBeats('beat-missed', service, registration);
  }

  /** Silence after which the next beat counts as late; infinite when that is known already, or not wanted. */
  #lateMs({ beatMissed, leaseTimes }: Registration): number {
    const { settings, switches } = this.#state;
    if (beatMissed || settings.lateBeats === 'ignored') return Number.POSITIVE_INFINITY;
    return Math.max(LATE_MS_MIN, (leaseTimes.beatIntervalMs ?? switches.clientBeatInterval) * LATE_INTERVALS);
  }

  #endOf(registration: Registration): Instant {
    const endMs = timeoutMs(registration);
    return after(registration.lastBeat, registration.healthy ? Math.min(endMs, this.#lateMs(registration)) : endMs);
  }
}

/** Silence after which the lease ends, or its instance is unhealthy. */
function timeoutMs({ healthy, leaseTimes }: Registration): number {
  const { beatTimeoutMs, deleteTimeoutMs } = leaseTimes;
  return healthy ? Math.min(beatTimeoutMs, deleteTimeoutMs) : deleteTimeoutMs;
}
