// One TCP port. The first bytes of a connection decide who serves it: the HTTP lanes, the owner of HTTP/2, or nobody.

import { type AddressInfo, createServer, type Server, type Socket } from 'node:net';
import type { TrackedConnection } from './connection-set.js';
import { protocolOf } from './first-bytes.js';
import type { HttpLanes } from './http-lanes.js';
import { peerAddress } from './peer-address.js';

/** TLS hellos are logged once in this time; each is counted. */
const TLS_NOTICE_MS = 60_000;
/** Connections that the kernel may keep for us while many arrive at once. */
const BACKLOG = 4096;

/** What a port needs. */
export interface PortListenerOptions {
  readonly lanes: HttpLanes;
  /**
   * Takes a connection that speaks HTTP/2. The bytes received so far are handed over beside the socket, which has no
   * listeners left but those of this port for `error` and `close`. Without it such connections are closed.
   */
  readonly onHttp2?: (socket: Socket, bytes: Buffer) => void;
}

/** Where a port listens. */
export interface PortAddress {
  /** Address to bind. `0.0.0.0` and `::` mean all. */
  readonly host: string;
  /** 0 takes any free port. */
  readonly port: number;
}

/** Listens on one port. */
export class PortListener {
  readonly #options: PortListenerOptions;
  readonly #server: Server;
  #tlsNoticeAtMs = Number.NEGATIVE_INFINITY;

  constructor(options: PortListenerOptions) {
    this.#options = options;
    const { settings, counters } = options.lanes;
    this.#server = createServer({ allowHalfOpen: true, noDelay: true }, (socket) => this.#accept(socket));
    this.#server.maxConnections = settings.connections;
    this.#server.on('drop', () => counters.countRefusal('connections'));
  }

  /**
   * Starts to listen.
   *
   * @returns where it listens, with the port that was taken
   * @throws the error of the system (`EADDRINUSE`, `EACCES`, …), as a rejection
   */
  listen(address: PortAddress): Promise<AddressInfo> {
    const server = this.#server;
    return new Promise((resolve, reject) => {
      server.once('error', reject);
      server.listen({ ...address, backlog: BACKLOG }, () => {
        server.off('error', reject);
        // Errors of accepting (no file descriptors left) come here; the connection is lost, the port goes on.
        server.on('error', (error) =>
          this.#options.lanes.logger.log('warn', 'accept-failed', { error: error.message }),
        );
        resolve(server.address() as AddressInfo);
      });
    });
  }

  /**
   * Stops listening and ends the connections of the lanes: at once where nothing is in progress, else after the answer.
   *
   * @param options.graceMs - after this the connections that are left are cut
   * @returns when all connections of this port are closed
   */
  close(options: { readonly graceMs: number }): Promise<void> {
    const { connections } = this.#options.lanes;
    return new Promise((resolve) => {
      const cut = connections.cutAfter(options.graceMs);
      this.#server.close(() => {
        cut.cancel();
        resolve();
      });
      connections.finishAll();
    });
  }

  #accept(socket: Socket): void {
    const { counters, connections } = this.#options.lanes;
    counters.connections++;
    counters.openConnections++;
    // Resets are everyday events; `close` follows and cleans up.
    socket.on('error', () => undefined);
    socket.on('close', () => {
      counters.openConnections--;
      counters.closedBytesRead += socket.bytesRead;
      counters.closedBytesWritten += socket.bytesWritten;
      connections.delete(socket);
    });
    new Opening(socket, this.#options.lanes, (bytes) => this.#decide(socket, bytes));
  }

  /** @returns whether somebody took the connection, or nobody will; false when more bytes are needed */
  #decide(socket: Socket, bytes: Buffer): boolean {
    const { lanes, onHttp2 } = this.#options;
    switch (protocolOf(bytes)) {
      case 'unsure':
        return false;
      case 'http1':
        lanes.take(socket, bytes);
        return true;
      case 'tls':
        this.#refuseTls(socket);
        return true;
      case 'http2':
        if (onHttp2 === undefined) {
          lanes.counters.countRefusal('http2');
          socket.destroy();
        } else {
          lanes.connections.delete(socket);
          onHttp2(socket, bytes);
        }
        return true;
    }
  }

  #refuseTls(socket: Socket): void {
    const { lanes } = this.#options;
    lanes.counters.countRefusal('tls');
    if (lanes.connections.nowMs - this.#tlsNoticeAtMs >= TLS_NOTICE_MS) {
      this.#tlsNoticeAtMs = lanes.connections.nowMs;
      lanes.logger.log('warn', 'tls-on-clear-port', { peer: peerAddress(socket), port: socket.localPort });
    }
    socket.destroy();
  }
}

/** A connection that has not yet told its protocol. */
class Opening implements TrackedConnection {
  readonly #socket: Socket;
  readonly #lanes: HttpLanes;
  readonly #decide: (bytes: Buffer) => boolean;
  readonly #sinceMs: number;
  #bytes: Buffer | undefined;

  constructor(socket: Socket, lanes: HttpLanes, decide: (bytes: Buffer) => boolean) {
    this.#socket = socket;
    this.#lanes = lanes;
    this.#decide = decide;
    lanes.connections.set(socket, this);
    this.#sinceMs = lanes.connections.nowMs;
    socket.on('data', this.#onData);
    socket.on('end', this.#onEnd);
  }

  sweep(nowMs: number): void {
    const { settings, counters } = this.#lanes;
    const allowedMs = this.#bytes === undefined ? settings.idleMs : settings.headMs;
    if (nowMs - this.#sinceMs <= allowedMs) return;
    counters.countRefusal(this.#bytes === undefined ? 'idle' : 'head-timeout');
    this.#socket.destroy();
  }

  finish(): void {
    this.#socket.destroy();
  }

  readonly #onData = (chunk: Buffer): void => {
    const bytes = this.#bytes === undefined ? chunk : Buffer.concat([this.#bytes, chunk]);
    this.#socket.off('data', this.#onData);
    this.#socket.off('end', this.#onEnd);
    if (this.#decide(bytes)) return;
    this.#bytes = bytes;
    this.#socket.on('data', this.#onData);
    this.#socket.on('end', this.#onEnd);
  };

  readonly #onEnd = (): void => {
    this.#socket.destroy();
  };
}
