// A UDP relay between a server and one subscriber: every datagram passes here, so its time is known outside of both, and
// what shall be lost is lost here. One socket: what comes from the subscriber's port goes to the server, the rest to it.
import { createSocket, type Socket } from 'node:dgram';
import { once } from 'node:events';
import { gunzipSync } from 'node:zlib';

/** What is lost: nothing, the first copy of each datagram of the server, or everything that the server sends. */
export type UdpLoss = 'nothing' | 'first-copies' | 'everything';

/** One datagram. */
export interface RelayedDatagram {
  /** Wall-clock time of its arrival here, ms. */
  readonly atMs: number;
  readonly from: 'server' | 'subscriber';
  /** Its text, unpacked. */
  readonly text: string;
}

/** A running relay. */
export class UdpRelay {
  /** Everything that came, also what was then lost, in order. */
  readonly datagrams: RelayedDatagram[] = [];
  readonly #socket: Socket;
  readonly #loss: UdpLoss;
  readonly #seen = new Set<string>();
  #server: { readonly address: string; readonly port: number } | undefined;
  #subscriberPort = 0;

  private constructor(socket: Socket, loss: UdpLoss) {
    this.#socket = socket;
    this.#loss = loss;
    socket.on('message', (bytes, peer) => this.#pass(bytes, peer));
    // A subscriber that was killed refuses datagrams: they are lost, as they would be without a relay.
    socket.on('error', () => undefined);
  }

  /** Opens a socket on a free port of all addresses of this machine: some clients name another one than the loopback's. */
  static async open(loss: UdpLoss): Promise<UdpRelay> {
    const socket = createSocket('udp4');
    socket.bind(0);
    await once(socket, 'listening');
    return new UdpRelay(socket, loss);
  }

  /** The port that the server shall send to. */
  get port(): number {
    return this.#socket.address().port;
  }

  /** Learns where the subscriber listens, on the loopback address. */
  leadTo(subscriberPort: number): void {
    this.#subscriberPort = subscriberPort;
  }

  /** Closes the socket. */
  close(): void {
    this.#socket.close();
  }

  #pass(bytes: Buffer, peer: { readonly address: string; readonly port: number }): void {
    const atMs = Date.now();
    const from = peer.port === this.#subscriberPort ? 'subscriber' : 'server';
    const text = (bytes[0] === 0x1f && bytes[1] === 0x8b ? gunzipSync(bytes) : bytes).toString();
    this.datagrams.push({ atMs, from, text });
    if (from === 'subscriber') {
      if (this.#server !== undefined) this.#socket.send(bytes, this.#server.port, this.#server.address);
      return;
    }
    this.#server = peer;
    if (this.#subscriberPort !== 0 && !this.#isLost(text)) this.#socket.send(bytes, this.#subscriberPort, '127.0.0.1');
  }

  #isLost(text: string): boolean {
    if (this.#loss !== 'first-copies') return this.#loss === 'everything';
    const isFirst = !this.#seen.has(text);
    this.#seen.add(text);
    return isFirst;
  }
}
