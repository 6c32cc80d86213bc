// The UDP side as one piece: sockets, pushes, acknowledgements.

import type { Logger, Timers } from '@rollcall/runtime';
import type { HostAddresses } from '../host-addresses.js';
import type { RegistryAccess } from '../registry-access.js';
import { PushSocket } from './push-socket.js';
import { UdpAckReceiver } from './udp-ack-receiver.js';
import { UdpCounters } from './udp-counters.js';
import { type UdpPush, UdpPushSender } from './udp-push-sender.js';

/** What it works with. */
export interface UdpPushOptions {
  readonly registry: RegistryAccess;
  readonly hosts: Pick<HostAddresses, 'sameHost'>;
  readonly logger: Logger;
  readonly timers: Timers;
}

/** Tells 1.x subscribers of changes. */
export class UdpPushService {
  readonly counters = new UdpCounters();
  readonly #options: UdpPushOptions;
  #open: { readonly socket: PushSocket; readonly sender: UdpPushSender } | undefined;

  constructor(options: UdpPushOptions) {
    this.#options = options;
  }

  /** Binds the port. @param port - 0 takes a free one @throws the error of the system when it cannot be bound */
  async listen(port: number): Promise<void> {
    const { counters } = this;
    const { registry, hosts, logger, timers } = this.#options;
    const receiver = new UdpAckReceiver({ registry, hosts, counters });
    const socket = await PushSocket.open({
      port,
      onDatagram: (bytes, peer) => receiver.take(bytes, peer),
      onError: (error) => {
        const code = error.code ?? error.name;
        counters.countSocketError(code);
        logger.log('warn', 'push-socket-error', { code, error: error.message });
      },
    });
    const sender = new UdpPushSender({ registry, socket, counters, timers, endOfTurn: setImmediate });
    this.#open = { socket, sender };
  }

  /** UDP port of IPv4; undefined while it is not bound. */
  get port(): number | undefined {
    return this.#open?.socket.port;
  }

  /** Sends a push soon. While the port is not bound nothing is sent; the core then sends again. */
  send(push: UdpPush): void {
    this.#open?.sender.send(push);
  }

  /** Closes the port; what was not sent yet is not sent. */
  async close(): Promise<void> {
    const open = this.#open;
    this.#open = undefined;
    open?.sender.stop();
    await open?.socket.close();
  }
}
