// What subscribers are sent: merged pushes, one outstanding per subscriber, acknowledgements, retries.
// Source: client-1x-and-udp.md section 8 (Nacos 1.4.8 PushService), grpc-2x.md section 8; deviations: decisions.md.

import { after } from '@rollcall/runtime/time';
import { OutstandingPushes } from './outstanding-pushes.js';
import { PushNumbers } from './push-numbers.js';
import type { PushAckInput, PushFailedInput, StreamAckInput } from './registry-input.js';
import type { RegistryState } from './registry-state.js';
import type { PushWindow, Service } from './service.js';
import type { OutstandingPush, Subscriber } from './subscriber.js';
import { reportSubscriber } from './subscriber-report.js';
import type { SubscriberWaits } from './subscriber-waits.js';

/** How long each send waits for its acknowledgement; after the last one the push is given up until the next change. */
const ACK_WAITS_MS = {
  /** 1.4.8: one resend after 10 s, given up 10 s later. */
  udp: [10_000, 10_000],
  /** A connection loses nothing, so silence means a stuck client: try ever more rarely, then stop. */
  stream: [5_000, 10_000, 20_000, 40_000],
} as const;

/** Wait after an answer that says failure: the client lives but could not take it. */
const REFUSED_WAIT_MS = 1_000;

/** The pushes to the subscribers of all services. */
export class Pushes {
  /** Numbers that pushes are told apart by. */
  readonly numbers: PushNumbers;
  readonly #state: RegistryState;
  readonly #waits: SubscriberWaits;
  readonly #outstanding = new OutstandingPushes();
  /** Subscribers whose push is to be sent again, or given up, at the end of this step. */
  readonly #overdue = new Set<Subscriber>();

  constructor(state: RegistryState, waits: SubscriberWaits) {
    this.#state = state;
    this.#waits = waits;
    this.numbers = new PushNumbers(state);
  }

  /** Pushes that wait for an acknowledgement now. */
  get outstandingCount(): number {
    return this.#outstanding.count;
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

  /** The merge window of a service ends. */
  onWindowEnd(window: PushWindow): void {
    if (!window.changed) return;
    window.changed = false;
    this.#state.changed.add(window.service);
  }

  /** A subscriber's deadline came. @returns whether its push is overdue, which arms it again at the end of the step */
  noteOverdue(subscriber: Subscriber): boolean {
    const { outstanding } = subscriber;
    if (outstanding === undefined || outstanding.dueAt > this.#state.now.mono) return false;
    // What else is due at this moment may change the list, so what is sent again is sent when all of that has happened.
    this.#overdue.add(subscriber);
    return true;
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
    reportSubscriber(this.#state, 'push-failed', subscriber, { reason });
    if (reason === 'too-large') this.#giveUp(subscriber);
  }

  /** Arms the one deadline of a subscriber: its push is overdue then, or it is silent for too long. */
  arm(subscriber: Subscriber): void {
    const { outstanding, expiresAt } = subscriber;
    if (outstanding !== undefined) this.#state.armNotLater(subscriber, outstanding.dueAt);
    if (expiresAt !== undefined) this.#state.armNotLater(subscriber, expiresAt);
  }

  /** Nobody waits any more for the acknowledgement of a subscriber that is gone. */
  forget(subscriber: Subscriber): void {
    if (subscriber.outstanding !== undefined) this.#outstanding.remove(subscriber.outstanding.number, subscriber);
    subscriber.outstanding = undefined;
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

  #pushAll(service: Service): void {
    if (!this.#state.switches.pushEnabled || service.subscribers.size === 0) return;
    const round = this.numbers.next();
    for (const subscriber of service.subscribers.values()) {
      if (subscriber.outstanding !== undefined) this.#queue(service, subscriber);
      // One client may subscribe twice, for different clusters.
      else if (this.#outstanding.isTaken(round, subscriber)) this.#send(service, subscriber, this.numbers.next());
      else this.#send(service, subscriber, round);
    }
  }

  #queue(service: Service, subscriber: Subscriber): void {
    if (!subscriber.waiting) reportSubscriber(this.#state, 'push-queued', subscriber, { refTime: service.refTime });
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
    reportSubscriber(this.#state, attempts === 1 ? 'push-sent' : 'push-resent', subscriber);
    this.#state.emit({ type: 'push', subscriber, view, number });
  }

  /** The same once more; a newer list that waits goes instead, with a number of its own. */
  #retryOverdue(subscriber: Subscriber): void {
    const service = this.#state.services.get(subscriber.service.id);
    if (service?.subscribers.get(subscriber.key) !== subscriber) return;
    const { outstanding } = subscriber;
    if (outstanding !== undefined && outstanding.dueAt <= this.#state.now.mono) this.#retry(service, subscriber);
    this.arm(subscriber);
  }

  #retry(service: Service, subscriber: Subscriber): void {
    const { attempts, number } = subscriber.outstanding as OutstandingPush;
    if (attempts >= ACK_WAITS_MS[subscriber.transport].length) this.#giveUp(subscriber);
    else this.#send(service, subscriber, subscriber.waiting ? this.numbers.next() : number, attempts + 1);
  }

  /** Nothing more is sent until the next change; a change that came meanwhile is that change. */
  #giveUp(subscriber: Subscriber): void {
    subscriber.givenUp += 1;
    reportSubscriber(this.#state, 'push-given-up', subscriber);
    this.#settlePush(subscriber);
  }

  #acknowledge(subscriber: Subscriber): void {
    const { view, sentAt } = subscriber.outstanding as OutstandingPush;
    subscriber.lastAcknowledgedRefTime = view.refTime;
    subscriber.lastAcknowledgedAt = this.#state.now.wall;
    reportSubscriber(this.#state, 'push-acknowledged', subscriber, { tookMs: this.#state.now.mono - sentAt });
    this.#settlePush(subscriber);
    this.#waits.tell(this.#state.services.get(subscriber.service.id) as Service, subscriber);
  }

  #settlePush(subscriber: Subscriber): void {
    if (subscriber.outstanding === undefined) return;
    this.#outstanding.remove(subscriber.outstanding.number, subscriber);
    subscriber.outstanding = undefined;
    const service = this.#state.services.get(subscriber.service.id) as Service;
    if (subscriber.waiting) this.#send(service, subscriber, this.numbers.next());
  }

  #postpone(subscriber: Subscriber): void {
    const { outstanding } = subscriber;
    if (outstanding === undefined) return;
    const dueAt = after(this.#state.now.mono, REFUSED_WAIT_MS * 2 ** (outstanding.attempts - 1));
    subscriber.outstanding = { ...outstanding, dueAt };
    reportSubscriber(this.#state, 'push-refused', subscriber);
    this.#state.armNotLater(subscriber, dueAt);
  }
}
