// Which transport a client gets, from its options.

import type { Clock, Timers } from '@rollcall/runtime';
import { AutoTransport } from '../adapters/auto-transport.js';
import { GrpcTransport } from '../adapters/grpc/grpc-transport.js';
import type { PushTarget } from '../adapters/http/http-calls.js';
import { HttpTransport } from '../adapters/http/http-transport.js';
import type { ServerAddress } from '../adapters/server-address.js';
import type { Transport, TransportEvents } from '../adapters/transport.js';
import type { ClientSettings } from './connect-options.js';

/** What transports need from the client. */
export interface TransportNeeds {
  readonly clock: Clock;
  readonly timers: Timers;
  readonly random: () => number;
  readonly events: TransportEvents;
  /** Where pushes over UDP should go, for one server. */
  readonly pushTarget: (server: ServerAddress) => Promise<PushTarget>;
}

/** Makes the transport that the settings ask for; it does nothing until it is started. */
export function transportOf(settings: ClientSettings, needs: TransportNeeds): Transport {
  const { servers, protocol } = settings;
  const http = new HttpTransport(servers, settings.transport, needs);
  if (protocol === 'http') return http;
  const options = {
    ...settings.transport,
    portOffset: settings.grpcPortOffset,
    keepsProcessAlive: settings.keepsProcessAlive,
  };
  const grpc = (events: TransportEvents) => new GrpcTransport(servers, options, { ...needs, events, http });
  if (protocol === 'grpc') return grpc(needs.events);
  return new AutoTransport({ grpc, http, events: needs.events, probeTimeoutMs: settings.transport.attemptTimeoutMs });
}
