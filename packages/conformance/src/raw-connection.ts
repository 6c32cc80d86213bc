// A TCP connection that sends whatever bytes a flow wants, for requests that no HTTP client would send.

import { once } from 'node:events';
import { connect, type Socket } from 'node:net';
import type { FlowContext } from './flow-context.js';

const RECEIVED_BYTES_MAX = 4 * 1024 * 1024;

/** An open connection to the server under test. */
export class RawConnection {
  readonly #socket: Socket;
  readonly #parts: Buffer[] = [];
  #receivedBytes = 0;
  #closed = false;

  private constructor(socket: Socket) {
    this.#socket = socket;
    socket.on('error', () => undefined); // A reset is an end like any other; `closed` tells.
    socket.on('close', () => {
      this.#closed = true;
    });
    socket.on('data', (part) => {
      this.#receivedBytes += part.length;
      if (this.#receivedBytes <= RECEIVED_BYTES_MAX) this.#parts.push(part);
    });
  }

  /** Connects to the server, or to another port of its host; destroyed when the flow ends. */
  static async open(context: FlowContext, port: number = context.server.endpoint.port): Promise<RawConnection> {
    const socket = connect({ host: context.server.endpoint.host, port, noDelay: true });
    await once(socket, 'connect');
    const connection = new RawConnection(socket);
    context.defer(() => connection.destroy());
    return connection;
  }

  /** All bytes received so far, as text. */
  get received(): string {
    return Buffer.concat(this.#parts).toString('latin1');
  }

  /** Whether the server, or we, ended the connection. */
  get closed(): boolean {
    return this.#closed;
  }

  /** Status of the first HTTP answer received; undefined when there is none. */
  get status(): number | undefined {
    const found = /^HTTP\/1\.[01] (\d{3})/.exec(this.received)?.[1];
    return found === undefined ? undefined : Number(found);
  }

  /** Sends bytes; false when the operating system's buffer is full and the peer does not read. */
  write(bytes: string | Buffer): boolean {
    return this.#closed || this.#socket.destroyed ? false : this.#socket.write(bytes);
  }

  /** Ends our half in order. */
  end(): void {
    this.#socket.end();
  }

  /** Ends with a reset (RST). */
  reset(): void {
    this.#socket.resetAndDestroy();
  }

  /** Ends at once. */
  destroy(): void {
    this.#socket.destroy();
  }

  /**
   * Waits until something was received or the connection ended.
   * @returns the time that took in milliseconds, or undefined when nothing happened in time
   */
  async answerOrClose(timeoutMs: number): Promise<number | undefined> {
    const startedAtMs = performance.now();
    const isOver = (): boolean => this.#receivedBytes > 0 || this.#closed;
    while (!isOver()) {
      if (performance.now() - startedAtMs >= timeoutMs) return undefined;
      await new Promise((resolve) => setTimeout(resolve, 10));
    }
    return performance.now() - startedAtMs;
  }
}
