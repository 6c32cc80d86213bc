// A 1.x subscriber by hand: a list query with a UDP port, and a socket that acknowledges only what a flow tells it to. The
// digits of an acknowledgement are those of the packet's text: a double does not hold every server's numbers.
import { createSocket, type Socket } from 'node:dgram';
import { once } from 'node:events';
import { gunzipSync } from 'node:zlib';
import type { FlowContext } from './flow-context.js';
import { FlowFailure } from './flow-failure.js';
import type { ListAnswer } from './naming-api.js';

/** One datagram as it arrived. */
export interface ReceivedPush {
  /** Wall-clock time in milliseconds. */
  readonly atMs: number;
  /** Size of the datagram. */
  readonly bytes: number;
  readonly isGzip: boolean;
  /** `dom` for a list. */
  readonly type: string;
  /** Number of the envelope, as text. */
  readonly digits: string;
  readonly list: ListAnswer;
  readonly from: { readonly address: string; readonly port: number };
}

/** A Java client of the last 1.x version: what it is told is what most clients are. */
const AGENT = { 'User-Agent': 'Nacos-Java-Client:v1.4.8' } as const;
const NUMBER = /"lastRefTime"\s*:\s*(\d+)\s*\}\s*$/;

/** A subscriber of one flow. */
export class UdpReceiver {
  /** Everything received so far, in order. */
  readonly pushes: ReceivedPush[] = [];
  readonly #context: FlowContext;
  readonly #socket: Socket;
  #acknowledges = false;

  private constructor(context: FlowContext, socket: Socket) {
    this.#context = context;
    this.#socket = socket;
    socket.on('message', (bytes, { address, port }) => this.#take(bytes, { address, port }));
  }

  /** Opens a socket on a free port of all addresses of this machine; it is closed when the flow ends. */
  static async open(context: FlowContext): Promise<UdpReceiver> {
    const socket = createSocket('udp4');
    socket.bind(0);
    await once(socket, 'listening');
    const receiver = new UdpReceiver(context, socket);
    context.defer(() => void socket.close());
    return receiver;
  }

  /** Its port. */
  get port(): number {
    return this.#socket.address().port;
  }

  /** From now on everything is acknowledged as it comes, as a client does. */
  acknowledgeAll(): void {
    this.#acknowledges = true;
  }

  /** Asks for a list and to be told of its changes, or asks again. @throws Error when the answer is no list */
  async query(query: Readonly<Record<string, string>>): Promise<ListAnswer> {
    const own = {
      clientIP: '127.0.0.1',
      udpPort: String(this.port),
      clusters: '',
      healthyOnly: 'false',
      app: 'unknown',
    };
    const path = '/v1/ns/instance/list';
    const call = { method: 'GET', path, query: { ...own, ...query }, headers: AGENT } as const;
    return JSON.parse(await this.#context.api.mustCall(call)) as ListAnswer;
  }

  /**
   * Waits for a datagram.
   * @param matches - tried on each from `fromIndex` of `pushes` on
   * @throws FlowFailure when none comes in time
   */
  async waitForPush(
    wanted: string,
    matches: (push: ReceivedPush) => boolean,
    { timeoutMs, fromIndex = 0 }: { readonly timeoutMs: number; readonly fromIndex?: number },
  ): Promise<ReceivedPush> {
    const deadline = AbortSignal.timeout(timeoutMs);
    for (;;) {
      const push = this.pushes.slice(fromIndex).find(matches);
      if (push !== undefined) return push;
      try {
        await once(this.#socket, 'message', { signal: deadline });
      } catch {
        throw new FlowFailure(`${wanted}: no such datagram within ${timeoutMs} ms, ${this.pushes.length} came in all`);
      }
    }
  }

  /** Acknowledges as Java clients do. @param digits - a number of the flow's choice instead of the packet's */
  acknowledge({ digits, from }: Pick<ReceivedPush, 'digits' | 'from'>): Promise<void> {
    return this.send(`{"type": "push-ack", "lastRefTime":"${digits}", "data":""}`, from);
  }

  /** Sends any bytes. */
  send(bytes: string | Uint8Array, { address, port }: ReceivedPush['from']): Promise<void> {
    return new Promise((resolve, reject) => {
      this.#socket.send(bytes, port, address, (error) => (error === null ? resolve() : reject(error)));
    });
  }

  #take(bytes: Buffer, from: ReceivedPush['from']): void {
    const isGzip = bytes[0] === 0x1f && bytes[1] === 0x8b;
    const text = (isGzip ? gunzipSync(bytes) : bytes).toString();
    const { type, data } = JSON.parse(text) as { readonly type: string; readonly data: string };
    const digits = NUMBER.exec(text)?.[1] ?? '';
    const list = JSON.parse(data) as ListAnswer;
    const push = { atMs: Date.now(), bytes: bytes.length, isGzip, type, digits, list, from };
    this.pushes.push(push);
    // What cannot be sent is not acknowledged, and seen as such.
    if (this.#acknowledges) this.acknowledge(push).catch(() => undefined);
  }
}
