// The gRPC side as one piece: transport, requests, pushes.

import { paramCheckNameRules } from '@rollcall/protocol';
import type { Clock, Logger, Timers } from '@rollcall/runtime';
import type { RegistryAccess } from '../registry-access.js';
import type { RegistryEvents } from '../registry-events.js';
import { ConnectionDrain } from './connection-drain.js';
import { FuzzyWatches } from './fuzzy-watches.js';
import type { GrpcConnection } from './grpc-connection.js';
import { GrpcCounters } from './grpc-counters.js';
import type { GrpcSettings } from './grpc-settings.js';
import { GrpcTransport } from './grpc-transport.js';
import { namingHandlers } from './naming-handlers.js';
import { StreamMessages } from './stream-messages.js';
import { StreamPushSender } from './stream-push-sender.js';
import { UnaryDispatch } from './unary-dispatch.js';

/** Serves gRPC clients. */
export class GrpcService {
  readonly counters = new GrpcCounters();
  readonly connections = new Map<string, GrpcConnection>();
  readonly transport: GrpcTransport;
  readonly pushSender: StreamPushSender;
  readonly drain: ConnectionDrain;

  constructor(options: {
    readonly registry: RegistryAccess & RegistryEvents;
    readonly logger: Logger;
    readonly settings: GrpcSettings;
    readonly clock: Clock;
    readonly timers: Timers;
  }) {
    const { registry } = options;
    const { counters, connections } = this;
    const { limits } = registry.core;
    const context = { registry, rules: { names: paramCheckNameRules(limits), limits } };
    this.drain = new ConnectionDrain({ ...options, connections });
    const watches = new FuzzyWatches(registry);
    registry.onEvent((event) => watches.onEvent(event));
    const handlers = new Map(namingHandlers(context));
    handlers.set('NamingFuzzyWatchRequest', (request) => watches.answer(request));
    const { pushAheadBytes } = options.settings;
    const nextTurn = (callback: () => void) => void setImmediate(callback);
    // Each connection writes in a tick that it asks for with its first message, so all of them have by the second one from here.
    const afterWrites = (callback: () => void) => process.nextTick(() => process.nextTick(callback));
    this.pushSender = new StreamPushSender(registry, { connections, counters, pushAheadBytes, nextTurn, afterWrites });
    this.transport = new GrpcTransport({
      ...options,
      dispatch: new UnaryDispatch(handlers, this.drain, () => registry.core.replication?.ready === false),
      streamMessages: new StreamMessages(registry, watches, this.pushSender),
      watches,
      drain: this.drain,
      counters,
      connections,
      nextTurn,
      onRelief: (connection) => this.pushSender.resume(connection),
    });
  }
}
