// Who is told of which service: subscriptions of 1.x clients, until they no longer ask, and of connections. What they are
// sent is in pushes.ts.
// Source: client-1x-and-udp.md section 8 (Nacos 1.4.8 PushService), grpc-2x.md section 8; deviations: decisions.md.

import type { ServiceKey } from '@rollcall/protocol';
import { after } from '@rollcall/runtime/time';
import type { UdpSubscriberRecord } from './journal-entry.js';
import { Pushes } from './pushes.js';
import type {
  ListPolledInput,
  PushRefusal,
  RefuseSubscriberInput,
  SubscribeResult,
  SubscribeStreamInput,
  SubscribeUdpInput,
} from './registry-input.js';
import type { RegistryState } from './registry-state.js';
import type { Service } from './service.js';
import { knows, Subscriber, type SubscriberIdentity } from './subscriber.js';
import { reportSubscriber } from './subscriber-report.js';
import { SubscriberWaits } from './subscriber-waits.js';

/** What 1.x subscribers have in common with others. */
type UdpTexts = readonly [ip: string, clusters: string, agent: string, app: string];

/** The subscriptions of all services. */
export class Subscriptions {
  /** Who waits for subscribers. */
  readonly waits: SubscriberWaits;
  /** What the subscribers are sent. */
  readonly pushes: Pushes;
  readonly #state: RegistryState;
  #lastTexts: UdpTexts = ['', '', '', ''];

  constructor(state: RegistryState) {
    this.#state = state;
    this.waits = new SubscriberWaits(state);
    this.pushes = new Pushes(state, this.waits);
  }

