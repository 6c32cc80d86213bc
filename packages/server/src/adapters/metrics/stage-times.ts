// Durations of the stages between a dead instance and subscribers that know, for alerts: how late beats are, how long changes
// wait for their push, and how long it all takes. From the events of the core; the ledger tells of single incidents.

import type { Instant } from '@rollcall/runtime';
import type { RegistryEvent } from '../../core/registry-event.js';
import type { RegistryEvents } from '../registry-events.js';
import { DurationBuckets } from './duration-buckets.js';

/** Upper bounds, seconds: the default timeouts are 15 s and 30 s. */
const BOUNDS_SECONDS = [0.01, 0.05, 0.1, 0.5, 1, 2, 5, 7.5, 10, 15, 15.1, 16, 20, 25, 30, 45, 60, 120];
/** Deaths of one service that are followed at a time; of more, the oldest is left out. */
const DEATHS_MAX = 16;
/** A subscriber that has not been told by then is not waited for: it is beyond the last bound. */
const FOLLOWED_MS = 120_000;
/** Notes of who was told, of all services together; beyond them all are forgotten, and open deaths with them. */
const NOTES_MAX = 100_000;

/** An instance that turned unhealthy, and who has been told since. */
interface Death {
  readonly addressKey: string;
  readonly refTime: number;
  readonly at: Instant;
  readonly silentMs: number;
  readonly pushed: Set<string>;
  readonly told: Set<string>;
}

type SubscriberEvent = Extract<RegistryEvent, { subscriber: string }>;
type InstanceEvent = Extract<RegistryEvent, { cause: string }>;

/** Durations since the start. */
export class StageTimes {
  /** Time without a beat, of beats that came late and of those that never came. */
  readonly silences = new DurationBuckets(BOUNDS_SECONDS);
  /** From an instance turning unhealthy to the first push per subscriber that tells of it. */
  readonly unhealthyToPushed = new DurationBuckets();
  /** From the last sign of life of an instance to each subscriber knowing: acknowledgement or poll of that list or a newer. */
  readonly signToKnown = new DurationBuckets(BOUNDS_SECONDS);
  readonly #deaths = new Map<string, Death[]>();
  #notes = 0;

  /** Starts to count. */
  constructor(events: RegistryEvents) {
    events.onEvent((event) => this.#take(event));
  }

  #take(event: RegistryEvent): void {
    if (event.type === 'beats-resumed') this.silences.add(event.at.mono - event.lastBeat);
    else if (event.type === 'instance-unhealthy' && event.cause === 'beat-timeout') this.#remember(event);
    else if (event.type === 'instance-healthy' || event.type === 'instance-registered') this.#revive(event);
    else if ('subscriber' in event && event.transport !== 'poll') this.#follow(event);
  }

  #follow({ type, service, subscriber, refTime, at: { mono } }: SubscriberEvent): void {
    const deaths = this.#deaths.get(service.id);
    if (deaths === undefined) return;
    while (deaths[0] !== undefined && mono - deaths[0].at > FOLLOWED_MS) this.#forget(deaths.shift() as Death);
    if (deaths.length === 0) this.#deaths.delete(service.id);
    for (const death of deaths) {
      // Whoever comes later knows from the start.
      if (type === 'subscribed') this.#note(death.told, subscriber);
      if (refTime < death.refTime || death.told.has(subscriber)) continue;
      if (type === 'push-sent' && this.#note(death.pushed, subscriber)) this.unhealthyToPushed.add(mono - death.at);
      if (type !== 'push-acknowledged' && type !== 'list-polled') continue;
      if (this.#note(death.told, subscriber)) this.signToKnown.add(death.silentMs + mono - death.at);
    }
  }

  #remember({ service, address, refTime, at: { mono }, lastBeat }: InstanceEvent): void {
    const silentMs = mono - lastBeat;
    this.silences.add(silentMs);
    this.#makeRoom();
    const deaths = this.#deaths.get(service.id) ?? [];
    this.#deaths.set(service.id, deaths);
    if (deaths.length >= DEATHS_MAX) this.#forget(deaths.shift() as Death);
    const { key: addressKey } = address;
    deaths.push({ addressKey, refTime, at: mono, silentMs, pushed: new Set(), told: new Set() });
    this.#notes += 1;
  }

  /** Well again: a list that is told from now on does not tell of the death. */
  #revive({ service, address }: InstanceEvent): void {
    const deaths = this.#deaths.get(service.id);
    const index = deaths?.findIndex(({ addressKey }) => addressKey === address.key) ?? -1;
    if (deaths === undefined || index < 0) return;
    this.#forget(deaths.splice(index, 1)[0] as Death);
    if (deaths.length === 0) this.#deaths.delete(service.id);
  }

  /** @returns whether it is new */
  #note(names: Set<string>, subscriber: string): boolean {
    if (names.has(subscriber)) return false;
    names.add(subscriber);
    this.#notes += 1;
    return true;
  }

  #forget({ pushed, told }: Death): void {
    this.#notes -= pushed.size + told.size + 1;
  }

  #makeRoom(): void {
    if (this.#notes < NOTES_MAX) return;
    this.#deaths.clear();
    this.#notes = 0;
  }
}
