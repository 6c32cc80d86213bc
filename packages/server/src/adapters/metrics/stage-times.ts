// Durations of the stages between a dead instance and subscribers that know, for alerts: how late beats are, how long changes
// wait for their push, and how long it all takes. From the events of the core; the ledger tells of single incidents.

import type { Instant } from '@rollcall/runtime';
import type { RegistryEvent } from '../../core/registry-event.js';
import type { RegistryEvents } from '../registry-events.js';
import { DurationBuckets } from './duration-buckets.js';

/** Upper bounds, seconds: the default timeouts are 15 s and 30 s. */
const BOUNDS_SECONDS = [0.01, 0.05, 0.1, 0.5, 1, 2, 5, 7.5, 10, 15, 15.1, 16, 20, 25, 30, 45, 60, 120];
/** Services whose last change to unhealthy is remembered; beyond it all are forgotten. */
const REMEMBERED_MAX = 10_000;

/** The last time that an instance of a service turned unhealthy. */
interface LastDown {
  readonly refTime: number;
  readonly at: Instant;
  readonly silentMs: number;
}

/** Durations since the start. */
export class StageTimes {
  /** Time without a beat, of beats that came late and of those that never came. */
  readonly silences = new DurationBuckets(BOUNDS_SECONDS);
  /** From an instance turning unhealthy to each push that tells of it. */
  readonly unhealthyToPushed = new DurationBuckets();
  /** From the last sign of life of an instance to each acknowledgement of it being unhealthy. */
  readonly signToKnown = new DurationBuckets(BOUNDS_SECONDS);
  readonly #downs = new Map<string, LastDown>();

  /** Starts to count. */
  constructor(events: RegistryEvents) {
    events.onEvent((event) => this.#take(event));
  }

  #take(event: RegistryEvent): void {
    if (event.type === 'beats-resumed') this.silences.add(event.at.mono - event.lastBeat);
    else if (event.type === 'instance-unhealthy' && event.cause === 'beat-timeout') this.#remember(event);
    else if (event.type === 'push-sent' || event.type === 'push-acknowledged') this.#takePush(event);
  }

  #takePush({ type, service, refTime, at: { mono } }: Extract<RegistryEvent, { subscriber: string }>): void {
    const down = this.#downs.get(service.id);
    if (down?.refTime !== refTime) return;
    if (type === 'push-sent') this.unhealthyToPushed.add(mono - down.at);
    else this.signToKnown.add(down.silentMs + mono - down.at);
  }

  #remember({ service, refTime, at: { mono }, lastBeat }: Extract<RegistryEvent, { cause: string }>): void {
    this.silences.add(mono - lastBeat);
    if (this.#downs.size >= REMEMBERED_MAX) this.#downs.clear();
    this.#downs.set(service.id, { refTime, at: mono, silentMs: mono - lastBeat });
  }
}
