// A TCP relay between gRPC clients and the server that notes when what passed. It passes everything on as it comes, ends
// included, so that a killed process looks to the server as it would without a relay.
import { once } from 'node:events';
import { connect, createServer, type Server, type Socket } from 'node:net';
import type { ServerEndpoint } from '../server-endpoint.js';

/** Clients connect to the port that they are given plus this. */
const GRPC_OFFSET = 1000;

/** Bytes that passed together. */
export interface RelayedBytes {
  /** Wall-clock time, ms. */
  readonly atMs: number;
  readonly from: 'server' | 'client';
  /** One character per byte: names of messages and their JSON can be looked for. */
  readonly text: string;
}

/** A running relay. */
export class TcpRelay {
  /** Everything that passed, in order. */
  readonly passed: RelayedBytes[] = [];
  /** When which side ended or lost a connection, wall-clock ms, in order. */
  readonly ends: { readonly atMs: number; readonly from: RelayedBytes['from'] }[] = [];
  readonly #server: Server;
  readonly #target: ServerEndpoint;
  readonly #sockets = new Set<Socket>();

  private constructor(target: ServerEndpoint) {
    this.#target = target;
    this.#server = createServer({ allowHalfOpen: true }, (client) => this.#join(client));
  }

  /** Starts a relay on a free port of the loopback address. */
  static async start(target: ServerEndpoint): Promise<TcpRelay> {
    const relay = new TcpRelay(target);
    relay.#server.listen(0, '127.0.0.1');
    await once(relay.#server, 'listening');
    return relay;
  }

  /** What a gRPC client is given as the address of the server. */
  get endpoint(): ServerEndpoint {
    const address = this.#server.address();
    const port = typeof address === 'object' ? (address?.port ?? 0) : 0;
    return { ...this.#target, host: '127.0.0.1', port: port - GRPC_OFFSET };
  }

  /** Ends all connections. */
  close(): void {
    this.#server.close();
    for (const socket of this.#sockets) socket.destroy();
  }

  #join(client: Socket): void {
    const { host, port } = this.#target;
    const server = connect({ host, port, allowHalfOpen: true });
    this.#lead(client, server, 'client');
    this.#lead(server, client, 'server');
  }

  #lead(socket: Socket, other: Socket, from: RelayedBytes['from']): void {
    this.#sockets.add(socket);
    socket.setNoDelay(true);
    socket.on('data', (bytes: Buffer) => {
      this.passed.push({ atMs: Date.now(), from, text: bytes.toString('latin1') });
      other.write(bytes);
    });
    const over = (): void => void this.ends.push({ atMs: Date.now(), from });
    socket.once('end', () => {
      over();
      other.end();
    });
    // A reset of one side is one for the other, too.
    socket.once('error', () => {
      over();
      other.resetAndDestroy();
    });
    socket.once('close', () => {
      this.#sockets.delete(socket);
      other.destroySoon();
    });
  }
}
