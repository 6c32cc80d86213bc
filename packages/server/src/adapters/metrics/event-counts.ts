// Counts what the core reports. Listens to every event, so it only adds to plain numbers.

import type { RegistryEvent } from '../../core/registry-event.js';
import type { RegistryEvents } from '../registry-events.js';
import { DurationBuckets } from './duration-buckets.js';

/** Counts since the start. What came back from before a restart is not in them: it is no event. */
export class EventCounts {
  /** Changes of services by type of event. */
  readonly services = new Map<string, number>();
  /** Changes of instances by cause, by type of event. */
  readonly instances = new Map<string, Map<string, number>>();
  /** Comings and goings of subscribers by transport, by type of event. */
  readonly subscriptions = new Map<string, Map<string, number>>();
  /** Times from a push to its acknowledgement, by transport. */
  readonly acknowledged = { udp: new DurationBuckets(), stream: new DurationBuckets() };

  constructor(events: RegistryEvents) {
    events.onEvent((event) => this.#take(event));
  }

  #take(event: RegistryEvent): void {
    if ('subscriber' in event) {
      if (event.type === 'push-acknowledged' && event.transport !== 'poll')
        this.acknowledged[event.transport].add(event.tookMs ?? 0);
      if (SUBSCRIPTION_EVENTS.has(event.type)) addTo(this.subscriptions, event.type, event.transport);
    } else if ('cause' in event && event.cause !== undefined) addTo(this.instances, event.type, event.cause);
    else if (SERVICE_EVENTS.has(event.type)) this.services.set(event.type, (this.services.get(event.type) ?? 0) + 1);
  }
}

const SERVICE_EVENTS: ReadonlySet<RegistryEvent['type']> = new Set([
  'service-appeared',
  'service-defined',
  'service-vanished',
]);

/** Pushes and refusals are counted elsewhere. */
const SUBSCRIPTION_EVENTS: ReadonlySet<RegistryEvent['type']> = new Set([
  'subscribed',
  'unsubscribed',
  'subscriber-expired',
]);

function addTo(counts: Map<string, Map<string, number>>, type: string, what: string): void {
  let ofType = counts.get(type);
  if (ofType === undefined) {
    ofType = new Map();
    counts.set(type, ofType);
  }
  ofType.set(what, (ofType.get(what) ?? 0) + 1);
}
