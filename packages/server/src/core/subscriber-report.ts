// Reports of what happens to subscribers and their pushes, for the ledger, metrics and logs.

import type { RegistryEvent } from './registry-event.js';
import type { RegistryState } from './registry-state.js';
import { type Subscriber, subscriberName } from './subscriber.js';

/** Kinds of events about one subscriber. */
type SubscriberEventType = Extract<RegistryEvent, { subscriber: string }>['type'];

/** What an event says beyond the subscriber. `refTime` is that of the last push when it is absent. */
interface SubscriberEventDetails {
  readonly reason?: string;
  readonly tookMs?: number;
  readonly refTime?: number;
}

/** Reports an event about a subscriber; nothing during a restore. */
export function reportSubscriber(
  state: RegistryState,
  type: SubscriberEventType,
  subscriber: Subscriber,
  details: SubscriberEventDetails = {},
): void {
  if (state.restoring) return;
  const { now, actor } = state;
  const { service, transport, ip, clusters, lastPushedRefTime } = subscriber;
  const { reason, tookMs, refTime = lastPushedRefTime } = details;
  const name = subscriberName(subscriber);
  const event = { type, at: now, actor, service, subscriber: name, transport, ip, clusters, refTime, reason, tookMs };
  state.emit({ type: 'event', event });
}
