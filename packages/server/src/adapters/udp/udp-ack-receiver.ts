// Takes what comes in on the push port. Anybody can send anything there, so a datagram is looked at for a moment, its
// number is told to the core, and nothing is ever answered. Source: Nacos 1.4.8 PushService.Receiver; contract 8.4.

import { parsePushAck } from '@rollcall/protocol';
import type { HostAddresses } from '../host-addresses.js';
import { ipLiteral } from '../ip-literal.js';
import type { RegistryAccess } from '../registry-access.js';
import type { DatagramPeer } from './push-socket.js';
import type { UdpCounters } from './udp-counters.js';

/** Takes acknowledgements. */
export class UdpAckReceiver {
  readonly #registry: RegistryAccess;
  readonly #hosts: Pick<HostAddresses, 'sameHost'>;
  readonly #counters: UdpCounters;

  constructor(options: {
    readonly registry: RegistryAccess;
    readonly hosts: Pick<HostAddresses, 'sameHost'>;
    readonly counters: UdpCounters;
  }) {
    this.#registry = options.registry;
    this.#hosts = options.hosts;
    this.#counters = options.counters;
  }

  /** Takes one datagram. */
  take(bytes: Uint8Array, { ip, port }: DatagramPeer): void {
    const { limits } = this.#registry.core;
    this.#counters.received += 1;
    if (bytes.length > limits.pushAckBytes) {
      this.#counters.oversized += 1;
      return;
    }
    const number = parsePushAck(bytes, limits)?.number;
    if (number === undefined) {
      this.#counters.unreadable += 1;
      return;
    }
    this.#registry.step({ type: 'push-ack', ips: this.#hosts.sameHost(ipLiteral(ip) ?? ip), port, number });
  }
}
