// Sends lists to connections: a slice in each turn of the event loop, so that a change of a service with thousands of
// subscribers holds up nobody else. The JSON of a list is made once per version and form; only the number in front of it
// differs from one round to the next, so subscribers of one round share the very bytes.

import { framedPayload } from '@rollcall/protocol';
import type { ServiceView } from '../../core/service-view.js';
import type { RegistryAccess } from '../registry-access.js';
import type { GrpcConnection } from './grpc-connection.js';
import type { GrpcCounters } from './grpc-counters.js';
import { OutgoingMessage } from './http2/outgoing-message.js';
import { serviceInfoOfView } from './service-info-content.js';
import type { StreamPush } from './stream-push.js';

/** Pushes of one turn: some milliseconds of work. */
const SLICE_PUSHES = 100;
/** Selections of clusters whose bytes are kept for one round. */
const KEPT_FORMS_MAX = 32;

/** What the sender works with. */
export interface StreamPushSenderOptions {
  readonly connections: ReadonlyMap<string, GrpcConnection>;
  readonly counters: GrpcCounters;
  /** Bytes that may wait for a receiver before its pushes wait instead. */
  readonly pushAheadBytes: number;
  /** Calls back in the next turn of the event loop. */
  readonly nextTurn: (callback: () => void) => void;
  /** Calls back when what was sent so far has been written. */
  readonly afterWrites: (callback: () => void) => void;
}

/** Sends pushes of the core to connections. */
export class StreamPushSender {
  readonly #registry: RegistryAccess;
  readonly #options: StreamPushSenderOptions;
  /** Pushes for later turns, from `#next` on; at most one of each subscriber that the core waits for, and its repetitions. */
  #queue: StreamPush[] = [];
  #next = 0;
  #sentThisTurn = 0;
  #turnAsked = false;
  /** Monotonic ms of the first push since nothing was left to send; undefined while nothing is. */
  #startedAt: number | undefined;
  #round: { view: ServiceView; number: number; byClusters: Map<string, OutgoingMessage> } | undefined;

  constructor(registry: RegistryAccess, options: StreamPushSenderOptions) {
    this.#registry = registry;
    this.#options = options;
  }

  /** Sends a push, at once or in one of the next turns. */
  send(push: StreamPush): void {
    this.#sendOrQueue(push);
  }

  /** A client has answered a push, and may have room for another. */
  acknowledge(connection: GrpcConnection, number: number): void {
    connection.pushes.acknowledge(number, this.#registry.now().mono);
    this.resume(connection);
  }

  /** A connection may have room again: what waited for it goes on, with the list as it is now. */
  resume(connection: GrpcConnection): void {
    for (;;) {
      const postponed = connection.pushes.takePostponed();
      if (postponed === undefined) return;
      const { subscriber, number } = postponed;
      const view = this.#registry.core.service(subscriber.service.id)?.view();
      if (view !== undefined && this.#sendOrQueue({ subscriber, number, view }) === 'postponed') return;
    }
  }

  #sendOrQueue(push: StreamPush): 'queued' | 'done' | 'postponed' {
    if (this.#startedAt === undefined) this.#begin();
    this.#askForTurn();
    if (this.#queue.length === 0 && this.#sentThisTurn < SLICE_PUSHES) return this.#deliver(push);
    this.#queue.push(push);
    return 'queued';
  }

  #begin(): void {
    this.#startedAt = this.#registry.now().mono;
    this.#options.afterWrites(() => this.#measure());
  }

  /** Until everything is written; from the change to here is the time of the round. */
  #measure(): void {
    if (this.#startedAt === undefined || this.#queue.length > 0) return;
    this.#options.counters.lastRoundMs = this.#registry.now().mono - this.#startedAt;
    this.#startedAt = undefined;
  }

  #askForTurn(): void {
    if (this.#turnAsked) return;
    this.#turnAsked = true;
    this.#sentThisTurn = 0;
    this.#options.nextTurn(() => this.#turn());
  }

  #turn(): void {
    this.#turnAsked = false;
    this.#sentThisTurn = 0;
    while (this.#next < this.#queue.length && this.#sentThisTurn < SLICE_PUSHES)
      this.#deliver(this.#queue[this.#next++] as StreamPush);
    if (this.#next < this.#queue.length) {
      this.#askForTurn();
      return;
    }
    this.#queue = [];
    this.#next = 0;
    this.#options.afterWrites(() => this.#measure());
  }

  #deliver(push: StreamPush): 'done' | 'postponed' {
    const { connections, counters, pushAheadBytes } = this.#options;
    this.#sentThisTurn += 1;
    const connection = connections.get(push.subscriber.connection);
    if (connection === undefined) return 'done';
    const message = this.#messageOf(push);
    const { length } = message.bytes;
    const { pushes } = connection;
    if (connection.waitingBytes > pushAheadBytes || !pushes.hasRoomFor(length)) {
      pushes.postpone(push, this.#registry.now().mono);
      return 'postponed';
    }
    if (connection.sendShared(message)) {
      pushes.add(push, length);
      counters.pushes += 1;
    }
    return 'done';
  }

  #messageOf({ view, number, subscriber: { clusters } }: StreamPush): OutgoingMessage {
    if (this.#round?.view !== view || this.#round.number !== number)
      this.#round = { view, number, byClusters: new Map() };
    const { byClusters } = this.#round;
    const kept = byClusters.get(clusters);
    if (kept !== undefined) return kept;
    const cacheMillis = this.#registry.core.switches.defaultPushCacheMillis;
    const info = serviceInfoOfView(view, { clusters, healthyOnly: false, cacheMillis });
    const json = `{"headers":{},"requestId":"${number}","serviceInfo":${info},"module":"naming"}`;
    const message = new OutgoingMessage(framedPayload('NotifySubscriberRequest', json));
    if (byClusters.size < KEPT_FORMS_MAX) byClusters.set(clusters, message);
    return message;
  }
}
