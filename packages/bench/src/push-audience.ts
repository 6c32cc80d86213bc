// Many 1.x subscribers in one process: a socket each, which acknowledges every push at once as clients do and notes when
// which version of the list arrived. Lists are kept small, so that packets are plain text and reading them costs little.
import { createSocket, type Socket } from 'node:dgram';
import { gunzipSync } from 'node:zlib';
import type { Endpoint } from './endpoint.js';
import { encodeList } from './instance-population.js';
import { LatencyHistogram } from './latency-histogram.js';

/** How a version of the list reached the audience. */
export interface Arrival {
  /** From the given start to each subscriber's first datagram with the version, in milliseconds. */
  readonly latency: LatencyHistogram;
  /** Subscribers that it did not reach in time. */
  readonly missing: number;
}

interface Member {
  readonly socket: Socket;
  version: string;
}

interface Watch {
  readonly version: string;
  readonly startedAtMs: number;
  readonly latency: LatencyHistogram;
  readonly done: () => void;
}

/** In a datagram the list is a text within JSON; in an answer it is not. */
const VERSION = /"version\\?":\\?"([^\\"]+)\\?"/;
const NUMBER = /"lastRefTime":(\d+)\}\s*$/;

/** Subscribers of one service. */
export class PushAudience {
  readonly #members: readonly Member[];
  #watch: Watch | undefined;
  #received = 0;

  private constructor(members: readonly Member[]) {
    this.#members = members;
    for (const member of members) member.socket.on('message', (bytes, peer) => this.#take(member, bytes, peer));
  }

  /** Opens a socket for each subscriber, on free ports of the loopback address. */
  static async open(subscribers: number): Promise<PushAudience> {
    const members: Member[] = [];
    for (let index = 0; index < subscribers; index++) {
      const socket = createSocket({ type: 'udp4', lookup: (ip, _, found) => found(null, ip, 4) });
      await new Promise<void>((resolve, reject) => {
        socket.once('error', reject);
        socket.bind(0, '127.0.0.1', () => resolve());
      });
      members.push({ socket, version: '' });
    }
    return new PushAudience(members);
  }

  /** Datagrams received so far, all subscribers together. */
  get received(): number {
    return this.#received;
  }

  /** The queries that subscribe everybody, or keep everybody subscribed. @param part - only those from the first number to before the second */
  encodeSubscriptions(
    endpoint: Endpoint,
    serviceName: string,
    part: readonly [number, number?] = [0],
  ): readonly Buffer[] {
    return this.#members.slice(...part).map(({ socket }) => encodeList(endpoint, serviceName, socket.address().port));
  }

  /** Subscribers whose newest list is not of this version. */
  countWithout(version: string): number {
    return this.#members.filter((member) => member.version !== version).length;
  }

  /** Waits until a version has reached everybody, or the time is up. @param startedAtMs - on `performance.now()` */
  async arrival(version: string, startedAtMs: number, timeoutMs: number): Promise<Arrival> {
    const latency = new LatencyHistogram();
    let timer: NodeJS.Timeout | undefined;
    await new Promise<void>((resolve) => {
      this.#watch = { version, startedAtMs, latency, done: resolve };
      timer = setTimeout(resolve, timeoutMs);
    });
    clearTimeout(timer);
    this.#watch = undefined;
    return { latency, missing: this.#members.length - latency.count };
  }

  /** A subscriber asked again and was given a list, which may be the first one with a version. @param index - which one, from 0 */
  polled(index: number, list: Buffer): void {
    const member = this.#members[index];
    if (member !== undefined) this.#note(member, list.toString('latin1'), performance.now());
  }

  /** Closes the sockets. */
  close(): void {
    for (const { socket } of this.#members) socket.close();
  }

  #take(member: Member, bytes: Buffer, peer: { readonly address: string; readonly port: number }): void {
    const nowMs = performance.now();
    this.#received++;
    const text = (bytes[0] === 0x1f ? gunzipSync(bytes) : bytes).toString('latin1');
    const number = NUMBER.exec(text)?.[1];
    if (number !== undefined) {
      const ack = `{"type": "push-ack", "lastRefTime":"${number}", "data":""}`;
      member.socket.send(ack, peer.port, peer.address);
    }
    this.#note(member, text, nowMs);
  }

  #note(member: Member, text: string, nowMs: number): void {
    const version = VERSION.exec(text)?.[1];
    if (version === undefined || version === member.version) return;
    member.version = version;
    const watch = this.#watch;
    if (watch === undefined || watch.version !== version) return;
    watch.latency.record(nowMs - watch.startedAtMs);
    if (watch.latency.count === this.#members.length) watch.done();
  }
}
