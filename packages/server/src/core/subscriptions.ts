// Who is told what: subscriptions of 1.x clients and of connections, merged pushes, acknowledgements, retries.
// Source: client-1x-and-udp.md section 8 (Nacos 1.4.8 PushService), grpc-2x.md section 8; deviations: decisions.md.

import type { ServiceKey } from '@rollcall/protocol';
import { after } from '@rollcall/runtime/time';
import type { UdpSubscriberRecord } from './journal-entry.js';
import { OutstandingPushes } from './outstanding-pushes.js';
import type { RegistryEvent } from './registry-event.js';
import type {
  ListPolledInput,
  PushAckInput,
  PushFailedInput,
  PushRefusal,
  RefuseSubscriberInput,
  StreamAckInput,
  SubscribeResult,
  SubscribeStreamInput,
  SubscribeUdpInput,
} from './registry-input.js';
import type { RegistryState } from './registry-state.js';
import type { PushWindow, Service } from './service.js';
import { knows, type OutstandingPush, Subscriber, type SubscriberIdentity, subscriberName } from './subscriber.js';
import { SubscriberWaits } from './subscriber-waits.js';

/** How long each send waits for its acknowledgement; after the last one the push is given up until the next change. */
const ACK_WAITS_MS = {
  /** 1.4.8: one resend after 10 s, given up 10 s later. */
  udp: [10_000, 10_000],
  /** A connection loses nothing, so silence means a stuck client: try ever more rarely, then stop. */
  stream: [5_000, 10_000, 20_000, 40_000],
} as const;

/** Wait after an answer that says failure: the client lives but could not take it. */
const REFUSED_WAIT_MS = 1_000;

/** Numbers of pushes journalled ahead: one entry for so many, and no number of a run that was killed is given again. */
const NUMBERS_RESERVED = 1_000_000;

type SubscriberEventType = Extract<RegistryEvent, { subscriber: string }>['type'];

/** What 1.x subscribers have in common with others. */
type UdpTexts = readonly [ip: string, clusters: string, agent: string, app: string];

/** The subscriptions of all services. */
export class Subscriptions {
  /** Who waits for subscribers. */
  readonly waits: SubscriberWaits;
  readonly #state: RegistryState;
  readonly #outstanding = new OutstandingPushes();
  /** Subscribers whose push is to be sent again, or given up, at the end of this step. */
  readonly #overdue = new Set<Subscriber>();
  #lastNumber = 0;
  #reservedNumbers = 0;
  #lastTexts: UdpTexts = ['', '', '', ''];

  constructor(state: RegistryState) {
    this.#state = state;
    this.waits = new SubscriberWaits(state);
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
    if (subscriber.outstanding !== undefined) this.#outstanding.remove(subscriber.outstanding.number, subscriber);
    subscriber.outstanding = undefined;
    if (subscriber.transport === 'udp')
      this.#state.journal({ type: 'unsubscribed', service: service.key, subscriberKey: subscriber.key });
    this.#report(how, subscriber);
    this.waits.tell(service, subscriber);
    this.#state.settle(service);
  }

  /** At the end of each step: services that changed are pushed at once, or at the end of their merge window. */
  pushChanged(): void {
    const { changed } = this.#state;
    // Nearly always nothing; emptying a set makes a new table.
    if (changed.size > 0) this.#pushAllChanged(changed);
    if (this.#overdue.size === 0) return;
    for (const subscriber of this.#overdue) this.#retryOverdue(subscriber);
    this.#overdue.clear();
  }

  #pushAllChanged(changed: Set<Service>): void {
    const { deadlines, now, settings } = this.#state;
    for (const service of changed) {
      const { pushWindow } = service;
      if (pushWindow.heapIndex >= 0) {
        this.#merge(pushWindow);
        continue;
      }
      this.#pushAll(service);
      if (service.subscribers.size > 0) deadlines.arm(pushWindow, after(now.mono, settings.pushMergeMs));
    }
    changed.clear();
  }

  /** The change is pushed at the end of the window that the last push opened. */
  #merge(window: PushWindow): void {
    if (window.changed) return;
    window.changed = true;
    const { now, actor, restoring } = this.#state;
    const { key: service, refTime, subscribers } = window.service;
    if (restoring || subscribers.size === 0) return;
    const waitMs = window.dueAt - now.mono;
    this.#state.emit({ type: 'event', event: { type: 'pushes-merged', at: now, actor, service, refTime, waitMs } });
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
    // What else is due at this moment may change the list, so what is sent again is sent when all of that has happened.
    if (subscriber.outstanding !== undefined && subscriber.outstanding.dueAt <= mono) {
      this.#overdue.add(subscriber);
      return;
    }
    this.#rearm(subscriber);
  }

