// Everybody who waits until all subscribers of a service know its present list.

import { after } from '@rollcall/runtime/time';
import type { AwaitSubscribersInput } from './registry-input.js';
import type { RegistryState } from './registry-state.js';
import type { Service } from './service.js';
import { knows, type Subscriber, subscriberName } from './subscriber.js';
import { SubscriberWait } from './subscriber-wait.js';

/** Names of subscribers that an event about a wait holds at most. */
const PENDING_NAMES_MAX = 20;

/** The waits of all services. */
export class SubscriberWaits {
  readonly #state: RegistryState;
  readonly #waits = new Map<Service, Set<SubscriberWait>>();

  constructor(state: RegistryState) {
    this.#state = state;
  }

  /** Starts to wait until all subscribers know the present list. */
  begin(input: AwaitSubscribersInput): void {
    const service = this.#state.services.get(input.service.id);
    if (service === undefined) {
      this.#state.emit({ type: 'subscribers-awaited', id: input.id, acknowledged: 0, pending: 0, waitedMs: 0 });
      return;
    }
    const { refTime, subscribers } = service;
    const pending = new Set([...subscribers.values()].filter((subscriber) => !knows(subscriber, refTime)));
    const wait = new SubscriberWait({
      id: input.id,
      service,
      refTime,
      startedAt: this.#state.now.mono,
      pending,
      acknowledged: subscribers.size - pending.size,
    });
    if (pending.size === 0) {
      this.finish(wait);
      return;
    }
    const waits = this.#waits.get(service) ?? new Set();
    this.#waits.set(service, waits.add(wait));
    this.#state.deadlines.arm(wait, after(this.#state.now.mono, input.waitMs));
  }

  /** A wait is over, complete or not. */
  finish(wait: SubscriberWait): void {
    const { service } = wait;
    const waits = this.#waits.get(service);
    waits?.delete(wait);
    if (waits?.size === 0) this.#waits.delete(service);
    this.#state.deadlines.disarm(wait);
    this.#report(wait);
    this.#state.emit({
      type: 'subscribers-awaited',
      id: wait.id,
      acknowledged: wait.acknowledged,
      pending: wait.pending.size,
      waitedMs: this.#state.now.mono - wait.startedAt,
    });
  }

  /** A subscriber learned a version, or is gone: whoever waits for it may be done. */
  tell(service: Service, subscriber: Subscriber): void {
    for (const wait of this.#waits.get(service) ?? []) {
      const gone = !service.subscribers.has(subscriber.key);
      if (!gone && !knows(subscriber, wait.refTime)) continue;
      if (wait.pending.delete(subscriber) && !gone) wait.acknowledged += 1;
      if (wait.pending.size === 0) this.finish(wait);
    }
  }

  #report({ service, refTime, startedAt, acknowledged, pending }: SubscriberWait): void {
    const { now, actor } = this.#state;
    const names = [...pending].slice(0, PENDING_NAMES_MAX).map(subscriberName);
    const waitedMs = now.mono - startedAt;
    const result = { refTime, waitedMs, acknowledged, pending: names };
    const event = { type: 'subscribers-awaited', at: now, actor, service: service.key, ...result } as const;
    this.#state.emit({ type: 'event', event });
  }
}
