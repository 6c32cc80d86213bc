// The sockets from which pushes go out and at which acknowledgements arrive, one per address family. They are bound to the
// wildcard address whatever HTTP listens on: a socket of 127.0.0.1 cannot send to another address of the same host
// (EINVAL on Linux). Nothing is ever looked up: only literal addresses come here.

import { createSocket, type Socket } from 'node:dgram';
import { once } from 'node:events';
import { isIPv6 } from 'node:net';

/** Wanted size of the kernel's buffers, so that acknowledgements of a large round fit; it gives what it allows. */
const BUFFER_BYTES = 4 * 1024 * 1024;

/** What this system has no IPv6 for. */
const WITHOUT_IPV6 = new Set(['EAFNOSUPPORT', 'EADDRNOTAVAIL', 'EINVAL', 'EPROTONOSUPPORT']);

/** Who sent a datagram. */
export interface DatagramPeer {
  readonly ip: string;
  readonly port: number;
}

/** Where the sockets are and who is told of what comes in. */
export interface PushSocketOptions {
  /** 0 takes a free one for each family, which may differ. */
  readonly port: number;
  readonly onDatagram: (bytes: Buffer, peer: DatagramPeer) => void;
  /** Told of errors that belong to no send. The socket lives on. */
  readonly onError: (error: NodeJS.ErrnoException) => void;
}

/** A socket for both address families. */
export class PushSocket {
  readonly #v4: Socket;
  readonly #v6: Socket | undefined;

  private constructor(v4: Socket, v6: Socket | undefined) {
    this.#v4 = v4;
    this.#v6 = v6;
  }

  /** Binds the sockets; a system without IPv6 has one only. @throws the error of the system when the port cannot be bound */
  static async open(options: PushSocketOptions): Promise<PushSocket> {
    const v4 = await bound('udp4', options);
    try {
      return new PushSocket(v4, await boundV6(options));
    } catch (error) {
      v4.close();
      throw error;
    }
  }

  /** UDP port of IPv4. */
  get port(): number {
    return this.#v4.address().port;
  }

  /** UDP port of IPv6; undefined on a system without it. */
  get portV6(): number | undefined {
    return this.#v6?.address().port;
  }

  /** Datagrams that the system had no room for yet; they go out as soon as it has. */
  get waiting(): number {
    return this.#v4.getSendQueueCount() + (this.#v6?.getSendQueueCount() ?? 0);
  }

  /**
   * Sends one datagram.
   *
   * @param parts - its bytes in pieces; not changed before `done`
   * @param done - called once, also when nothing could be sent; never before this returns
   */
  send(parts: readonly Buffer[], peer: DatagramPeer, done: (error: NodeJS.ErrnoException | null) => void): void {
    const socket = isIPv6(peer.ip) ? this.#v6 : this.#v4;
    if (socket === undefined) {
      const error = Object.assign(new Error(`No IPv6 on this system for ${peer.ip}`), { code: 'EAFNOSUPPORT' });
      process.nextTick(done, error);
      return;
    }
    socket.send(parts, peer.port, peer.ip, done);
  }

  /** Closes the sockets; what was not sent is lost. */
  async close(): Promise<void> {
    const sockets = [this.#v4, ...(this.#v6 === undefined ? [] : [this.#v6])];
    await Promise.all(sockets.map((socket) => new Promise<void>((resolve) => socket.close(() => resolve()))));
  }
}

async function boundV6(options: PushSocketOptions): Promise<Socket | undefined> {
  try {
    return await bound('udp6', options);
  } catch (error) {
    if (WITHOUT_IPV6.has((error as NodeJS.ErrnoException).code ?? '')) return undefined;
    throw error;
  }
}

async function bound(type: 'udp4' | 'udp6', { port, onDatagram, onError }: PushSocketOptions): Promise<Socket> {
  const family = type === 'udp4' ? 4 : 6;
  const socket = createSocket({ type, ipv6Only: type === 'udp6', lookup: (ip, _, found) => found(null, ip, family) });
  try {
    const listening = once(socket, 'listening');
    socket.bind({ port, exclusive: true });
    await listening;
  } catch (error) {
    socket.close();
    throw error;
  }
  enlarge(() => socket.setRecvBufferSize(BUFFER_BYTES));
  enlarge(() => socket.setSendBufferSize(BUFFER_BYTES));
  socket.on('message', (bytes, { address, port: from }) => onDatagram(bytes, { ip: address, port: from }));
  socket.on('error', onError);
  return socket;
}

function enlarge(set: () => void): void {
  try {
    set();
  } catch {
    // Some systems refuse instead of giving what they allow: the default size works too, with more resends.
  }
}