  /** A datagram acknowledges a push. Unknown numbers and foreign addresses change nothing. */
  onUdpAck({ number, ips, port }: PushAckInput): void {
    const subscriber = this.#outstanding.findUdp(number, ips, port);
    if (subscriber !== undefined) this.#acknowledge(subscriber);
  }

  /** A connection answers a push. */
  onStreamAck({ number, connection, success }: StreamAckInput): void {
    const subscriber = this.#outstanding.findStream(number, connection);
    if (subscriber === undefined) return;
    if (success) this.#acknowledge(subscriber);
    else this.#postpone(subscriber);
  }

  /** A push could not be sent. */
  onFailed({ number, ip, port, reason }: PushFailedInput): void {
    const subscriber = this.#outstanding.findUdp(number, [ip], port);
    if (subscriber === undefined) return;
    subscriber.failed += 1;
    this.#report('push-failed', subscriber, { reason });
    if (reason === 'too-large') this.#giveUp(subscriber);
  }

  /** Numbers of pushes up to this one may have been used. */
  get reservedNumbers(): number {
    return this.#reservedNumbers;
  }

  /** An earlier run may have used the numbers up to this one. */
  restoreNumbers(upTo: number): void {
    this.#reservedNumbers = Math.max(this.#reservedNumbers, upTo);
  }

  /** Pushes that wait for an acknowledgement now. */
  get outstandingCount(): number {
    return this.#outstanding.count;
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
    this.#report('subscribed', subscriber);
    return subscriber;
  }

  #pushAll(service: Service): void {
    if (!this.#state.switches.pushEnabled || service.subscribers.size === 0) return;
    const round = this.#nextNumber();
    for (const subscriber of service.subscribers.values()) {
      if (subscriber.outstanding !== undefined) this.#queue(service, subscriber);
      // One client may subscribe twice, for different clusters.
      else if (this.#outstanding.isTaken(round, subscriber)) this.#send(service, subscriber, this.#nextNumber());
      else this.#send(service, subscriber, round);
    }
  }

  #queue(service: Service, subscriber: Subscriber): void {
    if (!subscriber.waiting) this.#report('push-queued', subscriber, { refTime: service.refTime });
    subscriber.waiting = true;
  }

