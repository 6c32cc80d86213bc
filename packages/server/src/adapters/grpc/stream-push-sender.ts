// Sends lists to connections. The JSON of a list is made once per version and form; only the number in front of it
// differs from one round to the next, so subscribers of one round share the very bytes.

import { encodePayload, frameMessage } from '@rollcall/protocol';
import type { ServiceView } from '../../core/service-view.js';
import type { Subscriber } from '../../core/subscriber.js';
import type { RegistryAccess } from '../registry-access.js';
import type { GrpcConnection } from './grpc-connection.js';
import type { GrpcCounters } from './grpc-counters.js';
import { OutgoingMessage } from './http2/outgoing-message.js';
import { serviceInfoOfView } from './service-info-content.js';

/** A list to be sent. */
export interface StreamPush {
  readonly subscriber: Subscriber;
  readonly view: ServiceView;
  readonly number: number;
}

/** Sends pushes of the core to connections. */
export class StreamPushSender {
  readonly #registry: RegistryAccess;
  readonly #connections: ReadonlyMap<string, GrpcConnection>;
  readonly #counters: GrpcCounters;
  #last: { view: ServiceView; number: number; clusters: string; frame: OutgoingMessage } | undefined;

  constructor(
    registry: RegistryAccess,
    options: { readonly connections: ReadonlyMap<string, GrpcConnection>; readonly counters: GrpcCounters },
  ) {
    this.#registry = registry;
    this.#connections = options.connections;
    this.#counters = options.counters;
  }

  /** Sends one push. A stalled receiver is left alone: the core offers the newest list again. */
  send({ subscriber, view, number }: StreamPush): void {
    const connection = this.#connections.get(subscriber.connection);
    if (connection === undefined) return;
    const frame = this.#frameOf(view, number, subscriber.clusters);
    if (connection.sendShared(frame)) this.#counters.pushes += 1;
  }

  #frameOf(view: ServiceView, number: number, clusters: string): OutgoingMessage {
    const last = this.#last;
    if (last !== undefined && last.view === view && last.number === number && last.clusters === clusters)
      return last.frame;
    const cacheMillis = this.#registry.core.switches.defaultPushCacheMillis;
    const info = serviceInfoOfView(view, { clusters, healthyOnly: false, cacheMillis });
    const json = `{"headers":{},"requestId":"${number}","serviceInfo":${info},"module":"naming"}`;
    const frame = new OutgoingMessage(frameMessage(encodePayload('NotifySubscriberRequest', json)));
    this.#last = { view, number, clusters, frame };
    return frame;
  }
}
