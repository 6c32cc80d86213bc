// Who is told what: subscriptions of 1.x clients and of connections, merged pushes, acknowledgements, retries.
// Source: client-1x-and-udp.md section 8 (Nacos 1.4.8 PushService), grpc-2x.md section 8; deviations: decisions.md.

import type { ServiceKey } from '@rollcall/protocol';
import { after, type Instant } from '@rollcall/runtime/time';
import type { UdpSubscriberRecord } from './journal-entry.js';
import type { RegistryEvent } from './registry-event.js';
import type {
  AwaitSubscribersInput,
  PushAckInput,
  PushFailedInput,
  StreamAckInput,
  SubscribeResult,
  SubscribeStreamInput,
  SubscribeUdpInput,
} from './registry-input.js';
import type { RegistryState } from './registry-state.js';
import type { PushWindow, Service } from './service.js';
import { knows, type Subscriber } from './subscriber.js';
import { SubscriberWait } from './subscriber-wait.js';

/** How long each send waits for its acknowledgement; after the last one the push is given up until the next change. */
const ACK_WAITS_MS = {
  /** 1.4.8: one resend after 10 s, given up 10 s later. */
  udp: [10_000, 10_000],
  /** A connection loses nothing, so silence means a stuck client: try ever more rarely, then stop. */
  stream: [5_000, 10_000, 20_000, 40_000],
} as const;

/** Wait after an answer that says failure: the client lives but could not take it. */
const REFUSED_WAIT_MS = 1_000;

type SubscriberEventType = Extract<RegistryEvent, { subscriber: string }>['type'];

/** The subscriptions of all services. */
export class Subscriptions {
  readonly #state: RegistryState;
  /** Pushes that wait for an acknowledgement, by number. */
  readonly #outstanding = new Map<number, Subscriber>();
  readonly #waits = new Map<Service, Set<SubscriberWait>>();
  #lastNumber = 0;

  constructor(state: RegistryState) {
    this.#state = state;
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
      return { subscribed: false, reason: refused };
    }
    const subscriber = known ?? this.#addUdp(service, key, query);
    this.#queried(service, subscriber);
    subscriber.expiresAt = after(this.#state.now.mono, input.answerEmpty ? quietSubscriberMs : subscriberMs);
    this.#state.armNotLater(subscriber, subscriber.expiresAt);
    return { subscribed: true };
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
    if (subscriber.outstanding !== undefined) this.#outstanding.delete(subscriber.outstanding.number);
    subscriber.outstanding = undefined;
    if (subscriber.transport === 'udp')
      this.#state.journal({ type: 'unsubscribed', service: service.key, subscriberKey: subscriber.key });
    this.#report(how, subscriber);
    this.#tellWaits(service, subscriber);
    this.#state.settle(service);
  }

  /** At the end of each step: services that changed are pushed at once, or at the end of their merge window. */
  pushChanged(): void {
    const { changed, deadlines, now, settings } = this.#state;
    for (const service of changed) {
      const { pushWindow } = service;
      if (pushWindow.heapIndex >= 0) {
        pushWindow.changed = true;
        continue;
      }
      this.#pushAll(service);
      if (service.subscribers.size > 0) deadlines.arm(pushWindow, after(now.mono, settings.pushMergeMs));
    }
    changed.clear();
  }

  /** The merge window of a service ends. */
  onWindowEnd(window: PushWindow): void {
    if (!window.changed) return;
    window.changed = false;
    this.#state.changed.add(window.service);
  }

  /** A subscriber's deadline came: it is silent for too long, or its push is. */
  onDue(subscriber: Subscriber): void {
    const { mono } = this.#state.now;
    const service = this.#state.services.get(subscriber.service.id) as Service;
    if (subscriber.expiresAt !== undefined && subscriber.expiresAt <= mono) {
      this.remove(service, subscriber, 'subscriber-expired');
      return;
    }
    if (subscriber.outstanding !== undefined && subscriber.outstanding.dueAt <= mono) this.#retry(service, subscriber);
    this.#rearm(subscriber);
  }

  /** A datagram acknowledges a push. Unknown numbers and foreign addresses change nothing. */
  onUdpAck(input: PushAckInput): void {
    const subscriber = this.#outstanding.get(input.number);
    if (subscriber === undefined || subscriber.transport !== 'udp' || subscriber.port !== input.port) return;
    if (subscriber.ip !== input.ip && !input.fromThisHost) return;
    this.#acknowledge(subscriber);
  }

