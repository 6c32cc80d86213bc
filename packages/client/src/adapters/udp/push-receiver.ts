// The UDP socket on which 1.x servers push lists to this client, one per client. A push is acknowledged after it was taken.
// Without a socket the client polls with port 0. Source: Nacos 1.4.8 PushReceiver; contract client-1x 7.

import { createSocket, type RemoteInfo, type Socket } from 'node:dgram';
import { clientErrorOf } from '../../core/client-error.js';
import { decodeServiceList } from '../../core/service-list.js';
import { plainIp } from '../plain-ip.js';
import type { TransportEvents } from '../transport.js';
import { pushAckText, readPushDatagram } from './push-datagram.js';

/** Bytes that the system may keep for the socket: bursts of large lists must not be lost. */
const RECEIVE_BUFFER_BYTES = 1024 * 1024;
/** Unreadable datagrams are logged once per so many. */
const NOTE_EVERY = 1000;

/** Receives pushes. */
export class PushReceiver {
  readonly #events: Pick<TransportEvents, 'pushed' | 'noted'>;
  readonly #opened: Promise<number>;
  #socket: Socket | undefined;
  #unreadable = 0;

  /** Opens the socket. @param port - 0 for any free one */
  constructor(port: number, events: Pick<TransportEvents, 'pushed' | 'noted'>) {
    this.#events = events;
    this.#opened = this.#open(port);
  }

  /** The port; 0 when it could not be opened. */
  get port(): Promise<number> {
    return this.#opened;
  }

  /** Closes the socket. */
  async close(): Promise<void> {
    await this.#opened;
    const socket = this.#socket;
    this.#socket = undefined;
    if (socket !== undefined) await new Promise<void>((resolve) => socket.close(() => resolve()));
  }

  #open(port: number): Promise<number> {
    return new Promise((resolve) => {
      const socket = createSocket({ type: 'udp4' });
      socket.once('error', (error) => {
        this.#events.noted('warn', 'push-port-failed', { port, reason: error.message });
        this.#socket = undefined;
        socket.close();
        resolve(0);
      });
      socket.bind(port, () => {
        this.#socket = socket;
        socket.removeAllListeners('error');
        socket.on('error', (error) => this.#events.noted('warn', 'push-socket-error', { reason: error.message }));
        socket.on('message', (datagram, from) => this.#received(datagram, from));
        socket.unref();
        enlargeBuffer(socket);
        resolve(socket.address().port);
      });
    });
  }

  #received(datagram: Buffer, from: RemoteInfo): void {
    const push = readPushDatagram(datagram);
    if (push === undefined) {
      this.#noteUnreadable(from, 'it is no push');
      return;
    }
    try {
      if (push.type === 'list')
        this.#events.pushed({ list: decodeServiceList(push.data), source: plainIp(from.address), text: push.data });
    } catch (error) {
      // Not acknowledged: the server sends it again, and counts that it did not arrive.
      this.#noteUnreadable(from, clientErrorOf(error).message);
      return;
    }
    this.#socket?.send(pushAckText(push), from.port, from.address, () => {});
  }

  #noteUnreadable(from: RemoteInfo, reason: string): void {
    if (this.#unreadable++ % NOTE_EVERY === 0)
      this.#events.noted('warn', 'push-unreadable', { from: from.address, reason, count: this.#unreadable });
  }
}

function enlargeBuffer(socket: Socket): void {
  try {
    socket.setRecvBufferSize(RECEIVE_BUFFER_BYTES);
  } catch {
    // The system allows less; what it gives is enough for usual lists.
  }
}