  /** A 1.x query asks for pushes, or asks again. */
  subscribeUdp(input: SubscribeUdpInput): SubscribeResult {
    const { query } = input;
    const { subscriberMs, quietSubscriberMs } = this.#state.settings;
    if (!this.#state.switches.pushEnabled) return { subscribed: false, reason: 'push-disabled' };
    const service = this.#state.serviceFor(input.service);
    const key = udpKey(query);
    const known = service.subscribers.get(key);
    const refused = known === undefined ? this.#refusal(service) : undefined;
    if (refused !== undefined) {
      this.#state.settle(service);
      this.refuse({ service: service.key, subscriber: udpName(query), reason: refused });
      return { subscribed: false, reason: refused };
    }
    const subscriber = known ?? this.#addUdp(service, key, query);
    this.#queried(service, subscriber);
    subscriber.expiresAt = after(this.#state.now.mono, input.answerEmpty ? quietSubscriberMs : subscriberMs);
    this.#state.armNotLater(subscriber, subscriber.expiresAt);
    return { subscribed: true };
  }

  /** Somebody who asked for pushes does not get them: only reported. */
  refuse({ service, subscriber, reason }: Pick<RefuseSubscriberInput, 'service' | 'subscriber' | 'reason'>): void {
    const { now, actor, services } = this.#state;
    const event = {
      type: 'subscriber-refused',
      at: now,
      actor,
      service,
      subscriber,
      transport: 'udp',
      ip: actor.address ?? subscriber,
      clusters: '',
      refTime: services.get(service.id)?.refTime ?? 0,
      reason,
    } as const;
    this.#state.emit({ type: 'event', event });
  }

  /** A client that only polls got a list that it had not seen: only reported. */
  polled({ service, clusters }: ListPolledInput): void {
    const { now, actor, services } = this.#state;
    const ip = actor.address ?? '';
    const refTime = services.get(service.id)?.refTime ?? 0;
    const reader = { subscriber: ip, transport: 'poll', ip, clusters, refTime } as const;
    this.#state.emit({ type: 'event', event: { type: 'list-polled', at: now, actor, service, ...reader } });
  }

  /** A 1.x subscriber from before a restart: kept long enough for its slowest poll. */
  restoreUdp(key: ServiceKey, record: UdpSubscriberRecord): void {
    const service = this.#state.serviceFor(key);
    const subscriberKey = udpKey(record);
    const subscriber = service.subscribers.get(subscriberKey) ?? this.#addUdp(service, subscriberKey, record);
    subscriber.expiresAt = after(this.#state.now.mono, this.#state.settings.quietSubscriberMs);
    this.#state.armNotLater(subscriber, subscriber.expiresAt);
  }

  /** A connection subscribes, or changes its clusters; it is up to date with the answer it gets. */
  subscribeStream(input: SubscribeStreamInput): SubscribeResult {
    const service = this.#state.serviceFor(input.service);
    const known = service.subscribers.get(input.connection);
    if (known !== undefined && known.clusters !== input.clusters) this.remove(service, known, 'unsubscribed');
    const refused = service.subscribers.has(input.connection) ? undefined : this.#refusal(service);
    if (refused !== undefined) {
      this.#state.settle(service);
      return { subscribed: false, reason: refused };
    }
    const subscriber =
      service.subscribers.get(input.connection) ??
      this.#add(service, {
        transport: 'stream',
        key: input.connection,
        connection: input.connection,
        ip: input.ip,
        port: 0,
        clusters: input.clusters,
        agent: input.agent,
        app: input.app,
      });
    this.#queried(service, subscriber);
    return { subscribed: true };
  }

  /** Ends a subscription. */
  remove(service: Service, subscriber: Subscriber, how: 'unsubscribed' | 'subscriber-expired'): void {
    service.subscribers.delete(subscriber.key);
    this.#state.subscriberCount -= 1;
    this.#state.deadlines.disarm(subscriber);
    this.pushes.forget(subscriber);
    if (subscriber.transport === 'udp')
      this.#state.journal({ type: 'unsubscribed', service: service.key, subscriberKey: subscriber.key });
    reportSubscriber(this.#state, how, subscriber);
    this.waits.tell(service, subscriber);
    this.#state.settle(service);
  }

  /** A subscriber's deadline came: it is silent for too long, or its push is overdue. */
  onDue(subscriber: Subscriber): void {
    const { mono } = this.#state.now;
    const service = this.#state.services.get(subscriber.service.id) as Service;
    if (subscriber.expiresAt !== undefined && subscriber.expiresAt <= mono)
      this.remove(service, subscriber, 'subscriber-expired');
    else if (!this.pushes.noteOverdue(subscriber)) this.pushes.arm(subscriber);
  }

  #refusal(service: Service): Extract<PushRefusal, 'service-full' | 'registry-full'> | undefined {
    const { serviceSubscribers, subscribers } = this.#state.limits;
    if (service.subscribers.size >= serviceSubscribers) return 'service-full';
    if (this.#state.subscriberCount >= subscribers) return 'registry-full';
    return undefined;
  }

  #addUdp(service: Service, key: string, record: UdpSubscriberRecord): Subscriber {
    const { port } = record;
    const [ip, clusters, agent, app] = this.#shared([record.ip, record.clusters, record.agent, record.app]);
    const subscriber = this.#add(service, { transport: 'udp', key, connection: '', ip, port, clusters, agent, app });
    this.#state.journal({ type: 'subscribed', service: service.key, subscriber: { ip, port, clusters, agent, app } });
    return subscriber;
  }

  /** The same texts as objects that the subscriber before has, where they are equal: mostly they are. */
  #shared(texts: UdpTexts): UdpTexts {
    const last = this.#lastTexts;
    this.#lastTexts = texts.map((text, index) => (text === last[index] ? last[index] : text)) as unknown as UdpTexts;
    return this.#lastTexts;
  }

  #add(service: Service, identity: Omit<SubscriberIdentity, 'service'>): Subscriber {
    const subscriber = new Subscriber({ service: service.key, ...identity }, this.#state.now.wall);
    service.subscribers.set(subscriber.key, subscriber);
    this.#state.subscriberCount += 1;
    this.#state.settle(service);
    reportSubscriber(this.#state, 'subscribed', subscriber);
    return subscriber;
  }

  /** The answer to a subscriber's query tells it the present list. */
  #queried(service: Service, subscriber: Subscriber): void {
    if (!knows(subscriber, service.refTime))
      reportSubscriber(this.#state, 'list-polled', subscriber, { refTime: service.refTime });
    subscriber.lastQueriedAt = this.#state.now.wall;
    subscriber.lastQueriedRefTime = service.refTime;
    this.waits.tell(service, subscriber);
  }
}

/** Key of a 1.x subscriber inside a service: the same client with other clusters or agent is another one (1.4.8). */
function udpKey({ ip, port, clusters, agent }: UdpSubscriberRecord): string {
  // Joined: what a template puts together keeps its pieces, which is twice as much memory for as long as the subscriber lives.
  return [ip, ':', port, '|', clusters, '|', agent].join('');
}

/** Printable name of a 1.x subscriber. */
function udpName({ ip, port }: Pick<UdpSubscriberRecord, 'ip' | 'port'>): string {
  return `${ip}:${port}`;
}
