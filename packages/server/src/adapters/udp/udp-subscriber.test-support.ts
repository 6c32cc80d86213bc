// A 1.x subscriber on a real socket that acknowledges what a test tells it to.

import { createSocket, type Socket } from 'node:dgram';
import { once } from 'node:events';
import { gunzipSync } from 'node:zlib';

/** One push as it arrived. */
export interface ReceivedPush {
  /** Bytes of the datagram. */
  readonly bytes: Buffer;
  /** Whether it was compressed. */
  readonly gzip: boolean;
  /** Number of the envelope. */
  readonly number: number;
  /** The list inside. */
  readonly list: ReturnType<typeof JSON.parse>;
  /** The list as text. */
  readonly data: string;
  /** UDP port that it came from. */
  readonly fromPort: number;
}

/** A subscriber's socket. */
export class UdpSubscriber {
  /** Everything received, in order. */
  readonly pushes: ReceivedPush[] = [];
  readonly ip: string;
  readonly #socket: Socket;

  private constructor(ip: string, socket: Socket) {
    this.ip = ip;
    this.#socket = socket;
    socket.on('message', (bytes, { port }) => this.pushes.push(received(bytes, port)));
  }

  /** Binds a free port. @param ip - an address of this host */
  static async open(ip = '127.0.0.1'): Promise<UdpSubscriber> {
    const socket = createSocket(ip.includes(':') ? 'udp6' : 'udp4');
    socket.bind(0, ip);
    await once(socket, 'listening');
    return new UdpSubscriber(ip, socket);
  }

  get port(): number {
    return this.#socket.address().port;
  }

  /** Waits for a push that has not been waited for yet. @param index - 0 for the first ever */
  async push(index: number): Promise<ReceivedPush> {
    while (this.pushes.length <= index) await once(this.#socket, 'message');
    return this.pushes[index] as ReceivedPush;
  }

  /** Acknowledges as the Java client does. */
  async acknowledge({ fromPort, number }: Pick<ReceivedPush, 'fromPort' | 'number'>): Promise<void> {
    await this.send(`{"type": "push-ack", "lastRefTime":"${number}", "data":""}`, fromPort);
  }

  /** Sends any bytes to a port of this host. */
  send(bytes: string | Uint8Array, port: number): Promise<void> {
    return new Promise((resolve, reject) => {
      this.#socket.send(bytes, port, this.ip, (error) => (error === null ? resolve() : reject(error)));
    });
  }

  /** Closes the port: what is sent to it from now on goes nowhere. */
  close(): Promise<void> {
    return new Promise((resolve) => this.#socket.close(() => resolve()));
  }
}

function received(bytes: Buffer, fromPort: number): ReceivedPush {
  const gzip = bytes[0] === 0x1f && bytes[1] === 0x8b;
  const packet = JSON.parse((gzip ? gunzipSync(bytes) : bytes).toString());
  const { data, lastRefTime: number } = packet;
  return { bytes, gzip, number, list: JSON.parse(data), data, fromPort };
}