  /** A connection answers a push. */
  onStreamAck(input: StreamAckInput): void {
    const subscriber = this.#outstanding.get(input.number);
    if (subscriber === undefined || subscriber.connection !== input.connection) return;
    if (input.success) this.#acknowledge(subscriber);
    else this.#postpone(subscriber);
  }

  /** A push could not be sent. */
  onFailed(input: PushFailedInput): void {
    const subscriber = this.#outstanding.get(input.number);
    if (subscriber === undefined) return;
    subscriber.failed += 1;
    this.#report('push-failed', subscriber, input.reason);
    if (input.reason === 'too-large') this.#giveUp(subscriber);
  }

  /** Starts to wait until all subscribers know the present list. */
  await(input: AwaitSubscribersInput): void {
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
      this.finishWait(wait);
      return;
    }
    const waits = this.#waits.get(service) ?? new Set();
    this.#waits.set(service, waits.add(wait));
    this.#state.deadlines.arm(wait, after(this.#state.now.mono, input.waitMs));
  }

  /** A wait is over, complete or not. */
  finishWait(wait: SubscriberWait): void {
    const { service } = wait;
    const waits = this.#waits.get(service);
    waits?.delete(wait);
    if (waits?.size === 0) this.#waits.delete(service);
    this.#state.deadlines.disarm(wait);
    this.#state.emit({
      type: 'subscribers-awaited',
      id: wait.id,
      acknowledged: wait.acknowledged,
      pending: wait.pending.size,
      waitedMs: this.#state.now.mono - wait.startedAt,
    });
  }

  /** Pushes that wait for an acknowledgement now. */
  get outstandingCount(): number {
    return this.#outstanding.size;
  }

  #refusal(service: Service): 'service-full' | 'registry-full' | undefined {
    const { serviceSubscribers, subscribers } = this.#state.limits;
    if (service.subscribers.size >= serviceSubscribers) return 'service-full';
    if (this.#state.subscriberCount >= subscribers) return 'registry-full';
    return undefined;
  }

  #addUdp(service: Service, key: string, record: UdpSubscriberRecord): Subscriber {
    const { ip, port, clusters, agent, app } = record;
    const subscriber = this.#add(service, { transport: 'udp', key, connection: '', ip, port, clusters, agent, app });
    this.#state.journal({ type: 'subscribed', service: service.key, subscriber: { ip, port, clusters, agent, app } });
    return subscriber;
  }

  #add(
    service: Service,
    identity: Pick<Subscriber, 'transport' | 'key' | 'connection' | 'ip' | 'port' | 'clusters' | 'agent' | 'app'>,
  ): Subscriber {
    const subscriber: Subscriber = {
      ...identity,
      purpose: 'subscriber',
      service: service.key,
      dueAt: 0 as Instant,
      heapIndex: -1,
      outstanding: undefined,
      waiting: false,
      expiresAt: undefined,
      lastPushedRefTime: 0,
      lastAcknowledgedRefTime: 0,
      lastQueriedRefTime: 0,
      lastPushedAt: 0,
      lastAcknowledgedAt: 0,
      lastQueriedAt: this.#state.now.wall,
      pushed: 0,
      resent: 0,
      givenUp: 0,
      failed: 0,
    };
    service.subscribers.set(subscriber.key, subscriber);
    this.#state.subscriberCount += 1;
    this.#state.settle(service);
    this.#report('subscribed', subscriber);
    return subscriber;
  }

  #pushAll(service: Service): void {
    if (!this.#state.switches.pushEnabled) return;
    for (const subscriber of service.subscribers.values()) {
      if (subscriber.outstanding === undefined) this.#send(service, subscriber, 1);
      else subscriber.waiting = true;
    }
  }

  #send(service: Service, subscriber: Subscriber, attempts: number): void {
    const view = service.view();
    const number =
      attempts > 1 && !subscriber.waiting && subscriber.outstanding !== undefined
        ? subscriber.outstanding.number
        : this.#nextNumber();
    if (subscriber.outstanding !== undefined) this.#outstanding.delete(subscriber.outstanding.number);
    const waits = ACK_WAITS_MS[subscriber.transport];
    const dueAt = after(this.#state.now.mono, waits[attempts - 1] as number);
    subscriber.outstanding = { number, view, attempts, dueAt };
    subscriber.waiting = false;
    subscriber.lastPushedRefTime = view.refTime;
    subscriber.lastPushedAt = this.#state.now.wall;
    if (attempts === 1) subscriber.pushed += 1;
    else subscriber.resent += 1;
    this.#outstanding.set(number, subscriber);
    this.#state.armNotLater(subscriber, dueAt);
    this.#report(attempts === 1 ? 'push-sent' : 'push-resent', subscriber);
    this.#state.emit({ type: 'push', subscriber, view, number });
  }

  #retry(service: Service, subscriber: Subscriber): void {
    const { attempts } = subscriber.outstanding as { attempts: number };
    if (attempts < ACK_WAITS_MS[subscriber.transport].length) this.#send(service, subscriber, attempts + 1);
    else this.#giveUp(subscriber);
  }

  /** Nothing more is sent until the next change; a change that came meanwhile is that change. */
  #giveUp(subscriber: Subscriber): void {
    subscriber.givenUp += 1;
    this.#report('push-given-up', subscriber);
    this.#settlePush(subscriber);
  }

  #acknowledge(subscriber: Subscriber): void {
    const { view } = subscriber.outstanding as { view: { refTime: number } };
    subscriber.lastAcknowledgedRefTime = view.refTime;
    subscriber.lastAcknowledgedAt = this.#state.now.wall;
    this.#report('push-acknowledged', subscriber);
    this.#settlePush(subscriber);
    this.#tellWaits(this.#state.services.get(subscriber.service.id) as Service, subscriber);
  }

  #settlePush(subscriber: Subscriber): void {
    if (subscriber.outstanding === undefined) return;
    this.#outstanding.delete(subscriber.outstanding.number);
    subscriber.outstanding = undefined;
    const service = this.#state.services.get(subscriber.service.id) as Service;
    if (subscriber.waiting) this.#send(service, subscriber, 1);
  }

  #postpone(subscriber: Subscriber): void {
    const { outstanding } = subscriber;
    if (outstanding === undefined) return;
    const dueAt = after(this.#state.now.mono, REFUSED_WAIT_MS * 2 ** (outstanding.attempts - 1));
    subscriber.outstanding = { ...outstanding, dueAt };
    this.#state.armNotLater(subscriber, dueAt);
  }

  #rearm(subscriber: Subscriber): void {
    const { outstanding, expiresAt } = subscriber;
    if (outstanding !== undefined) this.#state.armNotLater(subscriber, outstanding.dueAt);
    if (expiresAt !== undefined) this.#state.armNotLater(subscriber, expiresAt);
  }

  /** The answer to a subscriber's query tells it the present list. */
  #queried(service: Service, subscriber: Subscriber): void {
    subscriber.lastQueriedAt = this.#state.now.wall;
    subscriber.lastQueriedRefTime = service.refTime;
    this.#tellWaits(service, subscriber);
  }

  /** A subscriber learned a version, or is gone: whoever waits for it may be done. */
  #tellWaits(service: Service, subscriber: Subscriber): void {
    for (const wait of this.#waits.get(service) ?? []) {
      const gone = !service.subscribers.has(subscriber.key);
      if (!gone && !knows(subscriber, wait.refTime)) continue;
      if (wait.pending.delete(subscriber) && !gone) wait.acknowledged += 1;
      if (wait.pending.size === 0) this.finishWait(wait);
    }
  }

  /** Above every number of an earlier run, also when the wall clock was set back since; far below 2^53. */
  #nextNumber(): number {
    const { now, highestRestoredRefTime } = this.#state;
    if (this.#lastNumber === 0) this.#lastNumber = Math.max(now.wall, highestRestoredRefTime + 60_000) * 1000;
    this.#lastNumber += 1;
    return this.#lastNumber;
  }

  #report(type: SubscriberEventType, subscriber: Subscriber, reason?: string): void {
    if (this.#state.restoring) return;
    const { now, actor } = this.#state;
    this.#state.emit({
      type: 'event',
      event: {
        type,
        at: now,
        actor,
        service: subscriber.service,
        subscriber: subscriber.transport === 'udp' ? `${subscriber.ip}:${subscriber.port}` : subscriber.connection,
        refTime: subscriber.lastPushedRefTime,
        ...(reason !== undefined && { reason }),
      },
    });
  }
}

/** Key of a 1.x subscriber inside a service: the same client with other clusters or agent is another one (1.4.8). */
function udpKey({ ip, port, clusters, agent }: UdpSubscriberRecord): string {
  return `${ip}:${port}|${clusters}|${agent}`;
}
