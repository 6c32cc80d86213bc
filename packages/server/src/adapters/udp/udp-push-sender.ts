// Sends pushes of the core as datagrams, from the end of the turn on, in slices: thousands of sends at once would keep
// everybody else waiting.

import { DATAGRAM_BYTES_MAX } from '@rollcall/protocol';
import type { Instant, Timers } from '@rollcall/runtime';
import type { ServiceView } from '../../core/service-view.js';
import type { Subscriber } from '../../core/subscriber.js';
import { AgentMemory } from '../http-v1/agent-memory.js';
import { pushedListJson } from '../http-v1/instance-list-content.js';
import type { RegistryAccess } from '../registry-access.js';
import { PushDatagram } from './push-datagram.js';
import type { PushSocket } from './push-socket.js';
import type { UdpCounters } from './udp-counters.js';

/**
 * Sends per turn. In one turn the system reads at most 32 datagrams for us: with more sends than that, acknowledgements
 * would come faster than they are read, and those that do not fit its buffer would be lost.
 */
const SLICE_SENDS = 32;
/** Longest slice: encoding a large list can take milliseconds. */
const SLICE_MS = 4;
/** With more datagrams waiting inside the system than this, it is given time. */
const WAITING_MAX = 1000;
const WAITING_PAUSE_MS = 5;

/** A list to be sent. */
export interface UdpPush {
  readonly subscriber: Subscriber;
  readonly view: ServiceView;
  readonly number: number;
}

/** What a sender works with. */
export interface UdpPushSenderOptions {
  readonly registry: RegistryAccess;
  readonly socket: Pick<PushSocket, 'send' | 'waiting'>;
  readonly counters: UdpCounters;
  readonly timers: Timers;
  /** Calls back once the present turn of the event loop is over; `setImmediate` outside tests. */
  readonly endOfTurn: (callback: () => void) => void;
}

/** Sends pushes of the core to 1.x subscribers. */
export class UdpPushSender {
  readonly #options: UdpPushSenderOptions;
  readonly #agents = new AgentMemory();
  /** The core has at most one push per subscriber on its way, so this is no longer than there are subscribers. */
  #queue: UdpPush[] = [];
  #sent = 0;
  #scheduled = false;
  #roundStartedAt = 0 as Instant;
  #stopped = false;

  constructor(options: UdpPushSenderOptions) {
    this.#options = options;
  }

  /** Sends a push soon. What goes wrong comes back to the core as `push-failed`. */
  send(push: UdpPush): void {
    if (this.#stopped) return;
    this.#queue.push(push);
    if (this.#scheduled) return;
    this.#scheduled = true;
    this.#roundStartedAt = this.#options.registry.now().mono;
    this.#options.endOfTurn(() => this.#sendSlice());
  }

  /** Sends nothing any more. */
  stop(): void {
    this.#stopped = true;
    this.#queue = [];
    this.#sent = 0;
  }

  #sendSlice(): void {
    const { registry, socket, timers, endOfTurn, counters } = this.#options;
    const endsAt = registry.now().mono + SLICE_MS;
    for (let sends = 0; sends < SLICE_SENDS && this.#sent < this.#queue.length; sends += 1) {
      this.#sendOne(this.#queue[this.#sent] as UdpPush);
      this.#sent += 1;
      if (registry.now().mono >= endsAt) break;
    }
    if (this.#sent === this.#queue.length) {
      this.#queue = [];
      this.#sent = 0;
      this.#scheduled = false;
      counters.lastRoundMs = registry.now().mono - this.#roundStartedAt;
    } else if (socket.waiting > WAITING_MAX) timers.once(WAITING_PAUSE_MS, () => this.#sendSlice());
    else endOfTurn(() => this.#sendSlice());
  }

  #sendOne(push: UdpPush): void {
    const { counters, socket } = this.#options;
    const { subscriber, number } = push;
    if (subscriber.outstanding?.number !== number) {
      counters.needless += 1;
      return;
    }
    const parts = this.#datagramOf(push).parts(number);
    const bytes = parts[0].length + parts[1].length;
    if (bytes > DATAGRAM_BYTES_MAX) {
      this.#failed(push, 'too-large');
      return;
    }
    counters.datagrams += 1;
    counters.bytes += bytes;
    socket.send(parts, subscriber, (error) => {
      if (error === null) return;
      counters.countSocketError(error.code ?? error.name);
      this.#failed(push, error.code === 'EMSGSIZE' ? 'too-large' : 'socket-error');
    });
  }

  /** Made once per version of the list and form. Changed switches drop all views, so they are not in the name of a form. */
  #datagramOf({ view, subscriber: { agent, clusters } }: UdpPush): PushDatagram {
    const { names } = this.#agents.ofText(agent);
    const { defaultPushCacheMillis: cacheMillis } = this.#options.registry.core.switches;
    return view.prepared(
      `v1-push ${names} ${clusters}`,
      () => new PushDatagram(pushedListJson(view, { clusters, names, cacheMillis })),
    );
  }

  #failed({ subscriber: { ip, port }, number }: UdpPush, reason: 'too-large' | 'socket-error'): void {
    if (reason === 'too-large') this.#options.counters.tooLarge += 1;
    this.#options.registry.step({ type: 'push-failed', ip, port, number, reason });
  }
}