  #send(service: Service, subscriber: Subscriber, number: number, attempts = 1): void {
    const view = service.view();
    const { mono, wall } = this.#state.now;
    if (subscriber.outstanding !== undefined) this.#outstanding.remove(subscriber.outstanding.number, subscriber);
    const dueAt = after(mono, ACK_WAITS_MS[subscriber.transport][attempts - 1] as number);
    subscriber.outstanding = { number, view, attempts, sentAt: mono, dueAt };
    subscriber.waiting = false;
    subscriber.lastPushedRefTime = view.refTime;
    subscriber.lastPushedAt = wall;
    if (attempts === 1) subscriber.pushed += 1;
    else subscriber.resent += 1;
    this.#outstanding.add(number, subscriber);
    this.#state.armNotLater(subscriber, dueAt);
    this.#report(attempts === 1 ? 'push-sent' : 'push-resent', subscriber);
    this.#state.emit({ type: 'push', subscriber, view, number });
  }

  /** The same once more; a newer list that waits goes instead, with a number of its own. */
  #retryOverdue(subscriber: Subscriber): void {
    const service = this.#state.services.get(subscriber.service.id);
    if (service?.subscribers.get(subscriber.key) !== subscriber) return;
    const { outstanding } = subscriber;
    if (outstanding !== undefined && outstanding.dueAt <= this.#state.now.mono) this.#retry(service, subscriber);
    this.#rearm(subscriber);
  }

  #retry(service: Service, subscriber: Subscriber): void {
    const { attempts, number } = subscriber.outstanding as OutstandingPush;
    if (attempts >= ACK_WAITS_MS[subscriber.transport].length) this.#giveUp(subscriber);
    else this.#send(service, subscriber, subscriber.waiting ? this.#nextNumber() : number, attempts + 1);
  }

  /** Nothing more is sent until the next change; a change that came meanwhile is that change. */
  #giveUp(subscriber: Subscriber): void {
    subscriber.givenUp += 1;
    this.#report('push-given-up', subscriber);
    this.#settlePush(subscriber);
  }

  #acknowledge(subscriber: Subscriber): void {
    const { view, sentAt } = subscriber.outstanding as OutstandingPush;
    subscriber.lastAcknowledgedRefTime = view.refTime;
    subscriber.lastAcknowledgedAt = this.#state.now.wall;
    this.#report('push-acknowledged', subscriber, { tookMs: this.#state.now.mono - sentAt });
    this.#settlePush(subscriber);
    this.waits.tell(this.#state.services.get(subscriber.service.id) as Service, subscriber);
  }

  #settlePush(subscriber: Subscriber): void {
    if (subscriber.outstanding === undefined) return;
    this.#outstanding.remove(subscriber.outstanding.number, subscriber);
    subscriber.outstanding = undefined;
    const service = this.#state.services.get(subscriber.service.id) as Service;
    if (subscriber.waiting) this.#send(service, subscriber, this.#nextNumber());
  }

  #postpone(subscriber: Subscriber): void {
    const { outstanding } = subscriber;
    if (outstanding === undefined) return;
    const dueAt = after(this.#state.now.mono, REFUSED_WAIT_MS * 2 ** (outstanding.attempts - 1));
    subscriber.outstanding = { ...outstanding, dueAt };
    this.#report('push-refused', subscriber);
    this.#state.armNotLater(subscriber, dueAt);
  }

  #rearm(subscriber: Subscriber): void {
    const { outstanding, expiresAt } = subscriber;
    if (outstanding !== undefined) this.#state.armNotLater(subscriber, outstanding.dueAt);
    if (expiresAt !== undefined) this.#state.armNotLater(subscriber, expiresAt);
  }

  /** The answer to a subscriber's query tells it the present list. */
  #queried(service: Service, subscriber: Subscriber): void {
    if (!knows(subscriber, service.refTime)) this.#report('list-polled', subscriber, { refTime: service.refTime });
    subscriber.lastQueriedAt = this.#state.now.wall;
    subscriber.lastQueriedRefTime = service.refTime;
    this.waits.tell(service, subscriber);
  }

  /** Above every number of an earlier run, also when the wall clock was set back since; far below 2^53. */
  #nextNumber(): number {
    if (this.#lastNumber === 0) this.#lastNumber = Math.max(this.#state.now.wall * 1000, this.#reservedNumbers);
    this.#lastNumber += 1;
    if (this.#lastNumber > this.#reservedNumbers) {
      this.#reservedNumbers = this.#lastNumber + NUMBERS_RESERVED;
      this.#state.journal({ type: 'push-numbers', upTo: this.#reservedNumbers });
    }
    return this.#lastNumber;
  }

  #report(
    type: SubscriberEventType,
    subscriber: Subscriber,
    details: { readonly reason?: string; readonly tookMs?: number; readonly refTime?: number } = {},
  ): void {
    if (this.#state.restoring) return;
    const { now, actor } = this.#state;
    const { service, transport, ip, clusters, lastPushedRefTime } = subscriber;
    const { reason, tookMs, refTime = lastPushedRefTime } = details;
    const name = subscriberName(subscriber);
    const event = { type, at: now, actor, service, subscriber: name, transport, ip, clusters, refTime, reason, tookMs };
    this.#state.emit({ type: 'event', event });
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
